#pragma once

#include <string>
#include <vector>

namespace squall::broker {

/// The endpoints of a list such as `tcp -h 127.0.0.1 -p 1:ws -h "::1"`, in order; colons within
/// quotes do not separate.
std::vector<std::string> split_endpoints(const std::string& endpoints);

/// The same list with ':' between the items.
std::string join_endpoints(const std::vector<std::string>& endpoints);

/// "-h *", for which only an adapter has a use, as a wildcard address that a proxy may have too:
/// that of IPv6, which stands for both families, or that of IPv4.
std::string without_star_hosts(const std::string& endpoints, bool ipv6);

}  // namespace squall::broker
