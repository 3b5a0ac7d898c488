#pragma once

#include <string>
#include <utility>
#include <vector>

#include "broker/config_error.hpp"
#include "broker/options_loader.hpp"

namespace squall::broker {

/// What the loader makes of these arguments, on a host with four cores.
inline LoadedOptions load(std::vector<std::string> arguments, std::string service = "IceStorm") {
    OptionsSource source;
    source.service_name = std::move(service);
    source.arguments = std::move(arguments);
    source.cores = 4;
    return load_options(source);
}

/// The problems for which the loader refuses these arguments; none when it takes them.
inline std::vector<std::string> problems(std::vector<std::string> arguments,
                                         std::string service = "IceStorm") {
    try {
        load(std::move(arguments), std::move(service));
        return {};
    } catch (const ConfigError& error) {
        return error.problems();
    }
}

}  // namespace squall::broker
