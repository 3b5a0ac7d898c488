#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/dispatcher.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/served_objects.hpp"

namespace squall::pool {

class PublisherConnection;
class Shard;

/// The publishers' side of a shard: the objects they reach and their connections.
/// Threads: confined to the owning shard's, except connections().
class Ingress {
public:
    /// All must outlive this.
    Ingress(Shard& shard, const PoolOptions& options, event::Ledger& ledger);
    ~Ingress();

    void serve(ServedObjectPtr object) { objects_.insert(std::move(object)); }
    void withdraw(std::string_view name, std::string_view category) {
        objects_.erase(name, category);
    }

    /// How many connections there are or are being accepted. Threads: any.
    std::size_t connections() const { return connections_count_.load(std::memory_order_relaxed); }
    /// One more is being accepted; adopt() or forsake() follows. Threads: any.
    void expect() { connections_count_.fetch_add(1, std::memory_order_relaxed); }
    void forsake() { connections_count_.fetch_sub(1, std::memory_order_relaxed); }

    void adopt(boost::asio::ip::tcp::socket socket);

    /// Heartbeats and timeouts.
    void tick(std::chrono::steady_clock::time_point now);

    /// Executes what has arrived, as far as `deadline` allows, says goodbye to every publisher, and
    /// accepts no more.
    void close(std::chrono::steady_clock::time_point deadline);
    /// Says goodbye to those who have not been told yet, whatever they have sent.
    void close_at_once();
    /// True when every connection has ended.
    bool closed() const { return connections_.empty(); }
    /// Cuts off what is left.
    void drop();

    // What a connection asks and reports.

    Shard& shard() { return shard_; }
    const PoolOptions& options() const { return options_; }
    event::Ledger& ledger() { return ledger_; }
    Dispatcher& dispatcher() { return dispatcher_; }
    /// Where a connection reads to when much has arrived.
    std::vector<std::uint8_t>& scratch();
    /// The connection stops reading until the other shards have taken what this one has for them.
    void pause(std::shared_ptr<PublisherConnection> connection);
    void resume_all();
    void ended(const std::shared_ptr<PublisherConnection>& connection);

private:
    Shard& shard_;
    const PoolOptions& options_;
    event::Ledger& ledger_;
    ServedObjects objects_;
    Dispatcher dispatcher_;
    boost::unordered_flat_set<std::shared_ptr<PublisherConnection>> connections_;
    std::vector<std::shared_ptr<PublisherConnection>> paused_;
    std::optional<std::chrono::steady_clock::time_point> close_deadline_;
    /// Pairs with nothing; only balances.
    std::atomic<std::size_t> connections_count_{0};
};

}  // namespace squall::pool
