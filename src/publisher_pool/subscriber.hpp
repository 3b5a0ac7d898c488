#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event_store/event.hpp"
#include "publisher_pool/subscriber_spec.hpp"
#include "subscriber_queue/subscriber_queue.hpp"
#include "wire/prefix.hpp"

namespace squall::pool {

class Link;
class Shard;

/// A subscriber in its shard: the queue with its rules, the link it is reached by, and what must
/// follow when its state changes (log, timers, removal).
/// Threads: confined to the shard's.
class Subscriber {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// The shard must outlive the subscriber.
    Subscriber(Shard& shard, SubscriptionId id, const SubscriberSpec& spec,
               std::uint64_t topic_route, std::uint64_t direct_route);
    ~Subscriber();
    Subscriber(const Subscriber&) = delete;
    Subscriber& operator=(const Subscriber&) = delete;

    /// Called once, before the first event.
    void use_link(std::shared_ptr<Link> link);

    void push(event::EventPtr event);

    /// Ends the subscription from outside; see SubscriberQueue::close().
    void close(bool deliver_queued);
    /// Flushes batches at once from now on.
    void hurry();
    /// Gives back memory that is not needed now, and gives up on what makes no progress after the
    /// end.
    void tick(TimePoint now);
    /// Ended, with nothing left to deliver.
    bool over() const;

    // What a link asks and reports.

    bool has_work(TimePoint now) const { return queue_.has_work(now); }
    std::optional<queue::Issued> take(TimePoint now) { return queue_.take(now); }
    void sent(std::size_t events);
    void written(std::size_t events);
    /// `what` tells a failure's cause for the log.
    void completed(std::uint32_t ticket, queue::Reply reply, std::string_view what);
    void unsendable(std::uint32_t ticket, std::string_view what);
    void lost(queue::Loss loss, std::string_view what);
    void failed_softly(std::string_view what);

    const queue::SubscriberQueue& queue() const { return queue_; }
    const wire::RequestPrefix& prefix() const { return prefix_; }
    SubscriptionId id() const { return id_; }
    std::uint64_t topic_route() const { return topic_route_; }
    std::uint64_t direct_route() const { return direct_route_; }
    const std::string& topic() const { return topic_; }
    const std::string& identity() const { return identity_; }
    const std::shared_ptr<Link>& link() const { return link_; }

    /// On its link's list of subscribers with work; the link's to use.
    bool listed{false};

private:
    void make_room();
    void after_push(queue::PushResult result);
    void offer_work();
    void arm_timer(TimePoint deadline);
    void timer_expired();
    void apply(queue::Change change, std::string_view what);
    void warn_of_overflow();
    void progressed();

    // Constant after use_link().
    Shard& shard_;
    const SubscriptionId id_;
    const std::uint64_t topic_route_;
    const std::uint64_t direct_route_;
    const std::string topic_;
    const std::string identity_;
    const wire::RequestPrefix prefix_;
    std::shared_ptr<Link> link_;

    queue::SubscriberQueue queue_;
    std::unique_ptr<boost::asio::steady_timer> timer_;  ///< of batch subscribers only
    bool timer_armed_{false};
    bool overflowing_{false};
    TimePoint last_progress_{};
};

}  // namespace squall::pool
