#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "broker/integer_text.hpp"
#include "broker/property_rows.hpp"

namespace squall::broker {
namespace {

constexpr std::int64_t kIntMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kIntMax = std::numeric_limits<std::int32_t>::max();

template <std::int64_t kFrom, std::int64_t kTo>
bool integer(std::string_view value) {
    const auto number = parse_integer(value);
    return number && *number >= kFrom && *number <= kTo;
}

constexpr auto kAnyInteger = integer<kIntMin, kIntMax>;
constexpr auto kNotNegative = integer<0, kIntMax>;
constexpr auto kPoolSize = integer<1, 1024>;
constexpr auto kFlag = integer<0, 1>;

bool positive_or_minus_one(std::string_view value) {
    return integer<-1, kIntMax>(value) && parse_integer(value) != 0;
}

bool integer_but_zero(std::string_view value) {
    return kAnyInteger(value) && parse_integer(value) != 0;
}

bool not_blank(std::string_view value) {
    return !trimmed(value).empty();
}

bool overflow_policy(std::string_view value) {
    return value == "RemoveSubscriber" || value == "DropEvents";
}

std::vector<Property> broker_properties() {
    constexpr auto kService = Scope::kService;
    constexpr auto kSupported = Support::kSupported;
    return {
        {kService, "InstanceName", kSupported, "IceStorm", "", "any text, not blank", not_blank,
         "Identity category of the topic manager, topics and publishers; the finder is always "
         "`IceStorm/Finder`."},
        {kService, "Transient", kSupported, "0", "", "any 32-bit integer", kAnyInteger,
         "Above 0: topics and subscriptions are kept in memory only. This version does so whatever "
         "the value."},
        {kService, "Flush.Timeout", kSupported, "1000", "ms", "any 32-bit integer", kAnyInteger,
         "Delay between the first queued event and the flush of a batch subscriber; 0 or less "
         "flushes at once."},
        {kService, "Discard.Interval", kSupported, "60", "s", "any 32-bit integer", kAnyInteger,
         "How long a subscriber stays offline after a soft failure; 0 or less retries with the "
         "next event."},
        {kService, "Send.Timeout", kSupported, "60000", "ms", "-1 for no limit, or 1 to 2147483647",
         positive_or_minus_one,
         "Longest that connecting to a subscriber, or a write to it without progress, may take."},
        {kService, "Send.QueueSizeMax", kSupported, "-1", "events",
         "1 to 2147483647, or negative for no limit", integer_but_zero,
         "Most events that may wait for one subscriber, those in flight not counted."},
        {kService, "Send.QueueSizeMaxPolicy", kSupported, "RemoveSubscriber", "",
         "RemoveSubscriber or DropEvents, case counts", overflow_policy,
         "What happens when an event arrives at a full queue: the subscriber is removed, or its "
         "oldest waiting event is dropped."},
        {kService, "Shutdown.Timeout", kSupported, "10", "s", "0 to 2147483647", kNotNegative,
         "Longest that a stop waits for subscribers to take what is queued; 0 does not wait. "
         "Squall's own."},
        {kService, "Trace.TopicManager", kSupported, "0", "", "0 to 2147483647", kNotNegative,
         "1 logs the topic manager's operations and errors, 2 more detail."},
        {kService, "Trace.Topic", kSupported, "0", "", "0 to 2147483647", kNotNegative,
         "1 logs subscriptions and errors of topics, 2 also endpoints and QoS."},
        {kService, "Trace.Subscriber", kSupported, "0", "", "0 to 2147483647", kNotNegative,
         "1 logs failures of subscribers, 2 also every change of their state."},
        {kService, "TopicManager.Endpoints", kSupported, "tcp -h 127.0.0.1 -p 10000", "",
         "Ice endpoints", not_blank, "Where the topic manager and the topics listen."},
        {kService, "Publish.Endpoints", kSupported, "tcp -h 127.0.0.1 -p 10001", "",
         "Ice endpoints", not_blank, "Where publishers send their events."},
    };
}

/// The object-adapter properties of Ice 3.7 that are the same for both adapters.
std::vector<Property> adapter_properties(const std::string& adapter) {
    std::vector<Property> rows;
    const auto add = [&](const char* name, const char* default_text, const char* unit,
                         const char* values, bool (*accepts)(std::string_view),
                         const char* meaning) {
        rows.push_back({Scope::kService, adapter + "." + name, Support::kSupported, default_text,
                        unit, values, accepts, meaning});
    };
    add("PublishedEndpoints", "", "", "Ice endpoints", not_blank,
        "Endpoints given out in proxies, instead of those listened on.");
    add("AdapterId", "", "", "any text, not blank", not_blank,
        "Id under which the adapter registers with the locator.");
    add("ReplicaGroupId", "", "", "any text, not blank", not_blank,
        "Replica group of the adapter in the locator.");
    add("Locator", "", "", "a proxy", not_blank, "The locator of this adapter.");
    add("Locator.*", "", "", "Ice proxy properties", nullptr, "How the locator is called.");
    add("Router", "", "", "a proxy", not_blank, "The router that adds its endpoints.");
    add("Router.*", "", "", "Ice proxy properties", nullptr, "How the router is called.");
    add("ProxyOptions", "-t", "", "Ice proxy options", not_blank, "Options of created proxies.");
    add("MessageSizeMax", "", "KiB", "any 32-bit integer, below 1 for no limit", kAnyInteger,
        "Largest message the adapter accepts.");
    add("ACM.Timeout", "", "s", "0 to 2147483647", kNotNegative,
        "Idle time after which connections are looked after.");
    add("ACM.Close", "", "", "0 to 4", integer<0, 4>, "When an idle connection is closed.");
    add("ACM.Heartbeat", "", "", "0 to 3", integer<0, 3>, "When heartbeats are sent.");
    add("ThreadPool.StackSize", "0", "bytes", "0 to 2147483647", kNotNegative,
        "Stack of the adapter's threads; 0 is the system's default.");
    add("ThreadPool.ThreadPriority", "", "", "any 32-bit integer", kAnyInteger,
        "Priority of the adapter's threads.");
    return rows;
}

std::vector<Property> pool_properties() {
    constexpr auto kService = Scope::kService;
    constexpr auto kSupported = Support::kSupported;
    return {
        {kService, "Publish.ThreadPool.Size", kSupported, "", "threads", "1 to 64", integer<1, 64>,
         "Shards that carry events to subscribers, a thread each. The order of a publisher's "
         "events is kept at every size."},
        {kService, "TopicManager.ThreadPool.Size", kSupported, "1", "threads", "1 to 1024",
         kPoolSize, "Threads that serve control calls; publishers never take them."},
        {kService, "TopicManager.ThreadPool.SizeMax", kSupported, "4", "threads",
         "TopicManager.ThreadPool.Size to 1024", kPoolSize,
         "How far that pool may grow; by default never less than its size."},
        {kService, "TopicManager.ThreadPool.SizeWarn", kSupported, "0", "threads",
         "0 to 2147483647", kNotNegative, "A warning when so many are busy; 0 never warns."},
        {kService, "TopicManager.ThreadPool.Serialize", kSupported, "0", "", "0 or 1", kFlag,
         "1: calls of one connection run one after the other."},
        // Without the default, 60: Ice obeys the name, but warns that it does not know it.
        {kService, "TopicManager.ThreadPool.ThreadIdleTime", kSupported, "", "s", "0 to 2147483647",
         kNotNegative, "When the pool shrinks again; 0 is never."},
    };
}

std::vector<Property> global_properties() {
    constexpr auto kGlobal = Scope::kGlobal;
    constexpr auto kSupported = Support::kSupported;
    return {
        {kGlobal, "Ice.MessageSizeMax", kSupported, "1024", "KiB",
         "any 32-bit integer, below 1 for no limit", kAnyInteger,
         "Largest message accepted from a client or a subscriber."},
        {kGlobal, "Ice.BatchAutoFlushSize", kSupported, "1024", "KiB",
         "any 32-bit integer, below 1 for no limit", kAnyInteger,
         "A batch is flushed early, and split, at this size."},
        {kGlobal, "Ice.Warn.Connections", kSupported, "1", "", "any 32-bit integer", kAnyInteger,
         "Above 0: a connection that ends with an error leaves one line in the log. Ice's own "
         "default is 0."},
        {kGlobal, "Ice.Trace.Network", kSupported, "0", "", "0 to 2147483647", kNotNegative,
         "1 and above: connections are logged as they come and go."},
        {kGlobal, "Ice.TCP.Backlog", kSupported, "", "connections", "1 to 2147483647",
         integer<1, kIntMax>,
         "Connections that wait to be accepted, as far as the system allows; by default 4096."},
        {kGlobal, "Ice.TCP.RcvSize", kSupported, "", "bytes", "1 to 2147483647",
         integer<1, kIntMax>,
         "The kernel's receive buffer of each connection; by default the system's choice."},
        {kGlobal, "Ice.TCP.SndSize", kSupported, "", "bytes", "1 to 2147483647",
         integer<1, kIntMax>,
         "The kernel's send buffer of each connection; by default the system's choice."},
        {kGlobal, "Ice.Override.CloseTimeout", kSupported, "", "ms",
         "-1 for no limit, or 1 to 2147483647", positive_or_minus_one,
         "How long a peer that ignores a graceful close is waited for."},
    };
}

}  // namespace

std::vector<Property> supported_properties() {
    std::vector<Property> rows = broker_properties();
    for (const auto& more : {pool_properties(), adapter_properties("TopicManager"),
                             adapter_properties("Publish"), global_properties()}) {
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace squall::broker
