#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"
#include "wire/error.hpp"

// bzip2 over everything behind the header (behaviour reference 12.8).
//
// Threads: free functions without state; each call works in memory of its own (about 1.2 MB to
// compress, up to 4 MB to decompress, as bzip2 needs it).

namespace squall::wire {

/// Shorter messages are never compressed.
inline constexpr std::size_t kMinCompressedSource = 100;

/// Compresses a whole message, header included, into `out`, whose former content is replaced.
/// False when the message is too short or would not become smaller: the caller then sends it as
/// it is, with store_compression(..., kSupported); `out` holds nothing of use.
[[nodiscard]] bool compress_message(ByteView message, Buffer& out);

/// Decompresses a whole message, header included, into `out`, whose former content is replaced.
/// The result is a whole message too: it has the header's type, its own size, and compression
/// byte 1, because a peer that compresses may be answered so.
///
/// `max_size` limits the uncompressed message in bytes, 0 for no limit: a larger declared size is
/// kTooLarge before any memory is taken. Without a limit memory grows only with what the data
/// really yield, and never beyond the declared size. After an error `out` holds nothing of use.
[[nodiscard]] WireError decompress_message(ByteView message, std::uint32_t max_size, Buffer& out);

/// The size of the whole message that a compressed one says it holds; 0 when it says none.
[[nodiscard]] std::uint32_t uncompressed_size(ByteView message) noexcept;

}  // namespace squall::wire
