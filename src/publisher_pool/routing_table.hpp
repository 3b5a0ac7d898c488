#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "event_store/event.hpp"
#include "publisher_pool/route.hpp"

namespace squall::pool {

class Subscriber;

/// Which subscribers of one shard each route leads to.
/// Threads: confined to the owning shard's.
class RoutingTable {
public:
    /// `shard` is the index of the owning shard.
    explicit RoutingTable(unsigned shard) : shard_(shard) {}

    void add(const std::shared_ptr<Route>& route, Subscriber& subscriber);
    /// An unknown route or subscriber is no error.
    void remove(std::uint64_t route, Subscriber& subscriber);

    /// Pushes the event to each subscriber of the route; none when it was closed meanwhile.
    /// A push must not change the table.
    void fan_out(std::uint64_t route, const event::EventPtr& event) const;

    std::vector<Subscriber*> subscribers(std::uint64_t route) const;

private:
    struct Target {
        std::shared_ptr<Route> route;
        std::vector<Subscriber*> subscribers;
    };

    const unsigned shard_;
    boost::unordered_flat_map<std::uint64_t, Target> targets_;
};

}  // namespace squall::pool
