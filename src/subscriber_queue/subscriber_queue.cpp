#include "subscriber_queue/subscriber_queue.hpp"

#include <algorithm>
#include <utility>

namespace squall::queue {

PushResult SubscriberQueue::push_specially(event::EventPtr event, TimePoint now) {
    PushResult result = PushResult::kQueued;
    if (state_ == State::kOffline && now >= offline_until_) {
        state_ = State::kOnline;
        result = PushResult::kQueuedAsProbe;
    }
    if (state_ != State::kOnline) {
        ++counters_.dropped_offline;
        return PushResult::kDiscarded;
    }
    const bool overflow = full();
    if (overflow && options_.overflow_policy == OverflowPolicy::kRemoveSubscriber) {
        ++counters_.dropped_overflow;
        truncate_queued(free_window(), counters_.dropped_overflow);
        state_ = State::kFailed;
        removal_reason_ = RemovalReason::kQueueOverflow;
        return PushResult::kOverflow;
    }
    enqueue(std::move(event), now);
    if (overflow) {  // only now: a batch that never runs empty keeps its timer
        drop_oldest();
        result = PushResult::kDroppedOldest;
    }
    return result;
}

void SubscriberQueue::drop_oldest() {
    const event::EventPtr oldest = queued_.remove(free_window());
    queued_bytes_ -= oldest->tail().size();
    if (flushing_ > 0) {
        --flushing_;
    }
    ++counters_.dropped_overflow;
}

void SubscriberQueue::written(std::size_t count) {
    for (std::size_t i = 0; i < issued_ && count > 0; ++i) {
        if (!in_flight_[i].written) {
            in_flight_[i].written = true;
            --count;
        }
    }
}

std::optional<std::size_t> SubscriberQueue::find_issued(std::uint32_t ticket) const {
    for (std::size_t i = 0; i < issued_; ++i) {
        if (in_flight_[i].ticket == ticket) {
            return i;
        }
    }
    return std::nullopt;
}

Change SubscriberQueue::completed(std::uint32_t ticket, Reply reply, TimePoint now) {
    const std::optional<std::size_t> index = find_issued(ticket);
    if (!index) {
        return Change::kNone;
    }
    if (reply == Reply::kSoftFailure) {
        return failed_softly(now);
    }
    if (reply == Reply::kHardFailure) {
        return failed_hard(RemovalReason::kObjectNotExist);
    }
    in_flight_.remove(*index);
    --issued_;
    ++counters_.delivered;
    failures_ = 0;
    return Change::kNone;
}

void SubscriberQueue::unsendable(std::uint32_t ticket) {
    if (const std::optional<std::size_t> index = find_issued(ticket)) {
        in_flight_.remove(*index);
        --issued_;
        ++counters_.dropped_too_large;
    }
}

bool SubscriberQueue::may_resend(const Request& request, Loss loss) {
    switch (loss) {
        case Loss::kClosedAfterProgress:
            return true;
        case Loss::kClosed:  // at least once, whatever was used up before
            return request.resends <= kResendsMax;
        default:
            return (!request.written || request.event->idempotent()) &&
                   request.resends < kResendsMax;
    }
}

Change SubscriberQueue::lost(Loss loss, TimePoint now) {
    for (std::size_t i = 0; i < issued_; ++i) {
        if (!may_resend(in_flight_[i], loss)) {
            return failed_softly(now);
        }
    }
    for (std::size_t i = 0; i < issued_; ++i) {
        Request& request = in_flight_[i];
        request.written = false;
        if (loss != Loss::kClosedAfterProgress) {
            ++request.resends;
        }
    }
    issued_ = 0;
    return Change::kNone;
}

Change SubscriberQueue::failed_softly(TimePoint now) {
    if (state_ == State::kOffline) {
        return Change::kNone;
    }
    drop_all(counters_.dropped_failure);
    if (state_ != State::kOnline) {
        return Change::kNone;
    }
    if (retry_count_ != -1 && failures_ >= retry_count_) {
        state_ = State::kFailed;
        removal_reason_ = RemovalReason::kRetriesExhausted;
        return Change::kFailed;
    }
    ++failures_;
    state_ = State::kOffline;
    offline_until_ = now + options_.discard_interval;
    return Change::kWentOffline;
}

Change SubscriberQueue::failed_hard(RemovalReason reason) {
    drop_all(counters_.dropped_failure);
    if (state_ == State::kClosed || state_ == State::kFailed) {
        return Change::kNone;
    }
    state_ = State::kFailed;
    removal_reason_ = reason;
    return Change::kFailed;
}

void SubscriberQueue::close(bool deliver_queued) {
    if (state_ == State::kOnline || state_ == State::kOffline) {
        state_ = State::kClosed;
    }
    if (!deliver_queued) {
        discard_waiting();
    }
}

void SubscriberQueue::discard_waiting() {
    truncate_queued(free_window(), counters_.dropped_closed);
}

void SubscriberQueue::truncate_queued(std::size_t size, std::uint64_t& counter) {
    for (std::size_t i = size; i < queued_.size(); ++i) {
        queued_bytes_ -= queued_[i]->tail().size();
        ++counter;
    }
    queued_.truncate(std::min(size, queued_.size()));
    flushing_ = std::min(flushing_, queued_.size());
}

void SubscriberQueue::drop_all(std::uint64_t& counter) {
    counter += in_flight_.size();
    in_flight_.clear();
    issued_ = 0;
    truncate_queued(0, counter);
}

std::optional<TimePoint> SubscriberQueue::next_deadline() const {
    const bool waits_for_time =
        mode_ == DeliveryMode::kBatch && !queued_.empty() && in_flight_.empty() && flushing_ == 0;
    return waits_for_time ? std::optional(flush_at_) : std::nullopt;
}

}  // namespace squall::queue
