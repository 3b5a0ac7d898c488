#include "queue_model.hpp"

#include <algorithm>

namespace squall::queue {

std::size_t QueueModel::count(Status status) const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(),
                      [status](const Entry& entry) { return entry.status == status; }));
}

std::size_t QueueModel::reserve() const {
    std::size_t window = 5;
    if (mode_ == DeliveryMode::kBatch) {
        window = 0;
    } else if (mode_ == DeliveryMode::kOrdered) {
        window = 1;
    }
    return window > in_flight() ? window - in_flight() : 0;
}

std::size_t QueueModel::waiting_bytes() const {
    std::size_t bytes = 0;
    for (const Entry& entry : entries_) {
        bytes += entry.status == Status::kWaiting ? entry.item.bytes : 0;
    }
    return bytes;
}

bool QueueModel::flush_goes_on() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
        return entry.in_flush && entry.status == Status::kWaiting;
    });
}

PushResult QueueModel::push(const Item& item, TimePoint now) {
    PushResult result = PushResult::kQueued;
    if (state_ == State::kOffline && now >= offline_until_) {
        state_ = State::kOnline;
        result = PushResult::kQueuedAsProbe;
    }
    if (state_ != State::kOnline) {
        ++counters_.dropped_offline;
        return PushResult::kDiscarded;
    }
    const bool full = options_.queue_size_max >= 0 &&
                      waiting() >= static_cast<std::size_t>(options_.queue_size_max) + reserve();
    if (full && options_.overflow_policy == OverflowPolicy::kRemoveSubscriber) {
        ++counters_.dropped_overflow;
        drop_waiting(reserve(), counters_.dropped_overflow);
        state_ = State::kFailed;
        removal_reason_ = RemovalReason::kQueueOverflow;
        return PushResult::kOverflow;
    }
    const bool first_of_next_flush = std::none_of(
        entries_.begin(), entries_.end(),
        [](const Entry& entry) { return entry.status == Status::kWaiting && !entry.in_flush; });
    if (first_of_next_flush) {
        flush_at_ = now + options_.flush_timeout;
    }
    entries_.push_back({.item = item});
    if (full) {
        const std::size_t oldest = in_flight() + reserve();
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(oldest));
        ++counters_.dropped_overflow;
        result = PushResult::kDroppedOldest;
    }
    return result;
}

std::vector<QueueModel::Entry>::iterator QueueModel::next(TimePoint now) {
    const auto again = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
        return entry.status == Status::kToGoAgain;
    });
    if (again != entries_.end()) {
        return again;
    }
    bool allowed = true;
    if (mode_ == DeliveryMode::kTwoway || mode_ == DeliveryMode::kOrdered) {
        allowed = in_flight() < (mode_ == DeliveryMode::kTwoway ? 5U : 1U);
    } else if (mode_ == DeliveryMode::kBatch) {
        const bool too_big =
            options_.batch_bytes_max > 0 && waiting_bytes() >= options_.batch_bytes_max;
        const bool due = now >= flush_at_ || too_big || hurry_ || state_ != State::kOnline;
        allowed = flush_goes_on() || (in_flight() == 0 && due);
    }
    return allowed
               ? std::find_if(entries_.begin(), entries_.end(),
                              [](const Entry& entry) { return entry.status == Status::kWaiting; })
               : entries_.end();
}

bool QueueModel::has_work(TimePoint now) const {
    QueueModel copy(*this);
    return copy.next(now) != copy.entries_.end();
}

std::optional<QueueModel::Taken> QueueModel::take(TimePoint now) {
    const auto entry = next(now);
    if (entry == entries_.end()) {
        return std::nullopt;
    }
    if (entry->status == Status::kWaiting) {
        entry->ticket = next_ticket_++;
        if (mode_ == DeliveryMode::kBatch && !flush_goes_on()) {
            for (Entry& each : entries_) {
                each.in_flush = true;
            }
        }
    }
    entry->status = Status::kIssued;
    return Taken{entry->item.number, entry->ticket};
}

void QueueModel::sent(std::size_t reported) {
    for (; reported > 0; --reported) {
        const auto oldest = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
            return entry.status == Status::kIssued;
        });
        if (oldest == entries_.end()) {
            return;
        }
        entries_.erase(oldest);
        ++counters_.delivered;
        failures_ = 0;
    }
}

void QueueModel::written(std::size_t reported) {
    for (Entry& entry : entries_) {
        if (reported > 0 && entry.status == Status::kIssued && !entry.written) {
            entry.written = true;
            --reported;
        }
    }
}

std::vector<QueueModel::Entry>::iterator QueueModel::find_issued(std::uint32_t ticket) {
    return std::find_if(entries_.begin(), entries_.end(), [ticket](const Entry& entry) {
        return entry.status == Status::kIssued && entry.ticket == ticket;
    });
}

Change QueueModel::completed(std::uint32_t ticket, Reply reply, TimePoint now) {
    const auto entry = find_issued(ticket);
    if (entry == entries_.end()) {
        return Change::kNone;
    }
    if (reply == Reply::kSoftFailure) {
        return failed_softly(now);
    }
    if (reply == Reply::kHardFailure) {
        return failed_hard(RemovalReason::kObjectNotExist);
    }
    entries_.erase(entry);
    ++counters_.delivered;
    failures_ = 0;
    return Change::kNone;
}

void QueueModel::unsendable(std::uint32_t ticket) {
    const auto entry = find_issued(ticket);
    if (entry != entries_.end()) {
        entries_.erase(entry);
        ++counters_.dropped_too_large;
    }
}

Change QueueModel::lost(Loss loss, TimePoint now) {
    std::vector<Entry> after = entries_;
    for (Entry& entry : after) {
        if (entry.status != Status::kIssued) {
            continue;
        }
        const bool harmless = !entry.written || entry.item.idempotent;
        const bool repeated = loss == Loss::kClosedAfterProgress ||
                              (loss == Loss::kClosed && entry.resends < 2) ||
                              (loss == Loss::kAbrupt && harmless && entry.resends < 1);
        if (!repeated) {
            return failed_softly(now);
        }
        entry.status = Status::kToGoAgain;
        entry.written = false;
        entry.resends += loss == Loss::kClosedAfterProgress ? 0 : 1;
    }
    entries_ = after;
    return Change::kNone;
}

Change QueueModel::failed_softly(TimePoint now) {
    drop_all();
    if (state_ != State::kOnline) {
        return Change::kNone;
    }
    const bool unlimited = retry_count_ == -1;
    if (!unlimited && failures_ >= retry_count_) {
        state_ = State::kFailed;
        removal_reason_ = RemovalReason::kRetriesExhausted;
        return Change::kFailed;
    }
    ++failures_;
    state_ = State::kOffline;
    offline_until_ = now + options_.discard_interval;
    return Change::kWentOffline;
}

Change QueueModel::failed_hard(RemovalReason reason) {
    drop_all();
    if (state_ != State::kOnline && state_ != State::kOffline) {
        return Change::kNone;
    }
    state_ = State::kFailed;
    removal_reason_ = reason;
    return Change::kFailed;
}

void QueueModel::close(bool deliver_queued) {
    if (state_ != State::kFailed) {
        state_ = State::kClosed;
    }
    if (!deliver_queued) {
        discard_waiting();
    }
}

void QueueModel::discard_waiting() {
    drop_waiting(reserve(), counters_.dropped_closed);
}

void QueueModel::drop_waiting(std::size_t kept, std::uint64_t& counter) {
    const std::size_t all_kept = std::min(entries_.size(), in_flight() + kept);
    counter += entries_.size() - all_kept;
    entries_.resize(all_kept);
}

void QueueModel::drop_all() {
    counters_.dropped_failure += entries_.size();
    entries_.clear();
}

std::optional<TimePoint> QueueModel::next_deadline() const {
    const bool waits = mode_ == DeliveryMode::kBatch && waiting() > 0 && in_flight() == 0;
    return waits && !flush_goes_on() ? std::optional(flush_at_) : std::nullopt;
}

std::vector<std::uint32_t> QueueModel::issued() const {
    std::vector<std::uint32_t> tickets;
    for (const Entry& entry : entries_) {
        if (entry.status == Status::kIssued) {
            tickets.push_back(entry.ticket);
        }
    }
    return tickets;
}

}  // namespace squall::queue
