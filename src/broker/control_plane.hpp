#pragma once

#include <Ice/Identity.h>
#include <spdlog/logger.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "broker/control_thread.hpp"
#include "broker/options.hpp"
#include "broker/subscriber_record.hpp"
#include "broker/topic_table.hpp"
#include "registry/registry.hpp"
#include "subscriber_queue/removal_reason.hpp"

namespace squall::broker {

enum class SubscribeResult : std::uint8_t { kSubscribed, kAlreadySubscribed, kTopicGone };

/// Changes topics and subscriptions: each call is one guarded commit to the registry, and returns
/// when the listener has applied it. All commits run on one control thread, so they are applied
/// one after another and no lock is held meanwhile.
/// Threads: calls from any but the control thread; they wait for it. Errors of the registry, and
/// entries that could not be served, are a std::runtime_error that says what was refused and why.
class ControlPlane {
public:
    /// The table is only read here; it must outlive the control plane.
    ControlPlane(std::unique_ptr<registry::Registry> registry, const TopicTable& table,
                 const TraceOptions& trace, std::shared_ptr<spdlog::logger> logger);

    /// Starts the thread and loads the registry. The listener must live until stop().
    void start(registry::Listener& listener);
    /// Ends the thread after what is in progress; calls must have ended. Idempotent.
    void stop();

    /// Nothing: the name is taken.
    std::optional<TopicRef> create(const std::string& name);
    /// False: it is gone already.
    bool destroy(const TopicRef& topic);
    SubscribeResult subscribe(const TopicRef& topic, const SubscriberRecord& record);
    /// An unknown subscriber is no error. False: the topic is gone.
    bool unsubscribe(const TopicRef& topic, const Ice::Identity& subscriber);

    /// Forgets a subscriber that the pool gave up. Does not wait. Threads: any.
    void subscriber_failed(pool::SubscriptionId id, queue::RemovalReason reason);

private:
    /// Waits for the outcome; any but kOk and kGuardFailed is thrown. `what` names the call.
    registry::CommitResult commit(registry::Commit commit, const std::string& what);
    /// Erases an entry that the listener could not serve. False: it is gone already.
    bool take_back(const registry::Key& key, registry::Revision created);
    void forget(pool::SubscriptionId id, queue::RemovalReason reason);
    spdlog::level::level_enum subscription_level() const;

    const TopicTable& table_;
    const TraceOptions trace_;
    const std::shared_ptr<spdlog::logger> logger_;
    /// Confined to the control thread while it runs.
    std::unique_ptr<registry::Registry> registry_;
    ControlThread thread_;
};

}  // namespace squall::broker
