#pragma once

#include <map>
#include <string>
#include <vector>

namespace squall::ctl {

/// "KEY=VALUE" strings as a map (an Ice::Context, an IceStorm::QoS); the value may hold "=" or be
/// empty. Throws UsageError that names `option` for a string without "=" or without a key.
std::map<std::string, std::string> parse_key_values(const std::vector<std::string>& pairs,
                                                    const std::string& option);

}  // namespace squall::ctl
