#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace squall::broker {

enum class Support {
    kSupported,
    kUnsupported,  ///< an IceStorm property that this version accepts and ignores
    kHistoric,     ///< a property of an earlier IceStorm, or of its container; ignored
};

enum class Scope {
    kService,  ///< the name stands below the service's prefix
    kGlobal,   ///< the name is whole
};

/// What Squall knows of one property (behaviour reference 3.2). Threads: immutable.
struct Property {
    Scope scope;
    /// A name that ends in ".*" stands for all names below it.
    std::string name;
    Support support;
    /// The default as it would be written in a file; empty when there is none or it is computed.
    std::string default_text;
    /// Empty for a value without a unit.
    std::string unit;
    /// The accepted values in words, without the unit.
    std::string values;
    /// Whether a value is accepted. Null: any value is.
    bool (*accepts)(std::string_view value);
    /// What it does; when it is not supported, what happens instead.
    std::string meaning;

    bool is_pattern() const { return name.ends_with(".*"); }
};

/// Every known property, each once. The loader, its suggestions, --check-config and the test of
/// docs/configuration.md and config/squall.conf all read this table.
const std::vector<Property>& property_table();

/// The property's name as a user writes it.
std::string full_name(const Property& property, std::string_view service_name);

/// The row of a name as a user writes it, an exact name before a pattern; nullptr when unknown.
const Property* find_property(std::string_view name, std::string_view service_name);

/// The supported row with exactly this name below the service's prefix (or global, when there is
/// none). Throws std::logic_error when there is none: the name is a mistake in the program.
const Property& supported_property(std::string_view name);

/// The part of `name` behind "`prefix`."; nothing when it does not begin so.
std::optional<std::string_view> name_below(std::string_view name, std::string_view prefix);

}  // namespace squall::broker
