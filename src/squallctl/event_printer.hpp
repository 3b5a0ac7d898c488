#pragma once

#include <Ice/Ice.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace squall::ctl {

/// The subscriber's servant: every operation, ice_ping and its like too, is an event. Prints one
/// line per event (NUMBER OPERATION SIZE bytes {CONTEXT} PREVIEW; the size is that of the
/// parameters without their 6-byte encapsulation header), and counts. Threads: locked by `mutex_`;
/// events come from Ice's threads.
class EventPrinter : public Ice::BlobjectArray {
public:
    struct Totals {
        std::uint64_t events = 0;
        /// From the first event to the last.
        std::chrono::duration<double> elapsed{0};
        /// stdout took no more.
        bool is_output_lost = false;
    };

    /// `limit` events are taken (0: any number), then `on_done` is called, as it is when stdout
    /// cannot be written; under no lock, maybe more than once.
    EventPrinter(std::uint64_t limit, bool quiet, std::function<void()> on_done);

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> encapsulation,
                    std::vector<Ice::Byte>& result, const Ice::Current& current) override;

    /// The totals; events that still come are not printed or counted any more.
    Totals close();

private:
    using Clock = std::chrono::steady_clock;

    std::string line(std::pair<const Ice::Byte*, const Ice::Byte*> encapsulation,
                     const Ice::Current& current) const;

    const std::uint64_t limit_;
    const bool quiet_;
    const std::function<void()> on_done_;

    std::mutex mutex_;
    bool is_closed_ = false;
    Clock::time_point first_;
    Totals totals_;
};

}  // namespace squall::ctl
