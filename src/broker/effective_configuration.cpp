#include "broker/effective_configuration.hpp"

#include <spdlog/fmt/fmt.h>

namespace squall::broker {
namespace {

/// Escapes what Ice's file syntax gives a meaning to.
std::string escaped(const std::string& text, bool is_name) {
    std::string result;
    for (const char c : text) {
        if (c == '\\' || c == '#' || (is_name && (c == '=' || c == ' '))) {
            result += '\\';
        }
        result += c;
    }
    return result;
}

}  // namespace

std::string effective_configuration(const Settings& effective) {
    std::string text;
    for (const auto& [name, setting] : effective) {
        const std::string shown_name = escaped(name, true);
        const bool from_file = setting.origin.kind == Origin::Kind::kFile;
        const std::string origin = (from_file ? "file " : "") + to_string(setting.origin);
        if (name.ends_with("Password")) {
            text += fmt::format("# {} is set, its value is not shown  # {}\n", shown_name, origin);
        } else {
            text += fmt::format("{}={}  # {}\n", shown_name, escaped(setting.value, false), origin);
        }
    }
    return text;
}

}  // namespace squall::broker
