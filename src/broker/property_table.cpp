#include "broker/property_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "broker/property_rows.hpp"

namespace squall::broker {
namespace {

/// Whether a row stands for `name`, which is in the row's scope.
bool covers(const Property& property, std::string_view name) {
    if (!property.is_pattern()) {
        return property.name == name;
    }
    const std::string_view stem =
        std::string_view{property.name}.substr(0, property.name.size() - 1);
    return name.size() > stem.size() && name.starts_with(stem);
}

const Property* find_in_scope(Scope scope, std::string_view name) {
    const Property* pattern = nullptr;
    for (const Property& property : property_table()) {
        if (property.scope != scope || !covers(property, name)) {
            continue;
        }
        if (!property.is_pattern()) {
            return &property;
        }
        pattern = &property;
    }
    return pattern;
}

}  // namespace

const std::vector<Property>& property_table() {
    static const std::vector<Property> table = [] {
        std::vector<Property> rows = supported_properties();
        const std::vector<Property> ignored = ignored_properties();
        rows.insert(rows.end(), ignored.begin(), ignored.end());
        return rows;
    }();
    return table;
}

std::string full_name(const Property& property, std::string_view service_name) {
    return property.scope == Scope::kGlobal ? property.name
                                            : std::string{service_name} + "." + property.name;
}

const Property* find_property(std::string_view name, std::string_view service_name) {
    if (const auto below = name_below(name, service_name)) {
        return find_in_scope(Scope::kService, *below);
    }
    return find_in_scope(Scope::kGlobal, name);
}

const Property& supported_property(std::string_view name) {
    const auto& table = property_table();
    const auto row = std::find_if(table.begin(), table.end(), [&](const Property& property) {
        return property.support == Support::kSupported && property.name == name;
    });
    if (row == table.end()) {
        throw std::logic_error("no supported property is named " + std::string{name});
    }
    return *row;
}

std::optional<std::string_view> name_below(std::string_view name, std::string_view prefix) {
    if (name.size() <= prefix.size() + 1 || !name.starts_with(prefix) ||
        name[prefix.size()] != '.') {
        return std::nullopt;
    }
    return name.substr(prefix.size() + 1);
}

}  // namespace squall::broker
