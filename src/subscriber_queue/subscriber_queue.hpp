#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "event_store/event.hpp"
#include "subscriber_queue/qos.hpp"
#include "subscriber_queue/queue_options.hpp"
#include "subscriber_queue/removal_reason.hpp"
#include "subscriber_queue/ring.hpp"

namespace squall::queue {

using TimePoint = std::chrono::steady_clock::time_point;

enum class State : std::uint8_t {
    kOnline,
    kOffline,  ///< after a soft failure, until the first event past the deadline
    kClosed,   ///< ended by unsubscribe or destroy; what is left is still delivered
    kFailed,   ///< ended by the broker; see removal_reason()
};

enum class PushResult : std::uint8_t {
    kQueued,
    kQueuedAsProbe,  ///< the first event past the deadline: the subscriber is online again
    kDroppedOldest,  ///< queued; the oldest waiting event made room (itself with a limit of 0)
    kDiscarded,      ///< offline, closed or failed
    kOverflow,       ///< not queued; the subscriber has failed
};

/// What a reply to a twoway request says of the subscriber (behaviour reference 6.2).
enum class Reply : std::uint8_t {
    kSuccess,      ///< also a user exception
    kSoftFailure,  ///< any other failure
    kHardFailure,  ///< the object does not exist
};

/// How a connection with requests in flight ended (behaviour reference 12.6).
enum class Loss : std::uint8_t {
    kClosedAfterProgress,  ///< gracefully by the peer, after it had taken or answered something
    kClosed,               ///< gracefully by the peer, before it did anything
    kAbrupt,               ///< any other way
};

/// What a failure did to the subscriber.
enum class Change : std::uint8_t { kNone, kWentOffline, kFailed };

/// Where the events of a subscriber went; each pushed event is counted once it has left.
struct Counters {
    std::uint64_t delivered{0};
    std::uint64_t dropped_overflow{0};   ///< made room, or were thrown away with the subscriber
    std::uint64_t dropped_offline{0};    ///< offered while offline, or after the end
    std::uint64_t dropped_failure{0};    ///< queued or in flight at a soft or hard failure
    std::uint64_t dropped_closed{0};     ///< queued when the subscription ended
    std::uint64_t dropped_too_large{0};  ///< did not fit the subscriber's transport
};

/// An event handed to a link. The event lives at least until the link reports its outcome or the
/// queue's next failure.
struct Issued {
    const event::Event* event;
    std::uint32_t ticket;  ///< names this request to the queue
};

/// One subscriber's events as pointers, and its delivery rules: what may be sent now, what happens
/// when the queue is full, which failure is final, when to try again. No sockets, no threads, no
/// clock: time comes in with the calls. A link takes events, and reports what became of them.
/// Rules: behaviour reference 4.2, 5.2, 6.1 to 6.6, with section 15's corrections.
/// Threads: confined to the owning shard's.
class SubscriberQueue {
public:
    /// Requests in flight at most; also how many oneway events do not count as waiting.
    static constexpr std::size_t kWindow = 5;
    /// How often a request that surely was not executed is sent again.
    static constexpr std::uint8_t kResendsMax = 1;

    /// The options must outlive the queue.
    SubscriberQueue(DeliveryMode mode, int retry_count, const QueueOptions& options)
        : options_(options), retry_count_(retry_count), mode_(mode) {}

    /// Offers an event. kOverflow leaves the events in flight to be delivered.
    PushResult push(event::EventPtr event, TimePoint now);

    /// True when take() would give an event. For a batch: when a flush is due.
    bool has_work(TimePoint now) const;

    /// The next event to send, in flight from now on; nothing when none may be sent.
    /// A batch gives, event by event, all that a flush holds.
    std::optional<Issued> take(TimePoint now);

    /// The oldest `count` issued oneway or batch events have been written: they are delivered.
    void sent(std::size_t count);

    /// The oldest `count` issued twoway requests that were not written yet now are.
    void written(std::size_t count);

    /// A request was delivered or failed; for twoway its reply, for links that name requests
    /// singly also oneway. An unknown ticket (of before a failure) is ignored.
    Change completed(std::uint32_t ticket, Reply reply, TimePoint now);

    /// A request that can never be sent, such as one too large for a datagram: only it is dropped.
    void unsendable(std::uint32_t ticket);

    /// The connection is gone: requests that may be repeated go back, others are a soft failure.
    Change lost(Loss loss, TimePoint now);

    /// A soft failure that concerns whatever is queued or in flight, such as no connection.
    Change failed_softly(TimePoint now);

    /// A hard failure.
    Change failed_hard(RemovalReason reason);

    /// Ends the subscription. Events in flight, and those that could be at once, are still
    /// delivered; the others as well if `deliver_queued`.
    void close(bool deliver_queued);

    /// Throws away what is not in flight.
    void discard_waiting();

    /// Gives back the memory of an idle queue; the next event takes some again.
    void shrink() {
        if (idle()) {
            queued_.clear();
            in_flight_.clear();
        }
    }

    /// Flushes batches at once from now on.
    void hurry() { hurry_ = true; }

    /// When has_work() turns true by itself; nothing when time alone changes nothing.
    std::optional<TimePoint> next_deadline() const;

    State state() const { return state_; }
    DeliveryMode mode() const { return mode_; }
    /// Takes no more events; what is left is still delivered.
    bool ended() const { return state_ == State::kClosed || state_ == State::kFailed; }
    bool idle() const { return queued_.empty() && in_flight_.empty(); }
    std::size_t waiting() const { return queued_.size(); }
    std::size_t in_flight() const { return in_flight_.size(); }
    std::size_t pending() const { return waiting() + in_flight(); }
    int consecutive_failures() const { return failures_; }
    int retry_count() const { return retry_count_; }
    const Counters& counters() const { return counters_; }
    /// Meaningful once state() is kFailed.
    RemovalReason removal_reason() const { return removal_reason_; }

private:
    struct Request {
        event::EventPtr event;
        std::uint32_t ticket{0};
        std::uint8_t resends{0};
        bool written{false};
    };

    std::size_t window() const { return mode_ == DeliveryMode::kOrdered ? 1 : kWindow; }
    /// The rest of push(): not online, or the queue is full.
    PushResult push_specially(event::EventPtr event, TimePoint now);
    /// How many queued events could be in flight at once: they do not count as waiting.
    std::size_t free_window() const;
    bool full() const;
    bool may_issue(TimePoint now) const;
    bool flush_due(TimePoint now) const;
    void enqueue(event::EventPtr event, TimePoint now);
    void drop_oldest();
    void truncate_queued(std::size_t size, std::uint64_t& counter);
    void drop_all(std::uint64_t& counter);
    std::optional<std::size_t> find_issued(std::uint32_t ticket) const;
    static bool may_resend(const Request& request, Loss loss);

    const QueueOptions& options_;
    Ring<event::EventPtr> queued_;
    /// Issued requests, oldest first; those from issued_ on wait to be issued again.
    Ring<Request> in_flight_;
    std::size_t issued_{0};
    std::size_t queued_bytes_{0};
    /// Batch: how many of queued_ belong to the flush in progress.
    std::size_t flushing_{0};
    TimePoint flush_at_{};
    TimePoint offline_until_{};
    Counters counters_;
    int retry_count_;
    int failures_{0};
    std::uint32_t next_ticket_{1};
    DeliveryMode mode_;
    State state_{State::kOnline};
    RemovalReason removal_reason_{};
    bool hurry_{false};
};

// What runs once for each event and subscriber is here, so that callers need not call it.

inline bool SubscriberQueue::full() const {
    return options_.queue_size_max >= 0 &&
           queued_.size() >= static_cast<std::size_t>(options_.queue_size_max) + free_window();
}

inline std::size_t SubscriberQueue::free_window() const {
    if (mode_ == DeliveryMode::kBatch || in_flight_.size() >= window()) {
        return 0;
    }
    return window() - in_flight_.size();
}

inline bool SubscriberQueue::flush_due(TimePoint now) const {
    return hurry_ || state_ != State::kOnline || now >= flush_at_ ||
           (options_.batch_bytes_max != 0 && queued_bytes_ >= options_.batch_bytes_max);
}

inline bool SubscriberQueue::may_issue(TimePoint now) const {
    switch (mode_) {
        case DeliveryMode::kOneway:
            return true;
        case DeliveryMode::kBatch:
            return flushing_ > 0 || (in_flight_.empty() && flush_due(now));
        default:
            return in_flight_.size() < window();
    }
}

inline bool SubscriberQueue::has_work(TimePoint now) const {
    return issued_ < in_flight_.size() || (!queued_.empty() && may_issue(now));
}

inline void SubscriberQueue::enqueue(event::EventPtr event, TimePoint now) {
    if (mode_ == DeliveryMode::kBatch && queued_.size() <= flushing_) {
        flush_at_ = now + options_.flush_timeout;
    }
    queued_bytes_ += event->tail().size();
    queued_.push_back(std::move(event));
}

inline PushResult SubscriberQueue::push(event::EventPtr event, TimePoint now) {
    if (state_ != State::kOnline || full()) {
        return push_specially(std::move(event), now);
    }
    enqueue(std::move(event), now);
    return PushResult::kQueued;
}

inline std::optional<Issued> SubscriberQueue::take(TimePoint now) {
    if (issued_ == in_flight_.size()) {
        if (queued_.empty() || !may_issue(now)) {
            return std::nullopt;
        }
        if (mode_ == DeliveryMode::kBatch) {
            flushing_ = (flushing_ == 0 ? queued_.size() : flushing_) - 1;
        }
        event::EventPtr event = queued_.pop_front();
        queued_bytes_ -= event->tail().size();
        in_flight_.push_back({std::move(event), next_ticket_++, 0, false});
    }
    const Request& request = in_flight_[issued_++];
    return Issued{request.event.get(), request.ticket};
}

inline void SubscriberQueue::sent(std::size_t count) {
    count = std::min(count, issued_);  // a failure meanwhile has dropped, and counted, the others
    for (std::size_t i = 0; i < count; ++i) {
        in_flight_.drop_front();
    }
    issued_ -= count;
    counters_.delivered += count;
    if (count > 0) {
        failures_ = 0;
    }
}

}  // namespace squall::queue
