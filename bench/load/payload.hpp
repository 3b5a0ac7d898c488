#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "clock.hpp"

// What every load program sends, whatever the protocol: an 8-byte sequence number, the time it was
// sent (8 bytes, CLOCK_MONOTONIC in ns), and padding. Sender and receiver are one machine, so both
// numbers have its byte order.

namespace squall::bench {

inline constexpr std::size_t kStampBytes = 16;

struct Stamp {
    std::uint64_t sequence = 0;
    std::int64_t sent_ns = 0;
};

/// The bytes of one event, reused for each; `front` bytes before the payload belong to a protocol.
/// Threads: a value; confined to its user.
class Payload {
public:
    /// `bytes` is raised to kStampBytes when it is less.
    explicit Payload(std::size_t bytes, std::size_t front = 0)
        : bytes_(front + (bytes < kStampBytes ? kStampBytes : bytes), 'x'), front_(front) {}

    /// Makes it event `sequence`, sent now.
    void stamp(std::uint64_t sequence) noexcept {
        const Stamp stamp{sequence, now_ns()};
        std::memcpy(bytes_.data() + front_, &stamp, sizeof stamp);
    }

    [[nodiscard]] std::uint8_t* data() noexcept { return bytes_.data(); }
    [[nodiscard]] const std::uint8_t* data() const noexcept { return bytes_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

private:
    std::vector<std::uint8_t> bytes_;
    std::size_t front_;
};

static_assert(sizeof(Stamp) == kStampBytes);

}  // namespace squall::bench
