#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace squall::wire {

/// Bytes that somebody else owns. Every view that this room hands out points into the span it was
/// parsed from and lives no longer than that.
using ByteView = std::span<const std::uint8_t>;

/// Bytes that are being built.
using Buffer = std::vector<std::uint8_t>;

/// The same bytes as text; nothing is checked, so it may hold zeros and broken UTF-8.
inline std::string_view as_text(ByteView bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The same text as bytes.
inline ByteView as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace squall::wire
