#pragma once

#include <Ice/Ice.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace squall::ctl {

enum class SendMode { kOneway, kTwoway, kBatch };

/// Sends events through one publisher proxy, with a bounded number (1000 events or about 4 MiB)
/// handed to Ice and not finished, so that memory stays flat however slow the broker is. An event
/// is finished when it is answered (twoway) or written to the socket (oneway, batch). Threads: used
/// by one thread, the canceller by any. Ice's threads only touch the shared `State`.
class EventSender {
public:
    using Clock = std::chrono::steady_clock;

    /// `event_bytes` is the size of the parameters of each event, for the window.
    EventSender(const std::shared_ptr<Ice::ObjectPrx>& publisher, SendMode mode,
                std::string operation, Ice::Context context, std::size_t event_bytes);

    /// Sends one event, after waiting for room. False when cancelled; throws the first failure.
    [[nodiscard]] bool send(const std::vector<Ice::Byte>& parameters);

    /// To be called before waiting until `due`: sends the batch if its first event has waited too
    /// long by then (100 ms).
    void flush_if_due(Clock::time_point due);

    /// Waits until all events are finished. False when cancelled; throws the first failure.
    [[nodiscard]] bool finish();

    /// A function that makes this and every later wait return at once; it may outlive the sender.
    std::function<void()> canceller() const;

    /// Closes the connection at once, so that nobody waits for a broker that takes no more.
    void abandon();

    /// Events finished so far.
    std::uint64_t finished() const;

private:
    struct State;

    [[nodiscard]] bool flush();

    std::shared_ptr<Ice::ObjectPrx> publisher_;
    SendMode mode_;
    std::string operation_;
    Ice::Context context_;
    std::uint64_t window_events_;
    std::uint64_t batch_events_max_;

    std::uint64_t batch_events_ = 0;
    Clock::time_point batch_started_;

    std::shared_ptr<State> state_;
};

}  // namespace squall::ctl
