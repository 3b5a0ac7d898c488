#pragma once

#include <string>
#include <vector>

namespace squall::broker {

/// The endpoints of a list such as `tcp -h 127.0.0.1 -p 1:ws -h "::1"`, in order; colons within
/// quotes do not separate.
std::vector<std::string> split_endpoints(const std::string& endpoints);

/// The same list with ':' between the items.
std::string join_endpoints(const std::vector<std::string>& endpoints);

/// "-h *", for which only an adapter has a use, as an address that a proxy may have too.
std::string without_wildcard_hosts(const std::string& endpoints);

}  // namespace squall::broker
