#include "squalld/log_setup.hpp"

#include <Ice/Initialize.h>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <memory>

#include "broker/ice_logger.hpp"

namespace squall::squalld {
namespace {

constexpr std::size_t kQueueLines = 8192;
constexpr const char* kPattern = "%Y-%m-%dT%H:%M:%S.%e %^%l%$ %n %v";

}  // namespace

LogSetup::LogSetup() {
    spdlog::init_thread_pool(kQueueLines, 1);
    const auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    const auto make = [&](const char* name) {
        auto logger = std::make_shared<spdlog::async_logger>(
            name, sink, spdlog::thread_pool(), spdlog::async_overflow_policy::overrun_oldest);
        logger->set_pattern(kPattern);
        return logger;
    };
    for (const char* name : {"config", "broker", "pool", "queue", "ice"}) {
        spdlog::register_logger(make(name));
    }
    spdlog::set_default_logger(make("squalld"));
    Ice::setProcessLogger(std::make_shared<broker::IceLogger>(spdlog::get("ice")));
}

LogSetup::~LogSetup() {
    Ice::setProcessLogger(nullptr);
    spdlog::shutdown();
}

}  // namespace squall::squalld
