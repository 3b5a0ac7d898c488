#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace squall::broker {

/// Edits that turn one name into the other: insert, delete or replace a character, or swap two
/// neighbours. Case counts for nothing.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate with the fewest edits from `name`, the first of equals; nothing when even that
/// one is no plausible misspelling: more than two edits, and more than a quarter of the name.
std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& candidates);

}  // namespace squall::broker
