#include "squallctl/key_values.hpp"

#include "squallctl/error.hpp"

namespace squall::ctl {

std::map<std::string, std::string> parse_key_values(const std::vector<std::string>& pairs,
                                                    const std::string& option) {
    std::map<std::string, std::string> values;
    for (const auto& pair : pairs) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UsageError("bad value '" + pair + "' of " + option + ": write KEY=VALUE");
        }
        values[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return values;
}

}  // namespace squall::ctl
