#include "squalld/configure.hpp"

#include <spdlog/logger.h>

#include "broker/endpoint_check.hpp"
#include "broker/log_text.hpp"

namespace squall::squalld {

broker::LoadedOptions configure(const CommandLine& command_line) {
    broker::OptionsSource source;
    source.service_name = command_line.service_name;
    source.files = command_line.config_files;
    source.arguments = command_line.properties;
    broker::LoadedOptions loaded = broker::load_options(source);
    for (const auto& warning : loaded.warnings) {
        broker::find_logger("config")->warn("{}", warning);
    }
    broker::check_endpoints(loaded);
    return loaded;
}

void log_options(const broker::Options& options) {
    const auto& pool = options.pool;
    const auto& queue = pool.queue;
    const bool drops = queue.overflow_policy == queue::OverflowPolicy::kDropEvents;
    broker::find_logger("config")->info(
        "options version={} service={} instance={} store=memory shards={} send_timeout_ms={} "
        "flush_timeout_ms={} discard_interval_s={} queue_size_max={} queue_policy={} "
        "shutdown_timeout_s={}",
        SQUALL_VERSION, options.service_name, options.instance_name, pool.shards,
        pool.send_timeout ? pool.send_timeout->count() : -1, queue.flush_timeout.count(),
        queue.discard_interval.count(), queue.queue_size_max,
        drops ? "DropEvents" : "RemoveSubscriber", options.shutdown_timeout.count());
}

}  // namespace squall::squalld
