#pragma once

#include <cstdint>
#include <string_view>

namespace squall::wire {

/// Why bytes from a peer are not what they should be. Nothing in this room throws on bad input.
enum class WireError : std::uint8_t {
    kNone,
    /// The bytes end in the middle of a value.
    kTruncated,
    /// The first four bytes are not "IceP".
    kBadMagic,
    /// Protocol version other than 1.0.
    kBadProtocol,
    /// Encoding version of the header other than 1.0.
    kBadEncoding,
    /// Message type above 4.
    kBadType,
    /// Compression byte above 2, or not 2 where compressed content was promised.
    kBadCompression,
    /// A size that is negative or cannot hold what it counts.
    kBadSize,
    /// A size beyond the limit that the receiver set.
    kTooLarge,
    /// A facet path of more than one element.
    kBadFacet,
    /// More elements than the bytes that follow could hold, or a negative number.
    kBadCount,
    /// An encapsulation shorter than its own header or longer than what is left.
    kBadEncapsulation,
    /// A string longer than what is left.
    kBadString,
    /// Bytes left over after all that the message should hold.
    kTrailingBytes,
    /// bzip2 data that is damaged or does not yield the declared size.
    kBadCompressedData,
};

/// A phrase in plain English for one log line, without full stop.
[[nodiscard]] std::string_view to_string(WireError error) noexcept;

}  // namespace squall::wire
