#include "broker/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace squall::broker {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(char left, char right) {
    return lower(left) == lower(right);
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
    // Rows of the edit matrix: the one being filled and, for swaps, the two above it.
    std::vector<std::size_t> two_above(right.size() + 1);
    std::vector<std::size_t> above(right.size() + 1);
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= left.size(); ++i) {
        two_above.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t replace = same(left[i - 1], right[j - 1]) ? 0 : 1;
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + replace});
            if (i > 1 && j > 1 && same(left[i - 1], right[j - 2]) &&
                same(left[i - 2], right[j - 1])) {
                row[j] = std::min(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return row[right.size()];
}

std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& candidates) {
    std::optional<std::string> nearest;
    std::size_t fewest = std::max<std::size_t>(2, name.size() / 4) + 1;
    for (const auto& candidate : candidates) {
        const std::size_t edits = edit_distance(name, candidate);
        if (edits < fewest && edits < candidate.size()) {
            fewest = edits;
            nearest = candidate;
        }
    }
    return nearest;
}

}  // namespace squall::broker
