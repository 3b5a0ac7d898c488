#pragma once

#include <Ice/Identity.h>
#include <Ice/Proxy.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/placement.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/route.hpp"
#include "publisher_pool/served_objects.hpp"
#include "publisher_pool/subscriber_spec.hpp"
#include "subscriber_queue/removal_reason.hpp"

namespace squall::pool {

class Acceptor;
class Shard;

/// What a subscriber had not got when the pool stopped.
struct Undelivered {
    std::string topic;
    std::string identity;
    std::uint64_t events;
};

/// The data plane: shards that carry events from publishers to subscribers. Control calls
/// (open_route, close_route, subscribe, unsubscribe) have taken effect in all shards when they
/// return: an event published afterwards is seen by exactly the subscribers of that moment.
/// Threads: control calls from any thread that is not a shard's; they wait for the shards, which
/// never wait for anybody.
class PublisherPool {
public:
    /// Called on a shard's thread, at most once per subscription, when a subscriber has failed for
    /// good; it takes no more events by then. Must not block, nor call back into the pool.
    using RemovalHandler = std::function<void(SubscriptionId, queue::RemovalReason)>;

    PublisherPool(const PoolOptions& options, RemovalHandler on_removed);
    ~PublisherPool();
    PublisherPool(const PublisherPool&) = delete;
    PublisherPool& operator=(const PublisherPool&) = delete;

    /// Starts the shards' threads.
    void start();

    /// Binds an address for publishers, who may connect from now on, but are served only from
    /// accept() on. With port 0 the system chooses one. `dual_stack` lets the wildcard address of
    /// IPv6 serve IPv4 too. Call before start(). Returns where it listens; throws
    /// boost::system::system_error.
    boost::asio::ip::tcp::endpoint listen(const boost::asio::ip::tcp::endpoint& address,
                                          bool dual_stack = true);

    /// Begins to serve publishers.
    void accept();

    /// Publishers find this object under its identity from now on, until withdraw().
    void serve(const ServedObjectPtr& object);
    void withdraw(const std::vector<Ice::Identity>& identities);

    /// Accepts no more, executes what publishers have sent, answers, and says goodbye to them;
    /// waits until they have gone, at most until `deadline`.
    void stop_intake(std::chrono::steady_clock::time_point deadline);

    /// A new way for events, with no subscriber yet.
    std::shared_ptr<Route> open_route();

    /// Ends a topic: what its subscribers have queued is still delivered, as long as they make
    /// progress; new events go nowhere.
    void close_route(const std::shared_ptr<Route>& route);

    /// Adds a subscriber to the topic's route and, alone, to a direct route of its own. Contacts
    /// nobody and resolves nothing (behaviour reference 4.3).
    SubscriptionId subscribe(const SubscriberSpec& spec, const std::shared_ptr<Route>& topic,
                             const std::shared_ptr<Route>& direct);

    /// Ends a subscription: queued events are thrown away, at most those in flight still arrive.
    /// An unknown id (removed meanwhile) is no error.
    void unsubscribe(SubscriptionId id);

    /// Waits until every subscriber that is not offline has got all accepted events (batches are
    /// flushed at once), until `deadline`, or until cancel_drain(). Then closes all connections
    /// gracefully, as far as time allows. Call once, after publishing has ended.
    /// Returns what was not delivered, a row per subscriber.
    std::vector<Undelivered> drain(std::chrono::steady_clock::time_point deadline);

    /// Ends a drain in progress, now or to come. Threads: any.
    void cancel_drain();

    /// Ends the shards' threads; idempotent. The communicator of the subscribers' proxies must be
    /// destroyed before the pool is: its callbacks end in the shards.
    void stop();

    /// Counts the events alive in the broker.
    event::Ledger& ledger() { return ledger_; }

private:
    void run(Shard& shard, std::function<void()> task);
    void run_everywhere(const std::function<void(Shard&)>& task);
    bool all_idle();
    /// Starts something on every shard; true when all have called back by the deadline.
    bool wait_for_all(const std::function<void(Shard&, std::function<void()>)>& begin,
                      std::chrono::steady_clock::time_point deadline);

    const PoolOptions options_;
    event::Ledger ledger_;
    Placement placement_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<std::unique_ptr<Acceptor>> acceptors_;
    std::atomic<std::uint64_t> next_route_{1};
    std::atomic<SubscriptionId> next_subscription_{1};

    std::mutex drain_mutex_;
    std::condition_variable drain_changed_;
    bool drain_cancelled_{false};  ///< guarded by drain_mutex_
};

}  // namespace squall::pool
