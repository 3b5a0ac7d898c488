#pragma once

#include <Ice/Identity.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "broker/mutex.hpp"
#include "publisher_pool/route.hpp"
#include "publisher_pool/subscriber_spec.hpp"
#include "registry/entry.hpp"

namespace squall::broker {

/// One life of a topic: a name that was destroyed and created again is another topic.
struct TopicRef {
    std::string name;
    registry::Revision created{0};
};

struct Subscription {
    Ice::Identity identity;
    /// When its entry was last put.
    registry::Revision revision{0};
    pool::SubscriptionId id{0};
};

/// Where a subscription is recorded.
struct SubscriptionRef {
    std::string topic;
    Subscription subscription;
};

/// The topics and subscriptions that this broker serves right now. A topic appears when all its
/// objects answer and disappears before the first of them is gone.
/// Threads: any may read; only the control thread changes it. `mutex_` guards it all and is the
/// innermost lock: nothing is called while it is held.
class TopicTable {
public:
    bool contains(const std::string& name) const;
    /// Whether it is there and still in the same life.
    bool contains(const TopicRef& topic) const;
    std::vector<std::string> names() const;

    bool is_subscribed(const TopicRef& topic, const Ice::Identity& subscriber) const;
    /// Empty also for a topic that is gone.
    std::vector<Ice::Identity> subscribers(const TopicRef& topic) const;
    std::optional<SubscriptionRef> find_subscription(pool::SubscriptionId id) const;

    /// The topic's route; null where there is no such topic.
    std::shared_ptr<pool::Route> route(const std::string& name) const;

    void insert(const TopicRef& topic, std::shared_ptr<pool::Route> route);
    /// The topic must be there. Replaces a subscription of the same identity.
    void insert(const std::string& topic, const Subscription& subscription);

    /// A topic that was taken out.
    struct Removed {
        std::shared_ptr<pool::Route> route;
        std::vector<Subscription> subscriptions;
    };
    std::optional<Removed> remove(const std::string& name);
    /// `member` is the subscriber's identity as a string, as in the registry's key.
    std::optional<Subscription> remove(const std::string& topic, const std::string& member);

private:
    struct Topic {
        registry::Revision created{0};
        std::shared_ptr<pool::Route> route;
        std::map<std::string, Subscription> subscriptions;
    };

    /// The topic if it is in the same life.
    const Topic* find_same(const TopicRef& topic) const SQUALL_REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::map<std::string, Topic> topics_ SQUALL_GUARDED_BY(mutex_);
    /// Topic and member of each subscription, as they stand in the keys of the maps.
    std::unordered_map<pool::SubscriptionId, std::pair<const std::string*, const std::string*>>
        by_id_ SQUALL_GUARDED_BY(mutex_);
};

}  // namespace squall::broker
