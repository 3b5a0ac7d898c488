#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "subscriber_queue/subscriber_queue.hpp"

namespace squall::queue {

/// The rules of SubscriberQueue once more, written to be plain instead of fast: one list of events
/// with a status each, and everything else counted afresh when it is asked for. Same verbs, same
/// meaning; an event is a number and what the rules look at.
/// Threads: one.
class QueueModel {
public:
    struct Item {
        int number{0};
        std::size_t bytes{0};
        bool idempotent{false};
    };
    struct Taken {
        int number;
        std::uint32_t ticket;
    };

    /// The options must outlive the model.
    QueueModel(DeliveryMode mode, int retry_count, const QueueOptions& options)
        : options_(options), mode_(mode), retry_count_(retry_count) {}

    PushResult push(const Item& item, TimePoint now);
    bool has_work(TimePoint now) const;
    std::optional<Taken> take(TimePoint now);
    void sent(std::size_t count);
    void written(std::size_t count);
    Change completed(std::uint32_t ticket, Reply reply, TimePoint now);
    void unsendable(std::uint32_t ticket);
    Change lost(Loss loss, TimePoint now);
    Change failed_softly(TimePoint now);
    Change failed_hard(RemovalReason reason);
    void close(bool deliver_queued);
    void discard_waiting();
    void hurry() { hurry_ = true; }
    std::optional<TimePoint> next_deadline() const;

    State state() const { return state_; }
    std::size_t waiting() const { return count(Status::kWaiting); }
    std::size_t in_flight() const { return entries_.size() - waiting(); }
    int consecutive_failures() const { return failures_; }
    const Counters& counters() const { return counters_; }
    RemovalReason removal_reason() const { return removal_reason_; }
    /// Tickets that the link may name, oldest first.
    std::vector<std::uint32_t> issued() const;

private:
    enum class Status : std::uint8_t { kWaiting, kIssued, kToGoAgain };
    struct Entry {
        Item item;
        Status status{Status::kWaiting};
        bool in_flush{false};
        std::uint32_t ticket{0};
        int resends{0};
        bool written{false};
    };

    std::size_t count(Status status) const;
    std::size_t reserve() const;
    std::size_t waiting_bytes() const;
    bool flush_goes_on() const;
    /// The entry to take next; the end if there is none.
    std::vector<Entry>::iterator next(TimePoint now);
    std::vector<Entry>::iterator find_issued(std::uint32_t ticket);
    /// Drops waiting entries behind the first `kept`.
    void drop_waiting(std::size_t kept, std::uint64_t& counter);
    void drop_all();

    const QueueOptions& options_;
    DeliveryMode mode_;
    int retry_count_;
    std::vector<Entry> entries_;
    TimePoint flush_at_{};
    TimePoint offline_until_{};
    Counters counters_;
    int failures_{0};
    std::uint32_t next_ticket_{1};
    State state_{State::kOnline};
    RemovalReason removal_reason_{};
    bool hurry_{false};
};

}  // namespace squall::queue
