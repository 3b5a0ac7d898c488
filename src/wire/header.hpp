#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"
#include "wire/error.hpp"

// The 14 bytes that start every message (behaviour reference 12.1).
//
// Threads: free functions without state.

namespace squall::wire {

inline constexpr std::size_t kHeaderSize = 14;

enum class MessageType : std::uint8_t {
    kRequest,
    kBatchRequest,
    kReply,
    kValidateConnection,
    kCloseConnection,
};

enum class Compression : std::uint8_t {
    /// Not compressed; the peer must not compress its reply.
    kNone,
    /// Not compressed; the peer may compress its reply.
    kSupported,
    /// bzip2 (compression.hpp).
    kCompressed,
};

struct Header {
    MessageType type = MessageType::kRequest;
    Compression compression = Compression::kNone;
    /// Bytes of the whole message, header included.
    std::uint32_t size = 0;
};

/// Checks and reads a header; only the first 14 bytes of `first14` count.
///
/// `max_size` is the receiver's limit in bytes for the whole message, 0 for none. A message beyond
/// it yields kTooLarge with `out` filled, so that a log can print size and limit. Validate and
/// close messages have no body (12.2): another size than 14 is kBadSize.
[[nodiscard]] WireError parse_header(ByteView first14, std::uint32_t max_size,
                                     Header& out) noexcept;

/// Writes 14 bytes. `size` is that of the whole message.
void store_header(std::uint8_t* at, MessageType type, Compression compression,
                  std::uint32_t size) noexcept;

/// Changes the compression byte of a message whose header is at `message`.
inline void store_compression(std::uint8_t* message, Compression compression) noexcept {
    constexpr std::size_t kCompressionOffset = 9;
    message[kCompressionOffset] = static_cast<std::uint8_t>(compression);
}

/// Connection set-up and heartbeat (12.5, 12.7).
inline constexpr std::array<std::uint8_t, kHeaderSize> kValidateMessage{
    'I', 'c', 'e', 'P', 1, 0, 1, 0, 3, 0, kHeaderSize, 0, 0, 0};

/// Graceful end of a connection (12.6).
inline constexpr std::array<std::uint8_t, kHeaderSize> kCloseMessage{
    'I', 'c', 'e', 'P', 1, 0, 1, 0, 4, 0, kHeaderSize, 0, 0, 0};

}  // namespace squall::wire
