#include "broker/icebox_hints.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "broker/integer_text.hpp"
#include "broker/property_table.hpp"

namespace squall::broker {

void add_icebox_hints(std::string_view service_name, const Settings& settings,
                      std::vector<std::string>& warnings) {
    for (const auto& [name, setting] : settings) {
        const auto service = name_below(name, "IceBox.Service");
        if (!service) {
            continue;
        }
        // The value is an entry point, a blank, then the arguments of the service.
        const std::string_view value = trimmed(setting.value);
        const auto entry_end = std::min(value.find_first_of(" \t"), value.size());
        const std::string_view arguments = trimmed(value.substr(entry_end));
        if (value.substr(0, entry_end).find("IceStorm") == std::string_view::npos) {
            warnings.push_back(fmt::format("{}: {} is no IceStorm service; squalld does not run it",
                                           to_string(setting.origin), name));
        } else if (*service != service_name || !arguments.empty()) {
            warnings.push_back(fmt::format("{}: to run {}: squalld --service-name {}{}{}",
                                           to_string(setting.origin), name, *service,
                                           arguments.empty() ? "" : " ", arguments));
        }
    }
}

}  // namespace squall::broker
