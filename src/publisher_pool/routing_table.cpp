#include "publisher_pool/routing_table.hpp"

#include "publisher_pool/subscriber.hpp"

namespace squall::pool {

void RoutingTable::add(const std::shared_ptr<Route>& route, Subscriber& subscriber) {
    Target& target = targets_[route->id()];
    target.route = route;
    target.subscribers.push_back(&subscriber);
    route->listen(shard_);
}

void RoutingTable::remove(std::uint64_t route, Subscriber& subscriber) {
    const auto target = targets_.find(route);
    if (target == targets_.end()) {
        return;
    }
    std::erase(target->second.subscribers, &subscriber);
    if (target->second.subscribers.empty()) {
        target->second.route->unlisten(shard_);
        targets_.erase(target);
    }
}

void RoutingTable::fan_out(std::uint64_t route, const event::EventPtr& event) const {
    const auto target = targets_.find(route);
    if (target == targets_.end()) {
        return;
    }
    event::Shares shares(event, target->second.subscribers.size());
    for (Subscriber* subscriber : target->second.subscribers) {
        subscriber->push(shares.take());
    }
}

std::vector<Subscriber*> RoutingTable::subscribers(std::uint64_t route) const {
    const auto target = targets_.find(route);
    return target == targets_.end() ? std::vector<Subscriber*>() : target->second.subscribers;
}

}  // namespace squall::pool
