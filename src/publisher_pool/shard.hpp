#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "publisher_pool/inbox.hpp"
#include "publisher_pool/outbound.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/publisher_pool.hpp"
#include "publisher_pool/subscriber_spec.hpp"

namespace squall::pool {

class Link;
class Subscriber;
class WireLink;

/// One thread of the publish pool with all that it owns: its subscribers, their queues and links,
/// and the part of the routing table that leads to them.
/// Threads: deliver(), post() and the life cycle from any; everything else on the shard's own.
class Shard {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// The options must outlive the shard.
    Shard(unsigned index, const PoolOptions& options, PublisherPool::RemovalHandler on_removed);
    ~Shard();
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    void start();
    void stop();

    /// Hands an event over; waits while the inbox is full.
    void deliver(Delivery delivery);

    /// Runs `task` on the shard's thread after everything delivered before this call.
    void post(std::function<void()> task);

    // What follows runs on the shard's thread.

    void subscribe(SubscriptionId id, const SubscriberSpec& spec,
                   const std::shared_ptr<Route>& topic, const std::shared_ptr<Route>& direct);
    void unsubscribe(SubscriptionId id);
    void close_route(std::uint64_t route);

    /// Flushes batches at once; calls `on_idle` when every queue is empty and nothing in flight.
    void drain(std::function<void()> on_idle);
    std::vector<Undelivered> undelivered() const;
    /// Closes all links; calls `on_closed` when that is done.
    void close_links(std::function<void()> on_closed);

    /// Null once the subscriber is gone.
    Subscriber* find(SubscriptionId id) const;
    /// The subscriber has ended: out of all routes now, gone once its last events are.
    void subscriber_failed(Subscriber& subscriber, queue::RemovalReason reason);
    /// Looks at the subscriber once the current work is done: it may be over.
    void settle_later(Subscriber& subscriber);
    /// Flushes the link once the current burst has been queued, if anybody uses it.
    void flush_later(Link& link);

    bool draining() const { return draining_; }
    boost::asio::io_context& io() { return io_; }
    const PoolOptions& options() const { return options_; }
    /// The time of the current burst.
    TimePoint now() const { return now_; }
    void update_time() { now_ = std::chrono::steady_clock::now(); }
    OutboundPool& outbounds() { return outbounds_; }
    std::vector<std::uint8_t>& read_buffer() { return read_buffer_; }

private:
    struct Target {
        std::shared_ptr<Route> route;
        std::vector<Subscriber*> subscribers;
    };

    void wake();
    void work_off_inbox();
    std::size_t apply_burst(std::size_t most);
    void schedule_wrap_up();
    /// Flushes links, then takes leave of subscribers that are over: nothing else deletes one.
    void wrap_up();
    void settle();
    void remove_from_route(std::uint64_t route, Subscriber& subscriber);
    void remove_from_routes(Subscriber& subscriber);
    std::shared_ptr<Link> link_for(const SubscriberSpec& spec);
    void release_if_unused(const std::shared_ptr<Link>& link);
    void schedule_tick();
    void tick();
    void poll(std::function<bool()> condition, std::function<void()> then);
    bool idle() const;

    // Constant after construction.
    const unsigned index_;
    const PoolOptions& options_;
    const PublisherPool::RemovalHandler on_removed_;

    // Shared with producers; scheduled_ pairs with itself, waiting_ with room_mutex_.
    Inbox inbox_;
    std::atomic<bool> scheduled_{false};
    std::atomic<int> waiting_{0};
    std::mutex room_mutex_;
    std::condition_variable room_;

    // The shard's thread only.
    boost::asio::io_context io_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    boost::asio::steady_timer tick_timer_;
    TimePoint now_{};
    boost::unordered_flat_map<std::uint64_t, Target> targets_;
    boost::unordered_flat_map<SubscriptionId, std::unique_ptr<Subscriber>> subscribers_;
    boost::unordered_flat_map<std::string, std::shared_ptr<WireLink>> wire_links_;
    std::vector<std::shared_ptr<Link>> links_;
    std::vector<Link*> to_flush_;
    std::vector<Link*> flushing_;  ///< wrap_up()'s own, kept for its memory
    std::vector<SubscriptionId> to_settle_;
    OutboundPool outbounds_;
    std::vector<std::uint8_t> read_buffer_;
    bool wrap_up_due_{false};
    bool draining_{false};

    std::thread thread_;
};

}  // namespace squall::pool
