#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/settings.hpp"

namespace squall::broker {

/// For each service of an IceBox that the settings configure, how squalld is started in its place,
/// unless it already is (behaviour reference 3.1).
void add_icebox_hints(std::string_view service_name, const Settings& settings,
                      std::vector<std::string>& warnings);

}  // namespace squall::broker
