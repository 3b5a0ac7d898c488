#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace squall::broker {

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// The decimal integer that is the whole of `text`, blanks at its ends apart. Stricter than Ice,
/// which stops at the first character it cannot read.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace squall::broker
