#include "broker/topic_table.hpp"

#include "broker/identities.hpp"

namespace squall::broker {

bool TopicTable::contains(const std::string& name) const {
    const MutexLock lock(mutex_);
    return topics_.contains(name);
}

bool TopicTable::contains(const TopicRef& topic) const {
    const MutexLock lock(mutex_);
    return find_same(topic) != nullptr;
}

std::vector<std::string> TopicTable::names() const {
    const MutexLock lock(mutex_);
    std::vector<std::string> names;
    names.reserve(topics_.size());
    for (const auto& [name, topic] : topics_) {
        names.push_back(name);
    }
    return names;
}

bool TopicTable::is_subscribed(const TopicRef& topic, const Ice::Identity& subscriber) const {
    const std::string member = to_string(subscriber);
    const MutexLock lock(mutex_);
    const Topic* found = find_same(topic);
    return found != nullptr && found->subscriptions.contains(member);
}

std::vector<Ice::Identity> TopicTable::subscribers(const TopicRef& topic) const {
    std::vector<Ice::Identity> identities;
    const MutexLock lock(mutex_);
    if (const Topic* found = find_same(topic)) {
        identities.reserve(found->subscriptions.size());
        for (const auto& [member, subscription] : found->subscriptions) {
            identities.push_back(subscription.identity);
        }
    }
    return identities;
}

std::optional<SubscriptionRef> TopicTable::find_subscription(pool::SubscriptionId id) const {
    const MutexLock lock(mutex_);
    const auto it = by_id_.find(id);
    if (it == by_id_.end()) {
        return std::nullopt;
    }
    const auto& [topic, member] = it->second;
    return SubscriptionRef{*topic, topics_.at(*topic).subscriptions.at(*member)};
}

std::shared_ptr<pool::Route> TopicTable::route(const std::string& name) const {
    const MutexLock lock(mutex_);
    const auto it = topics_.find(name);
    return it == topics_.end() ? nullptr : it->second.route;
}

void TopicTable::insert(const TopicRef& topic, std::shared_ptr<pool::Route> route) {
    const MutexLock lock(mutex_);
    topics_.insert_or_assign(topic.name, Topic{topic.created, std::move(route), {}});
}

void TopicTable::insert(const std::string& topic, const Subscription& subscription) {
    const std::string member = to_string(subscription.identity);
    const MutexLock lock(mutex_);
    const auto found = topics_.find(topic);
    auto& subscriptions = found->second.subscriptions;
    const auto [entry, added] = subscriptions.try_emplace(member, subscription);
    if (!added) {
        by_id_.erase(std::exchange(entry->second, subscription).id);
    }
    by_id_.insert_or_assign(subscription.id, std::pair(&found->first, &entry->first));
}

std::optional<TopicTable::Removed> TopicTable::remove(const std::string& name) {
    const MutexLock lock(mutex_);
    const auto it = topics_.find(name);
    if (it == topics_.end()) {
        return std::nullopt;
    }
    Removed removed{std::move(it->second.route), {}};
    for (auto& [member, subscription] : it->second.subscriptions) {
        by_id_.erase(subscription.id);
        removed.subscriptions.push_back(std::move(subscription));
    }
    topics_.erase(it);
    return removed;
}

std::optional<Subscription> TopicTable::remove(const std::string& topic,
                                               const std::string& member) {
    const MutexLock lock(mutex_);
    const auto found = topics_.find(topic);
    if (found == topics_.end()) {
        return std::nullopt;
    }
    auto node = found->second.subscriptions.extract(member);
    if (node.empty()) {
        return std::nullopt;
    }
    by_id_.erase(node.mapped().id);
    return std::move(node.mapped());
}

const TopicTable::Topic* TopicTable::find_same(const TopicRef& topic) const {
    const auto it = topics_.find(topic.name);
    return it != topics_.end() && it->second.created == topic.created ? &it->second : nullptr;
}

}  // namespace squall::broker
