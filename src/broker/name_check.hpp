#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/settings.hpp"

namespace squall::broker {

/// What is wrong with a configuration, one line each: problems stop the start, warnings do not.
struct Findings {
    std::vector<std::string> problems;
    std::vector<std::string> warnings;
};

/// A service name must work as a prefix of properties, and must not be one of Ice's own.
void check_service_name(std::string_view service_name, Findings& findings);

/// Checks the names of all settings. Below the service's prefix: an unknown one is a problem with
/// the nearest known name, one that is known but not supported is a warning that says what happens
/// instead, and is taken out of `settings`. Other prefixes pass, with a warning when they look
/// like a misspelling of the service's or like the properties of a service of another name.
void check_names(std::string_view service_name, Settings& settings, Findings& findings);

}  // namespace squall::broker
