#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "latency_histogram.hpp"

namespace squall::bench {

/// What one subscriber got: events 0 to `events` - 1 of one publisher are due, each exactly once.
/// Threads: confined to its user.
class SubscriberCheck {
public:
    explicit SubscriberCheck(std::uint64_t events) : events_(events) {}

    /// True when this event was the last one missing.
    bool arrived(std::uint64_t sequence) {
        if (sequence != next_) {
            return arrived_out_of_order(sequence);
        }
        ++next_;
        while (!early_.empty() && early_.erase(next_) > 0) {
            ++next_;
        }
        return next_ == events_;
    }

    [[nodiscard]] std::uint64_t received() const noexcept { return next_ + early_.size(); }
    [[nodiscard]] std::uint64_t repeats() const noexcept { return repeats_; }
    /// Events that were not the successor of the highest one before.
    [[nodiscard]] std::uint64_t out_of_order() const noexcept { return out_of_order_; }

private:
    bool arrived_out_of_order(std::uint64_t sequence) {
        if (sequence < next_ || sequence >= events_ || !early_.insert(sequence).second) {
            ++repeats_;
        } else {
            ++out_of_order_;
        }
        return false;
    }

    std::uint64_t events_;
    /// All before it have arrived.
    std::uint64_t next_ = 0;
    /// Arrived, though an event before them has not.
    std::unordered_set<std::uint64_t> early_;
    std::uint64_t repeats_ = 0;
    std::uint64_t out_of_order_ = 0;
};

/// The events of all subscribers of one thread, with their times.
struct DeliveryTimes {
    /// Of event 0 of the publisher that began first; 0 before.
    std::int64_t first_sent_ns = 0;
    std::int64_t last_arrival_ns = 0;
    LatencyHistogram latency;

    void add(std::uint64_t sequence, std::int64_t sent_ns, std::int64_t arrival_ns) noexcept {
        if (sequence == 0 && (first_sent_ns == 0 || sent_ns < first_sent_ns)) {
            first_sent_ns = sent_ns;
        }
        last_arrival_ns = arrival_ns;
        latency.add(arrival_ns - sent_ns);
    }

    void merge(const DeliveryTimes& other) noexcept;
};

/// Prints one line of JSON: what was due and came, and when. True when each subscriber had each
/// event exactly once and no connection was lost; order is reported, not judged.
/// Threads: free function without state.
bool print_report(std::span<const SubscriberCheck> subscribers, std::uint64_t events,
                  const DeliveryTimes& times, std::uint64_t lost_connections);

}  // namespace squall::bench
