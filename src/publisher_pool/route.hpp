#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "event_store/event.hpp"

namespace squall::pool {

class Shard;

/// Where the events of one publisher object go: to every subscriber of a topic, or to one.
/// Threads: publish() and has_subscribers() from any; each shard sets and clears its own bit.
class Route {
public:
    using Shards = std::vector<std::unique_ptr<Shard>>;

    /// The shards must outlive the route's last publish().
    Route(std::uint64_t id, const Shards& shards) : id_(id), all_shards_(shards) {}

    /// False: an event would reach nobody, so it need not be made.
    bool has_subscribers() const { return listening() != 0; }

    /// Hands the event once to each shard that has subscribers of this route, in the order of the
    /// calls of one thread. Waits while a shard's inbox is full, so it is not for a shard's thread.
    void publish(const event::EventPtr& event) const;

    /// A bit for each shard that has subscribers of this route.
    std::uint64_t listening() const { return listening_.load(std::memory_order_acquire); }

    std::uint64_t id() const { return id_; }

    static std::uint64_t bit(unsigned shard) { return std::uint64_t{1} << shard; }

    void listen(unsigned shard) { listening_.fetch_or(bit(shard), std::memory_order_release); }
    void unlisten(unsigned shard) { listening_.fetch_and(~bit(shard), std::memory_order_release); }

private:
    const std::uint64_t id_;
    const Shards& all_shards_;
    std::atomic<std::uint64_t> listening_{0};
};

}  // namespace squall::pool
