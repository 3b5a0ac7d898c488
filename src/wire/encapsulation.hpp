#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"
#include "wire/reader.hpp"

// Encapsulations: parameters and results behind a size and an encoding version (behaviour
// reference 12.3). Squall passes them on unread.
//
// Threads: free functions without state.

namespace squall::wire {

/// int32 size (these bytes included), major, minor.
inline constexpr std::size_t kEncapsulationHeaderSize = 6;

/// Version of the encoding inside an encapsulation.
struct Encoding {
    std::uint8_t major = 1;
    std::uint8_t minor = 1;

    friend bool operator==(Encoding, Encoding) = default;
};

inline constexpr Encoding kEncoding10{1, 0};
inline constexpr Encoding kEncoding11{1, 1};

/// One that an answer can be given in. An event in another one is still delivered, only its
/// publisher gets UnknownLocalException (5.1).
constexpr bool is_supported(Encoding encoding) noexcept {
    return encoding == kEncoding10 || encoding == kEncoding11;
}

/// Reads one encapsulation whole, header included, whatever its version. A size below 6 or beyond
/// the rest fails with kBadEncapsulation.
ByteView read_encapsulation(Reader& reader) noexcept;

/// The version that an encapsulation got from read_encapsulation() names.
Encoding encoding_of(ByteView encapsulation) noexcept;

/// Appends an encapsulation without content: 6 bytes.
void put_empty_encapsulation(Buffer& out, Encoding encoding);

}  // namespace squall::wire
