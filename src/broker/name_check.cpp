#include "broker/name_check.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "broker/icebox_hints.hpp"
#include "broker/nearest_name.hpp"
#include "broker/property_table.hpp"

namespace squall::broker {
namespace {

/// The known name that a user probably meant by `below`, a name below the service's prefix.
std::optional<std::string> known_name_near(std::string_view below) {
    std::vector<std::string> names;
    for (const Property& property : property_table()) {
        if (property.scope == Scope::kService && !property.is_pattern()) {
            names.push_back(property.name);
        }
    }
    return nearest_name(below, names);
}

std::string ignored_text(const Property& property, std::string_view what) {
    const std::string_view why = property.support == Support::kHistoric
                                     ? "belongs to an earlier IceStorm"
                                     : "is not supported by this version";
    return fmt::format("{} {} and is ignored: {}", what, why, property.meaning);
}

/// The first name of a group that is warned about once, and how many there are.
struct Group {
    Origin origin;
    int names{0};
};

/// Takes what is known but not supported out of the settings, with a warning for each name below
/// the service's prefix and one for each group of others.
void drop_ignored(std::string_view service_name, Settings& settings, Findings& findings) {
    std::map<const Property*, Group> groups;
    std::erase_if(settings, [&](const auto& entry) {
        const auto& [name, setting] = entry;
        const Property* property = find_property(name, service_name);
        if (property == nullptr || property->support == Support::kSupported) {
            return false;
        }
        if (property->scope == Scope::kGlobal) {
            Group& group = groups.try_emplace(property, Group{setting.origin}).first->second;
            ++group.names;
        } else {
            findings.warnings.push_back(to_string(setting.origin) + ": " +
                                        ignored_text(*property, name));
        }
        return true;
    });
    for (const auto& [property, group] : groups) {
        const auto what = fmt::format("{} (set: {})", property->name, group.names);
        findings.warnings.push_back(to_string(group.origin) + ": " + ignored_text(*property, what));
    }
}

void check_unknown(std::string_view service_name, const Settings& settings, Findings& findings) {
    for (const auto& [name, setting] : settings) {
        const auto below = name_below(name, service_name);
        if (!below || find_property(name, service_name) != nullptr) {
            continue;
        }
        const auto near = known_name_near(*below);
        const std::string hint = near ? fmt::format("did you mean {}.{}?", service_name, *near)
                                      : "docs/configuration.md lists the known ones";
        findings.problems.push_back(
            fmt::format("{}: {}: unknown property; {}", to_string(setting.origin), name, hint));
    }
}

/// "IceStorm.Send.Timeout" when the service has another name (reported fault B97).
std::optional<std::string> former_prefix(std::string_view name, std::string_view service_name) {
    const auto below = name_below(name, "IceStorm");
    if (!below || service_name == "IceStorm") {
        return std::nullopt;
    }
    const std::string known = known_name_near(*below).value_or(std::string{*below});
    return fmt::format("{} is not read: the service is named {}; write {}.{}", name, service_name,
                       service_name, known);
}

std::string_view without_number(std::string_view name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

/// "IceStrom.Transient": almost the service's prefix, and a name that is known behind it.
std::optional<std::string> misspelt_prefix(std::string_view name, std::string_view service_name) {
    auto dots = std::count(service_name.begin(), service_name.end(), '.');
    std::size_t end = name.find('.');
    while (dots-- > 0 && end != std::string_view::npos) {
        end = name.find('.', end + 1);
    }
    if (end == std::string_view::npos || end + 1 == name.size()) {
        return std::nullopt;
    }
    const std::string_view prefix = name.substr(0, end);
    const std::size_t edits_max = service_name.size() < 5 ? 1 : 2;
    // Two services told apart by a number are no misspelling.
    if (without_number(prefix) == without_number(service_name) ||
        edit_distance(prefix, service_name) > edits_max) {
        return std::nullopt;
    }
    const auto near = known_name_near(name.substr(end + 1));
    if (!near) {
        return std::nullopt;
    }
    return fmt::format("{} is not read; did you mean {}.{}?", name, service_name, *near);
}

/// The service that a name of the form "X.TopicManager.Endpoints" configures.
std::optional<std::string> service_of(std::string_view name) {
    for (const std::string_view tail : {".TopicManager.Endpoints", ".Publish.Endpoints"}) {
        if (name.ends_with(tail) && name.size() > tail.size()) {
            return std::string{name.substr(0, name.size() - tail.size())};
        }
    }
    return std::nullopt;
}

void check_other_prefixes(std::string_view service_name, Settings& settings, Findings& findings) {
    const bool configured = std::any_of(settings.begin(), settings.end(), [&](const auto& entry) {
        return name_below(entry.first, service_name).has_value();
    });
    std::set<std::string> other_services;
    for (const auto& [name, setting] : settings) {
        if (name_below(name, service_name)) {
            continue;
        }
        auto warning = former_prefix(name, service_name);
        if (!warning) {
            warning = misspelt_prefix(name, service_name);
        }
        const auto other = service_of(name);
        if (!warning && other && !configured && other_services.insert(*other).second) {
            warning = fmt::format(
                "nothing is set for the service {}, but for one named {}; --service-name {} reads "
                "that",
                service_name, *other, *other);
        }
        if (warning) {
            findings.warnings.push_back(to_string(setting.origin) + ": " + *warning);
        }
    }
}

}  // namespace

void check_service_name(std::string_view service_name, Findings& findings) {
    constexpr std::array<std::string_view, 6> kIceNames{"Ice",    "IceMX",   "IceSSL",
                                                        "IceBox", "IceGrid", "Freeze"};
    const std::string_view name = service_name;
    if (name.empty() || name.find_first_of(" \t\r\n=#\\:") != std::string_view::npos ||
        name.starts_with('.') || name.ends_with('.') || name.find("..") != std::string_view::npos) {
        findings.problems.push_back(
            fmt::format("--service-name '{}': must be a prefix of properties: not empty, no blanks "
                        "nor any of = # \\ :, no dot at an end",
                        name));
    }
    if (std::find(kIceNames.begin(), kIceNames.end(), name) != kIceNames.end()) {
        findings.problems.push_back(
            fmt::format("--service-name {}: the name is taken by properties of Ice itself", name));
    }
}

void check_names(std::string_view service_name, Settings& settings, Findings& findings) {
    check_other_prefixes(service_name, settings, findings);
    add_icebox_hints(service_name, settings, findings.warnings);
    check_unknown(service_name, settings, findings);
    drop_ignored(service_name, settings, findings);
}

}  // namespace squall::broker
