#include "broker/options_loader.hpp"

#include <Ice/Initialize.h>
#include <Ice/Properties.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "broker/config_error.hpp"
#include "broker/integer_text.hpp"
#include "broker/name_check.hpp"
#include "broker/property_table.hpp"

namespace squall::broker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kTopicManagerSize = "TopicManager.ThreadPool.Size";
constexpr std::string_view kTopicManagerSizeMax = "TopicManager.ThreadPool.SizeMax";
constexpr std::string_view kShards = "Publish.ThreadPool.Size";
constexpr std::string_view kShutdownTimeout = "Shutdown.Timeout";
constexpr std::string_view kCloseTimeout = "Ice.Override.CloseTimeout";

/// The settings of one service. Threads: confined to the loading thread.
class ServiceSettings {
public:
    ServiceSettings(const OptionsSource& source, Ice::Properties& properties)
        : service_name_(source.service_name),
          settings_(read_settings(source.files, source.arguments, properties)) {}

    Settings& all() { return settings_; }

    /// The value of a supported property; nothing when it is not set.
    std::optional<std::string> text(std::string_view name) const {
        const auto entry = settings_.find(full_name(supported_property(name), service_name_));
        return entry == settings_.end() ? std::nullopt : std::optional{entry->second.value};
    }

    /// Nothing when it is not set, or is no integer.
    std::optional<std::int64_t> integer(std::string_view name) const {
        const auto value = text(name);
        return value ? parse_integer(*value) : std::nullopt;
    }

    void add_default(const Property& property, const std::string& value) {
        settings_.try_emplace(full_name(property, service_name_), Setting{value, Origin{}});
    }

    void add_default(std::string_view name, std::int64_t value) {
        add_default(supported_property(name), std::to_string(value));
    }

private:
    const std::string service_name_;
    Settings settings_;
};

std::string default_of(std::string_view name) {
    return supported_property(name).default_text;
}

void check_values(const std::string& service_name, const Settings& settings, Findings& findings) {
    for (const auto& [name, setting] : settings) {
        const Property* property = find_property(name, service_name);
        if (property == nullptr || property->accepts == nullptr ||
            property->accepts(setting.value)) {
            continue;
        }
        findings.problems.push_back(fmt::format(
            "{}: {}={}: expected {}{}{}", to_string(setting.origin), name, setting.value,
            property->values, property->unit.empty() ? "" : ", in ", property->unit));
    }
}

void check_pool_sizes(const std::string& service_name, const ServiceSettings& settings,
                      Findings& findings) {
    const auto size = settings.integer(kTopicManagerSize);
    const auto size_max = settings.integer(kTopicManagerSizeMax);
    if (size && size_max && *size > *size_max) {
        findings.problems.push_back(fmt::format("{0}.{1}={2}: exceeds {0}.{3}={4}; raise that",
                                                service_name, kTopicManagerSize, *size,
                                                kTopicManagerSizeMax, *size_max));
    }
}

/// Adds every default; the set values are valid.
void add_defaults(unsigned cores, ServiceSettings& settings) {
    settings.add_default(kShards, std::clamp(cores, 1U, pool::kShardsMax));
    const auto least_max = *parse_integer(default_of(kTopicManagerSizeMax));
    settings.add_default(kTopicManagerSizeMax,
                         std::max(settings.integer(kTopicManagerSize).value_or(1), least_max));
    for (const Property& property : property_table()) {
        if (property.support == Support::kSupported && !property.default_text.empty()) {
            settings.add_default(property, property.default_text);
        }
    }
    // A peer that ignores a graceful close must not delay the stop beyond its own limit. Ice takes
    // 0 for no limit.
    const milliseconds stop = seconds{*settings.integer(kShutdownTimeout)};
    settings.add_default(kCloseTimeout,
                         std::clamp(stop, milliseconds{1}, milliseconds{2000}).count());
}

/// A size of Ice's in bytes: given in KiB, below 1 is no limit, which is 0 here.
std::uint32_t size_bytes(std::int64_t kib) {
    constexpr std::int64_t kBytesMax = std::numeric_limits<std::int32_t>::max();
    return kib < 1 ? 0 : static_cast<std::uint32_t>(std::min(kib * 1024, kBytesMax));
}

queue::QueueOptions queue_options(const ServiceSettings& settings) {
    queue::QueueOptions options;
    options.flush_timeout =
        milliseconds{std::max<std::int64_t>(*settings.integer("Flush.Timeout"), 0)};
    options.discard_interval =
        seconds{std::max<std::int64_t>(*settings.integer("Discard.Interval"), 0)};
    options.queue_size_max = std::max<std::int64_t>(*settings.integer("Send.QueueSizeMax"), -1);
    options.overflow_policy = settings.text("Send.QueueSizeMaxPolicy") == "DropEvents"
                                  ? queue::OverflowPolicy::kDropEvents
                                  : queue::OverflowPolicy::kRemoveSubscriber;
    options.batch_bytes_max = size_bytes(*settings.integer("Ice.BatchAutoFlushSize"));
    return options;
}

/// Nothing when it is not set.
std::optional<int> small_integer(const ServiceSettings& settings, std::string_view name) {
    const auto value = settings.integer(name);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

pool::NetworkOptions network_options(const ServiceSettings& settings) {
    pool::NetworkOptions options;
    options.backlog = small_integer(settings, "Ice.TCP.Backlog").value_or(options.backlog);
    options.receive_buffer = small_integer(settings, "Ice.TCP.RcvSize");
    options.send_buffer = small_integer(settings, "Ice.TCP.SndSize");
    options.trace = *settings.integer("Ice.Trace.Network") > 0;
    options.warn = *settings.integer("Ice.Warn.Connections") > 0;
    return options;
}

/// The settings are complete and valid.
Options options_from(const std::string& service_name, const ServiceSettings& settings) {
    Options options;
    options.service_name = service_name;
    options.instance_name = trimmed(*settings.text("InstanceName"));
    options.shutdown_timeout = seconds{*settings.integer(kShutdownTimeout)};
    options.trace.topic_manager = static_cast<int>(*settings.integer("Trace.TopicManager"));
    options.trace.topic = static_cast<int>(*settings.integer("Trace.Topic"));
    options.trace.subscriber = static_cast<int>(*settings.integer("Trace.Subscriber"));
    options.pool.shards = static_cast<unsigned>(*settings.integer(kShards));
    const auto send_timeout = *settings.integer("Send.Timeout");
    options.pool.send_timeout =
        send_timeout < 0 ? std::nullopt : std::optional{milliseconds{send_timeout}};
    options.pool.message_size_max = size_bytes(*settings.integer("Ice.MessageSizeMax"));
    options.pool.publisher_message_size_max =
        size_bytes(settings.integer("Publish.MessageSizeMax")
                       .value_or(*settings.integer("Ice.MessageSizeMax")));
    options.pool.network = network_options(settings);
    options.pool.queue = queue_options(settings);
    return options;
}

/// Brings what was read up to date with the effective settings, and fits it to Ice.
void complete(const std::string& service_name, const Settings& effective,
              Ice::Properties& properties) {
    for (const auto& entry : properties.getPropertiesForPrefix("")) {
        if (!effective.contains(entry.first)) {
            properties.setProperty(entry.first, "");
        }
    }
    for (const auto& [name, setting] : effective) {
        // Ice logs a name that it does not know whenever it is set; once is enough.
        if (properties.getProperty(name) != setting.value) {
            properties.setProperty(name, setting.value);
        }
    }
    // The shards are the publish pool. The adapter, which only hands events on to them, keeps to
    // one thread, because Ice would dispatch the events of one connection in any order with more.
    const std::string adapter_pool = service_name + ".Publish.ThreadPool.";
    properties.setProperty(adapter_pool + "Size", "1");
    properties.setProperty(adapter_pool + "SizeMax", "1");
}

void throw_on_problems(const Findings& findings) {
    if (!findings.problems.empty()) {
        throw ConfigError(findings.problems);
    }
}

}  // namespace

LoadedOptions load_options(const OptionsSource& source) {
    Findings findings;
    check_service_name(source.service_name, findings);
    throw_on_problems(findings);

    const std::shared_ptr<Ice::Properties> properties = Ice::createProperties();
    ServiceSettings settings(source, *properties);
    check_names(source.service_name, settings.all(), findings);
    check_values(source.service_name, settings.all(), findings);
    check_pool_sizes(source.service_name, settings, findings);
    throw_on_problems(findings);

    add_defaults(source.cores, settings);
    complete(source.service_name, settings.all(), *properties);
    return {options_from(source.service_name, settings), properties, settings.all(),
            findings.warnings};
}

}  // namespace squall::broker
