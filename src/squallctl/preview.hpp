#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace squall::ctl {

/// A look at an event's parameters, given without the encapsulation header: the text in quotes when
/// they are exactly one printable string (at most 200 bytes of it), else the first 32 bytes in hex,
/// "..." where something was left out, "-" when there are none.
std::string preview(std::span<const std::uint8_t> parameters);

/// The text with control characters and bytes that are not UTF-8 as \n, \t, \r or \xHH, so that
/// what a publisher sends cannot drive the terminal.
std::string escape(std::string_view text);

}  // namespace squall::ctl
