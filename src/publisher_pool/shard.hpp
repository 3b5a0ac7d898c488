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
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/event_sink.hpp"
#include "publisher_pool/inbox.hpp"
#include "publisher_pool/ingress.hpp"
#include "publisher_pool/outbound.hpp"
#include "publisher_pool/outboxes.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/publisher_pool.hpp"
#include "publisher_pool/route.hpp"
#include "publisher_pool/routing_table.hpp"
#include "publisher_pool/subscriber_spec.hpp"

namespace squall::pool {

class Link;
class Subscriber;
class WireLink;

/// One thread of the publish pool with all that it owns: publishers' connections, subscribers,
/// their queues and links, and the part of the routing table that leads to them. Threads:
/// deliver(), take_over(), post() and the life cycle from any; everything else on the shard's own.
class Shard final : public EventSink {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// What a shard is told of its surroundings; all of it outlives the shard.
    struct Surroundings {
        const PoolOptions& options;
        const Route::Shards& shards;
        event::Ledger& ledger;
        /// Called when a subscriber has left; see Placement.
        std::function<void(unsigned shard, const std::string& key)> on_left;
        PublisherPool::RemovalHandler on_removed;
    };

    Shard(unsigned index, const Surroundings& surroundings);
    ~Shard() override;
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    void start();
    void stop();

    /// Hands an event over; waits while the inbox is full.
    void deliver(Delivery delivery);

    /// Takes deliveries from the front as far as the inbox has room, and returns how many. If some
    /// are left, room_in_inbox() is called on shard `from` once there is room.
    std::size_t take_over(std::span<Delivery> deliveries, unsigned from);

    /// Runs `task` on the shard's thread, after everything delivered by the calling thread before.
    void post(std::function<void()> task);

    // What follows runs on the shard's thread.

    /// For its own publishers: subscribers here get the event at once, those of other shards when
    /// the burst is over.
    void publish(const Route& route, event::EventPtr event) override;
    /// Runs what makes events or work for links; then hands events over and flushes links.
    template <typename Work>
    void burst(Work&& work) {
        update_time();
        wrap_up_due_ = true;
        work();
        outboxes_.hand_over();
        wrap_up();
    }
    /// True when the other shards have got all that this one has for them.
    bool all_handed_over() const { return outboxes_.empty(); }
    /// Another shard, which had no room for all, has now.
    void room_in_inbox();

    void subscribe(SubscriptionId id, const SubscriberSpec& spec,
                   const std::shared_ptr<Route>& topic, const std::shared_ptr<Route>& direct);
    void unsubscribe(SubscriptionId id);
    void close_route(std::uint64_t route);

    /// Flushes batches at once; calls `on_idle` when every queue is empty and nothing in flight.
    void drain(std::function<void()> on_idle);
    /// Nothing waits to be delivered or answered.
    bool idle() const;
    std::vector<Undelivered> undelivered() const;
    /// Closes all links; calls `on_closed` when that is done.
    void close_links(std::function<void()> on_closed);
    /// Executes what publishers have sent and says goodbye to them; calls `on_closed` when all have
    /// gone and every event is handed over.
    void close_ingress(TimePoint deadline, std::function<void()> on_closed);

    /// Null once the subscriber is gone.
    Subscriber* find(SubscriptionId id) const;
    /// The subscriber has ended: out of all routes now, gone once its last events are.
    void subscriber_failed(Subscriber& subscriber, queue::RemovalReason reason);
    /// Looks at the subscriber once the current work is done: it may be over.
    void settle_later(Subscriber& subscriber);
    /// Flushes the link once the current burst has been queued, if anybody uses it.
    void flush_later(Link& link);

    Ingress& ingress() { return ingress_; }
    const Ingress& ingress() const { return ingress_; }
    bool draining() const { return draining_; }
    boost::asio::io_context& io() { return io_; }
    const PoolOptions& options() const { return options_; }
    /// The time of the current burst.
    TimePoint now() const { return now_; }
    void update_time() { now_ = std::chrono::steady_clock::now(); }
    OutboundPool& outbounds() { return outbounds_; }
    std::vector<std::uint8_t>& read_buffer() { return read_buffer_; }

private:
    void wake();
    void work_off_inbox();
    std::size_t apply_burst(std::size_t most);
    void tell_of_room();
    void schedule_wrap_up();
    /// Flushes links, then takes leave of subscribers that are over: nothing else deletes one.
    void wrap_up();
    void settle();
    void remove_from_routes(Subscriber& subscriber);
    std::shared_ptr<Link> link_for(const SubscriberSpec& spec);
    void release_if_unused(const std::shared_ptr<Link>& link);
    void schedule_tick();
    void tick();
    void poll(std::function<bool()> condition, std::function<void()> then);

    // Constant after construction.
    const unsigned index_;
    const PoolOptions& options_;
    const Route::Shards& shards_;
    const std::function<void(unsigned, const std::string&)> on_left_;
    const PublisherPool::RemovalHandler on_removed_;

    // Shared with producers; scheduled_ and waiting_shards_ pair with themselves, waiting_ with
    // room_mutex_.
    Inbox inbox_;
    std::atomic<bool> scheduled_{false};
    std::atomic<std::uint64_t> waiting_shards_{0};
    std::atomic<int> waiting_{0};
    std::mutex room_mutex_;
    std::condition_variable room_;

    // The shard's thread only.
    boost::asio::io_context io_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    boost::asio::steady_timer tick_timer_;
    TimePoint now_{};
    RoutingTable routes_;
    Outboxes outboxes_;
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
    Ingress ingress_;

    std::thread thread_;
};

}  // namespace squall::pool
