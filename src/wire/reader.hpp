#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "wire/bytes.hpp"
#include "wire/error.hpp"

namespace squall::wire {

/// Reads values of the Ice encoding (behaviour reference 12.3) from a span, front to back.
///
/// The first error sticks: from then on nothing remains, every read yields zero or an empty view
/// and error() names the first cause. So a parser may read a whole record and look at ok() once.
/// Never reads outside the span, never throws, never allocates.
///
/// Threads: a value; confined to its user.
class Reader {
public:
    /// The bytes must outlive the reader and all views taken from it.
    explicit Reader(ByteView bytes) noexcept : bytes_(bytes) {}

    std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(little_endian<1>()); }
    std::int16_t i16() noexcept { return static_cast<std::int16_t>(little_endian<2>()); }
    std::int32_t i32() noexcept { return static_cast<std::int32_t>(little_endian<4>()); }
    std::int64_t i64() noexcept { return static_cast<std::int64_t>(little_endian<8>()); }

    /// A size: one byte, or 255 and an int32. A negative one fails with kBadSize. The value may
    /// exceed remaining(); whoever multiplies or allocates by it compares first.
    std::size_t size() noexcept {
        const std::uint8_t first = u8();
        if (first != kLongSizeMark) {
            return first;
        }
        const std::int32_t value = i32();
        if (value < 0) {
            fail(WireError::kBadSize);
            return 0;
        }
        return static_cast<std::size_t>(value);
    }

    /// A size and that many bytes; not checked for UTF-8. Longer than the rest: kBadString.
    std::string_view string() noexcept {
        const std::size_t length = size();
        if (length > remaining()) {
            fail(WireError::kBadString);
            return {};
        }
        return as_text(bytes(length));
    }

    /// The next `count` bytes.
    ByteView bytes(std::size_t count) noexcept {
        if (count > remaining()) {
            fail(WireError::kTruncated);
            return {};
        }
        const ByteView taken = bytes_.subspan(position_, count);
        position_ += count;
        return taken;
    }

    void skip(std::size_t count) noexcept { bytes(count); }

    /// What has been read since position() had this value.
    [[nodiscard]] ByteView since(std::size_t position) const noexcept {
        return bytes_.subspan(position, position_ - position);
    }

    /// Bytes not read yet; 0 after an error.
    [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - position_; }

    /// Bytes read so far; after an error, the place where the value that failed should have been.
    [[nodiscard]] std::size_t position() const noexcept { return position_; }

    [[nodiscard]] bool ok() const noexcept { return error_ == WireError::kNone; }
    [[nodiscard]] WireError error() const noexcept { return error_; }

    /// Ends reading with this error unless one is set already.
    void fail(WireError error) noexcept {
        if (ok()) {
            error_ = error;
        }
        // Nothing remains, so the reads that follow fail without a test of their own.
        bytes_ = bytes_.first(position_);
    }

    /// The end of what must be read whole: kTrailingBytes if anything remains, else error().
    [[nodiscard]] WireError finish() noexcept {
        if (remaining() > 0) {
            fail(WireError::kTrailingBytes);
        }
        return error_;
    }

private:
    static constexpr std::uint8_t kLongSizeMark = 255;

    template <std::size_t kWidth>
    std::uint64_t little_endian() noexcept {
        const ByteView raw = bytes(kWidth);
        return raw.empty() ? 0 : joined(raw.data(), std::make_index_sequence<kWidth>{});
    }

    /// Without a loop, so that compilers see a plain load in it.
    template <std::size_t... kIndexes>
    static std::uint64_t joined(const std::uint8_t* raw,
                                std::index_sequence<kIndexes...>) noexcept {
        return ((static_cast<std::uint64_t>(raw[kIndexes]) << (8 * kIndexes)) | ...);
    }

    ByteView bytes_;
    std::size_t position_ = 0;
    WireError error_ = WireError::kNone;
};

}  // namespace squall::wire
