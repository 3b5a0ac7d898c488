#include "publisher_pool/subscriber.hpp"

#include <Ice/Initialize.h>
#include <Ice/Proxy.h>

#include <utility>

#include "publisher_pool/link.hpp"
#include "publisher_pool/log.hpp"
#include "publisher_pool/shard.hpp"

namespace squall::pool {
namespace {

/// After its end a subscriber's queue is given up when nothing has left it for so long.
constexpr std::chrono::seconds kQueueLinger{2};
/// The same for requests in flight, where Send.Timeout sets no other bound.
constexpr std::chrono::seconds kFlightLinger{60};

}  // namespace

Subscriber::Subscriber(Shard& shard, SubscriptionId id, const SubscriberSpec& spec,
                       std::uint64_t topic_route, std::uint64_t direct_route)
    : shard_(shard),
      id_(id),
      topic_route_(topic_route),
      direct_route_(direct_route),
      topic_(spec.topic),
      identity_(Ice::identityToString(spec.proxy->ice_getIdentity())),
      prefix_(spec.proxy->ice_getIdentity().name, spec.proxy->ice_getIdentity().category,
              spec.proxy->ice_getFacet()),
      queue_(spec.qos.mode, spec.qos.retry_count, shard.options().queue) {}

Subscriber::~Subscriber() {
    if (link_) {
        link_->detach(*this);
    }
}

void Subscriber::use_link(std::shared_ptr<Link> link) {
    link_ = std::move(link);
    link_->attach(*this);
}

void Subscriber::push(event::EventPtr event) {
    make_room();
    const queue::PushResult result = queue_.push(std::move(event), shard_.now());
    if (result == queue::PushResult::kQueued) {
        overflowing_ = false;
    } else {
        after_push(result);
    }
    offer_work();
}

void Subscriber::after_push(queue::PushResult result) {
    switch (result) {
        case queue::PushResult::kDiscarded:
        case queue::PushResult::kQueued:
            break;
        case queue::PushResult::kQueuedAsProbe:
            overflowing_ = false;
            log()->info("subscriber online topic={} sub={} endpoint={}", quoted(topic_),
                        quoted(identity_), quoted(link_->describe()));
            break;
        case queue::PushResult::kDroppedOldest:
            warn_of_overflow();
            break;
        case queue::PushResult::kOverflow:
            apply(queue::Change::kFailed, "Send.QueueSizeMax reached");
            break;
    }
}

void Subscriber::make_room() {
    // What waits only for the end of the burst does not count against Send.QueueSizeMax.
    const std::int64_t most = shard_.options().queue.queue_size_max;
    if (listed && most >= 0 && queue_.waiting() >= static_cast<std::size_t>(most)) {
        link_->flush();
    }
}

void Subscriber::offer_work() {
    if (!listed && queue_.has_work(shard_.now())) {
        link_->ready(*this);
    }
    if (!timer_armed_ && queue_.mode() == queue::DeliveryMode::kBatch) {
        if (const auto deadline = queue_.next_deadline()) {
            arm_timer(*deadline);
        }
    }
}

void Subscriber::arm_timer(TimePoint deadline) {
    if (!timer_) {
        timer_ = std::make_unique<boost::asio::steady_timer>(shard_.io());
    }
    timer_armed_ = true;
    timer_->expires_at(deadline);
    // By id: when the timer had expired already, its handler comes even after the subscriber's end.
    timer_->async_wait([&shard = shard_, id = id_](const boost::system::error_code& error) {
        Subscriber* subscriber = error ? nullptr : shard.find(id);
        if (subscriber != nullptr) {
            subscriber->timer_expired();
        }
    });
}

void Subscriber::timer_expired() {
    timer_armed_ = false;
    shard_.update_time();
    offer_work();
    link_->flush();
}

void Subscriber::close(bool deliver_queued) {
    queue_.close(deliver_queued);
    last_progress_ = shard_.now();
    offer_work();
    shard_.settle_later(*this);
}

void Subscriber::hurry() {
    queue_.hurry();
    offer_work();
}

bool Subscriber::over() const {
    return queue_.ended() && queue_.idle();
}

void Subscriber::tick(TimePoint now) {
    queue_.shrink();
    if (!queue_.ended()) {
        return;
    }
    // A stop does not wait long for what nobody is subscribed to any more.
    const std::chrono::milliseconds in_flight_linger =
        shard_.draining() ? kQueueLinger : shard_.options().send_timeout.value_or(kFlightLinger);
    if (now - last_progress_ > in_flight_linger) {
        failed_softly("ended, and no progress since");
    } else if (now - last_progress_ > kQueueLinger) {
        queue_.discard_waiting();
    }
    shard_.settle_later(*this);
}

void Subscriber::progressed() {
    if (queue_.ended()) {
        last_progress_ = shard_.now();
        shard_.settle_later(*this);
    }
    if (!listed) {
        offer_work();
    }
}

void Subscriber::sent(std::size_t events) {
    queue_.sent(events);
    progressed();
}

void Subscriber::written(std::size_t events) {
    queue_.written(events);
}

void Subscriber::completed(std::uint32_t ticket, queue::Reply reply, std::string_view what) {
    apply(queue_.completed(ticket, reply, shard_.now()), what);
    progressed();
}

void Subscriber::unsendable(std::uint32_t ticket, std::string_view what) {
    queue_.unsendable(ticket);
    log()->warn("event dropped topic={} sub={} endpoint={} reason={}", quoted(topic_),
                quoted(identity_), quoted(link_->describe()), quoted(what));
    progressed();
}

void Subscriber::lost(queue::Loss loss, std::string_view what) {
    apply(queue_.lost(loss, shard_.now()), what);
    progressed();
}

void Subscriber::failed_softly(std::string_view what) {
    apply(queue_.failed_softly(shard_.now()), what);
    progressed();
}

void Subscriber::warn_of_overflow() {
    if (!overflowing_) {
        overflowing_ = true;
        log()->warn(
            "subscriber slow topic={} sub={} endpoint={} queued={} "
            "reason=\"Send.QueueSizeMax reached, oldest events are dropped\"",
            quoted(topic_), quoted(identity_), quoted(link_->describe()), queue_.waiting());
    }
}

void Subscriber::apply(queue::Change change, std::string_view what) {
    if (change == queue::Change::kNone) {
        return;
    }
    const auto& dropped = queue_.counters().dropped_failure;
    if (change == queue::Change::kFailed) {
        log()->warn(
            "subscriber errored out topic={} sub={} endpoint={} reason={} cause={} "
            "delivered={} dropped={}",
            quoted(topic_), quoted(identity_), quoted(link_->describe()),
            quoted(queue::to_string(queue_.removal_reason())), quoted(what),
            queue_.counters().delivered, dropped + queue_.counters().dropped_overflow);
        last_progress_ = shard_.now();
        shard_.subscriber_failed(*this, queue_.removal_reason());
        return;
    }
    const auto level =
        queue_.consecutive_failures() == 1 ? spdlog::level::warn : spdlog::level::info;
    log()->log(level,
               "Subscriber topic={} sub={} endpoint={} subscriber offline reason={} "
               "discard={}s retry={}/{} dropped={}",
               quoted(topic_), quoted(identity_), quoted(link_->describe()), quoted(what),
               shard_.options().queue.discard_interval.count(), queue_.consecutive_failures(),
               queue_.retry_count(), dropped);
}

}  // namespace squall::pool
