#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include "broker/broker.hpp"
#include "broker/config_error.hpp"
#include "broker/effective_configuration.hpp"
#include "squalld/command_line.hpp"
#include "squalld/configure.hpp"
#include "squalld/log_setup.hpp"

namespace squall::squalld {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;  // also a mistake in the configuration: neither mends itself

/// Each subscriber process takes a descriptor; the usual soft limit of 1024 is for old programs.
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int run(const std::vector<std::string>& arguments) {
    const auto parsed = parse_command_line(arguments, std::getenv("ICE_CONFIG"));
    if (const auto* notice = std::get_if<Notice>(&parsed)) {
        std::cout << notice->text;
        return EXIT_SUCCESS;
    }
    const auto& command_line = std::get<CommandLine>(parsed);
    const LogSetup logging;
    const broker::LoadedOptions loaded = configure(command_line);
    if (command_line.check_config) {
        std::cout << broker::effective_configuration(loaded.effective);
        return EXIT_SUCCESS;
    }
    log_options(loaded.options);
    raise_descriptor_limit();
    broker::Broker broker(loaded.options, loaded.properties, [] {
        spdlog::warn("ending at once: connections or name lookups did not end by themselves");
        spdlog::shutdown();
        std::_Exit(EXIT_SUCCESS);
    });
    return broker.run([&] { std::cout << loaded.options.service_name << " ready" << std::endl; });
}

}  // namespace
}  // namespace squall::squalld

int main(int argc, char** argv) {
    try {
        return squall::squalld::run({argv + 1, argv + argc});
    } catch (const squall::squalld::UsageError& error) {
        std::cerr << "squalld: " << error.what() << "; see squalld --help\n";
        return squall::squalld::kExitUsage;
    } catch (const squall::broker::ConfigError& error) {
        for (const auto& problem : error.problems()) {
            std::cerr << "squalld: " << problem << "\n";
        }
        return squall::squalld::kExitUsage;
    } catch (const std::exception& error) {
        std::cerr << "squalld: " << error.what() << "\n";
    }
    return squall::squalld::kExitFailed;
}
