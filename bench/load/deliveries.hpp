#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "delivery_check.hpp"
#include "payload.hpp"
#include "wire/bytes.hpp"

namespace squall::bench {

/// All that a sink's subscribers get.
/// Threads: confined to its user.
class Deliveries {
public:
    Deliveries(std::size_t subscribers, std::uint64_t events)
        : events_(events),
          missing_(subscribers),
          subscribers_(subscribers, SubscriberCheck(events)) {}

    /// All events until the next call have arrived at this time: one clock reading per read.
    void set_arrival(std::int64_t ns) noexcept { arrival_ns_ = ns; }

    void add(std::size_t subscriber, wire::ByteView payload) {
        if (subscriber >= subscribers_.size() || payload.size() < kStampBytes) {
            throw std::runtime_error("an event for nobody, or too short for a stamp");
        }
        Stamp stamp;
        std::memcpy(&stamp, payload.data(), sizeof stamp);
        times_.add(stamp.sequence, stamp.sent_ns, arrival_ns_);
        if (subscribers_[subscriber].arrived(stamp.sequence)) {
            --missing_;
        }
    }

    [[nodiscard]] bool complete() const noexcept { return missing_ == 0; }
    [[nodiscard]] std::int64_t last_arrival_ns() const noexcept { return times_.last_arrival_ns; }

    bool report(std::uint64_t lost_connections) const {
        return print_report(subscribers_, events_, times_, lost_connections);
    }

private:
    std::uint64_t events_;
    /// Subscribers that are not complete.
    std::size_t missing_;
    std::int64_t arrival_ns_ = 0;
    std::vector<SubscriberCheck> subscribers_;
    DeliveryTimes times_;
};

}  // namespace squall::bench
