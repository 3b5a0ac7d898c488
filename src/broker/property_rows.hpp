#pragma once

#include <vector>

#include "broker/property_table.hpp"

namespace squall::broker {

/// The rows of property_table() that have an effect.
std::vector<Property> supported_properties();

/// The rows of property_table() that are accepted and ignored.
std::vector<Property> ignored_properties();

}  // namespace squall::broker
