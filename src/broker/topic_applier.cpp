#include "broker/topic_applier.hpp"

#include <Ice/LocalException.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "broker/identities.hpp"
#include "broker/log_text.hpp"
#include "broker/subscriber_record.hpp"
#include "publisher_pool/proxy_mode.hpp"

namespace squall::broker {
namespace {

/// What was added is taken back again unless all went well.
class Undo {
public:
    Undo() = default;
    Undo(const Undo&) = delete;
    Undo& operator=(const Undo&) = delete;
    ~Undo() {
        for (const auto& action : actions_) {
            action();
        }
    }

    void add(std::function<void()> action) { actions_.push_back(std::move(action)); }
    void forget() { actions_.clear(); }

private:
    std::vector<std::function<void()>> actions_;
};

}  // namespace

TopicApplier::TopicApplier(TopicTable& table, pool::PublisherPool& pool, const Adapters& adapters,
                           TopicServants make_topic_servant, std::shared_ptr<spdlog::logger> logger)
    : table_(table),
      pool_(pool),
      adapters_(adapters),
      make_topic_servant_(std::move(make_topic_servant)),
      logger_(std::move(logger)) {}

void TopicApplier::apply(const registry::Batch& batch) {
    for (const registry::Change& change : batch.changes) {
        if (change.entry) {
            put(*change.entry);
        } else {
            erase(change.key);
        }
    }
}

void TopicApplier::reset(const registry::Snapshot& snapshot) {
    for (const registry::Entry& entry : snapshot.entries) {
        put(entry);
    }
}

void TopicApplier::put(const registry::Entry& entry) {
    try {
        switch (entry.key.kind) {
            case registry::Kind::kTopic:
                put_topic(entry);
                break;
            case registry::Kind::kSubscriber:
                put_subscriber(entry);
                break;
            case registry::Kind::kLink:
                throw std::runtime_error("links are not supported yet");
        }
    } catch (const std::exception& error) {
        logger_->error("skipped topic={} sub={} reason={}", quoted(entry.key.topic),
                       quoted(entry.key.member), quoted(error.what()));
    }
}

void TopicApplier::put_topic(const registry::Entry& entry) {
    const TopicRef topic{entry.key.topic, entry.created};
    const Identities& identities = adapters_.identities();
    std::shared_ptr<pool::Route> route = pool_.open_route();
    Undo undo;
    const auto serve = [&](const Ice::Identity& identity, pool::ServedObject::Kind kind) {
        adapters_.serve(identity, kind, route);
        undo.add([this, identity] { adapters_.withdraw({identity}); });
    };
    serve(identities.publisher(topic.name), pool::ServedObject::Kind::kPublisher);
    serve(identities.link(topic.name), pool::ServedObject::Kind::kLink);
    adapters_.topic_manager().add(make_topic_servant_(topic), identities.topic(topic.name));
    undo.add([&] { remove_servant(adapters_.topic_manager(), identities.topic(topic.name)); });
    table_.insert(topic, route);
    undo.forget();
}

void TopicApplier::put_subscriber(const registry::Entry& entry) {
    const std::string& topic = entry.key.topic;
    const std::shared_ptr<pool::Route> route = table_.route(topic);
    if (!route) {
        throw std::runtime_error("its topic is not served");
    }
    const SubscriberRecord record =
        decode(adapters_.topic_manager().getCommunicator(), entry.value);
    if (!record.proxy) {
        throw std::runtime_error("its proxy is null");
    }
    const auto qos = queue::parse_qos(record.qos, pool::proxy_mode(*record.proxy));
    if (const auto* bad = std::get_if<queue::BadQos>(&qos)) {
        throw std::runtime_error(bad->reason);
    }
    const Ice::Identity identity = record.proxy->ice_getIdentity();
    const std::shared_ptr<pool::Route> direct = pool_.open_route();
    // Before its publisher exists: what a publisher takes must reach the subscriber.
    const pool::SubscriptionId id =
        pool_.subscribe({topic, record.proxy, std::get<queue::Qos>(qos)}, route, direct);
    try {
        adapters_.serve(adapters_.identities().publisher_to(topic, identity),
                        pool::ServedObject::Kind::kPublisher, direct);
    } catch (...) {
        pool_.unsubscribe(id);
        throw;
    }
    table_.insert(topic, Subscription{identity, entry.modified, id});
}

void TopicApplier::erase(const registry::Key& key) {
    if (key.kind == registry::Kind::kTopic) {
        erase_topic(key.topic);
    } else {
        erase_subscriber(key);
    }
}

void TopicApplier::erase_topic(const std::string& name) {
    const auto removed = table_.remove(name);
    if (!removed) {
        return;
    }
    const Identities& identities = adapters_.identities();
    remove_servant(adapters_.topic_manager(), identities.topic(name));
    std::vector<Ice::Identity> withdrawn{identities.publisher(name), identities.link(name)};
    for (const Subscription& subscription : removed->subscriptions) {
        withdrawn.push_back(identities.publisher_to(name, subscription.identity));
    }
    adapters_.withdraw(withdrawn);
    pool_.close_route(removed->route);
}

void TopicApplier::erase_subscriber(const registry::Key& key) {
    // Nothing after its topic was erased: the pool lets it have what is queued.
    if (const auto removed = table_.remove(key.topic, key.member)) {
        adapters_.withdraw({adapters_.identities().publisher_to(key.topic, removed->identity)});
        pool_.unsubscribe(removed->id);
    }
}

}  // namespace squall::broker
