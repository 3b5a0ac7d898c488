#pragma once

#include <string>

#include "broker/settings.hpp"

namespace squall::broker {

/// The text of `squalld --check-config`: a line "name=value  # origin" for every setting, sorted by
/// name, in Ice's file syntax. The origin is "default", "file PATH" or "command line". The values
/// of properties that hold a password are left out.
std::string effective_configuration(const Settings& effective);

}  // namespace squall::broker
