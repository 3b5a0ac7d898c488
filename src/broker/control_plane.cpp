#include "broker/control_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <stdexcept>
#include <utility>
#include <variant>

#include "broker/identities.hpp"
#include "broker/log_text.hpp"
#include "publisher_pool/proxy_mode.hpp"

namespace squall::broker {
namespace {

using registry::Guard;
using registry::Outcome;

registry::Key topic_key(const std::string& name) {
    return {registry::Kind::kTopic, name, {}};
}

registry::Key subscriber_key(const std::string& topic, const Ice::Identity& subscriber) {
    return {registry::Kind::kSubscriber, topic, to_string(subscriber)};
}

/// Endpoint, delivery mode and QoS of a subscriber for the log.
std::string describe(const SubscriberRecord& record) {
    std::string text = fmt::format("proxy={}", quoted(record.proxy->ice_toString()));
    const auto qos = queue::parse_qos(record.qos, pool::proxy_mode(*record.proxy));
    if (const auto* checked = std::get_if<queue::Qos>(&qos)) {
        text += fmt::format(" mode={}", queue::to_string(checked->mode));
    }
    for (const auto& [key, value] : record.qos) {
        text += fmt::format(" {}={}", word(key), word(value));
    }
    return text;
}

}  // namespace

ControlPlane::ControlPlane(std::unique_ptr<registry::Registry> registry, const TopicTable& table,
                           const TraceOptions& trace, std::shared_ptr<spdlog::logger> logger)
    : table_(table), trace_(trace), logger_(std::move(logger)), registry_(std::move(registry)) {}

void ControlPlane::start(registry::Listener& listener) {
    std::promise<void> loaded;
    thread_.start();
    thread_.post([&] {
        registry_->start(listener);
        loaded.set_value();
    });
    loaded.get_future().get();
}

void ControlPlane::stop() {
    thread_.stop();
    registry_->close();
}

std::optional<TopicRef> ControlPlane::create(const std::string& name) {
    const registry::Key key = topic_key(name);
    const auto result = commit({{Guard::absent(key)}, {registry::Put{key, {}}}},
                               fmt::format("create topic={}", quoted(name)));
    if (result.outcome == Outcome::kGuardFailed) {
        return std::nullopt;
    }
    TopicRef topic{name, result.revision};
    if (!table_.contains(topic) && take_back(key, result.revision)) {
        throw std::runtime_error(
            fmt::format("topic {} cannot be served, the broker's log says why", quoted(name)));
    }
    logger_->log(trace_level(trace_.topic_manager), "create topic={}", quoted(name));
    return topic;
}

bool ControlPlane::destroy(const TopicRef& topic) {
    const registry::Key key = topic_key(topic.name);
    const auto result = commit({{Guard::created_at(key, topic.created)},
                                {registry::Erase{key}, registry::EraseUnder{topic.name}}},
                               fmt::format("destroy topic={}", quoted(topic.name)));
    if (result.outcome == Outcome::kGuardFailed) {
        return false;
    }
    logger_->log(trace_level(trace_.topic), "destroy topic={}", quoted(topic.name));
    return true;
}

SubscribeResult ControlPlane::subscribe(const TopicRef& topic, const SubscriberRecord& record) {
    const Ice::Identity identity = record.proxy->ice_getIdentity();
    const registry::Key key = subscriber_key(topic.name, identity);
    const std::string what =
        fmt::format("subscribe topic={} sub={}", quoted(topic.name), quoted(key.member));
    const auto result =
        commit({{Guard::created_at(topic_key(topic.name), topic.created), Guard::absent(key)},
                {registry::Put{key, encode(record)}}},
               what);
    if (result.outcome == Outcome::kGuardFailed) {
        return table_.contains(topic) ? SubscribeResult::kAlreadySubscribed
                                      : SubscribeResult::kTopicGone;
    }
    if (!table_.is_subscribed(topic, identity) && take_back(key, result.revision)) {
        throw std::runtime_error(fmt::format(
            "subscriber {} cannot be served, the broker's log says why", quoted(key.member)));
    }
    logger_->log(subscription_level(), "{} {}", what, describe(record));
    return SubscribeResult::kSubscribed;
}

bool ControlPlane::unsubscribe(const TopicRef& topic, const Ice::Identity& subscriber) {
    const registry::Key key = subscriber_key(topic.name, subscriber);
    const std::string what =
        fmt::format("unsubscribe topic={} sub={}", quoted(topic.name), quoted(key.member));
    const auto result = commit(
        {{Guard::created_at(topic_key(topic.name), topic.created)}, {registry::Erase{key}}}, what);
    if (result.outcome == Outcome::kGuardFailed) {
        return false;
    }
    logger_->log(subscription_level(), "{}", what);
    return true;
}

void ControlPlane::subscriber_failed(pool::SubscriptionId id, queue::RemovalReason reason) {
    thread_.post([this, id, reason] { forget(id, reason); });
}

void ControlPlane::forget(pool::SubscriptionId id, queue::RemovalReason reason) {
    const auto found = table_.find_subscription(id);
    if (!found) {
        return;
    }
    const auto key = subscriber_key(found->topic, found->subscription.identity);
    const auto report = [this, key, reason](registry::CommitResult result) {
        if (result.outcome == Outcome::kOk) {
            logger_->debug("removed topic={} sub={} reason={}", quoted(key.topic),
                           quoted(key.member), quoted(queue::to_string(reason)));
        } else if (result.outcome != Outcome::kGuardFailed) {
            logger_->error("remove topic={} sub={} reason={}", quoted(key.topic),
                           quoted(key.member), quoted(registry::to_string(result.outcome)));
        }
    };
    registry_->commit(
        {{Guard::modified_at(key, found->subscription.revision)}, {registry::Erase{key}}}, report);
}

registry::CommitResult ControlPlane::commit(registry::Commit commit, const std::string& what) {
    // Shared: the control thread may still be inside set_value() when the waiting thread goes on.
    const auto done = std::make_shared<std::promise<registry::CommitResult>>();
    thread_.post([this, done, &commit] {
        registry_->commit(std::move(commit),
                          [done](registry::CommitResult result) { done->set_value(result); });
    });
    const registry::CommitResult result = done->get_future().get();
    if (result.outcome != Outcome::kOk && result.outcome != Outcome::kGuardFailed) {
        throw std::runtime_error(
            fmt::format("{} refused: {}", what, registry::to_string(result.outcome)));
    }
    return result;
}

bool ControlPlane::take_back(const registry::Key& key, registry::Revision created) {
    return commit({{Guard::created_at(key, created)}, {registry::Erase{key}}}, "undo").outcome ==
           Outcome::kOk;
}

spdlog::level::level_enum ControlPlane::subscription_level() const {
    return trace_level(std::max(trace_.topic, trace_.subscriber));
}

}  // namespace squall::broker
