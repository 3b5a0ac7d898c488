#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "wire/bytes.hpp"

// Values of the Ice encoding (behaviour reference 12.3), in two forms: `store_` writes at a place
// that is known to be large enough and returns the place behind; `put_` appends to a buffer.
// Lengths must fit in an int32: the callers' messages do, because a message must too.
//
// Threads: free functions without state.

namespace squall::wire {

/// Sizes from here on take five bytes instead of one.
inline constexpr std::size_t kLongSize = 255;

/// Bytes that a size of this value takes: 1 or 5.
constexpr std::size_t size_of_size(std::size_t value) noexcept {
    return value < kLongSize ? 1 : 5;
}

/// Bytes that this string takes, its size included.
constexpr std::size_t size_of_string(std::string_view text) noexcept {
    return size_of_size(text.size()) + text.size();
}

inline std::uint8_t* store_i32(std::uint8_t* at, std::int32_t value) noexcept {
    const auto bits = static_cast<std::uint32_t>(value);
    at[0] = static_cast<std::uint8_t>(bits);
    at[1] = static_cast<std::uint8_t>(bits >> 8);
    at[2] = static_cast<std::uint8_t>(bits >> 16);
    at[3] = static_cast<std::uint8_t>(bits >> 24);
    return at + 4;
}

inline std::uint8_t* store_size(std::uint8_t* at, std::size_t value) noexcept {
    if (value < kLongSize) {
        *at = static_cast<std::uint8_t>(value);
        return at + 1;
    }
    *at = static_cast<std::uint8_t>(kLongSize);
    return store_i32(at + 1, static_cast<std::int32_t>(value));
}

inline std::uint8_t* store_bytes(std::uint8_t* at, ByteView bytes) noexcept {
    if (!bytes.empty()) {  // memcpy must not see the null pointer of an empty view
        std::memcpy(at, bytes.data(), bytes.size());
    }
    return at + bytes.size();
}

inline std::uint8_t* store_string(std::uint8_t* at, std::string_view text) noexcept {
    return store_bytes(store_size(at, text.size()), as_bytes(text));
}

inline void put_u8(Buffer& out, std::uint8_t value) {
    out.push_back(value);
}

/// `bytes` must not lie inside `out`.
inline void put_bytes(Buffer& out, ByteView bytes) {
    // Not insert(): g++ 12 warns of overflows in it that cannot happen.
    const std::size_t start = out.size();
    out.resize(start + bytes.size());
    store_bytes(out.data() + start, bytes);
}

inline void put_i32(Buffer& out, std::int32_t value) {
    std::uint8_t raw[4];
    store_i32(raw, value);
    put_bytes(out, raw);
}

inline void put_size(Buffer& out, std::size_t value) {
    std::uint8_t raw[5];
    const std::uint8_t* end = store_size(raw, value);
    put_bytes(out, {static_cast<const std::uint8_t*>(raw), end});
}

inline void put_string(Buffer& out, std::string_view text) {
    put_size(out, text.size());
    put_bytes(out, as_bytes(text));
}

}  // namespace squall::wire
