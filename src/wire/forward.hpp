#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/bytes.hpp"
#include "wire/error.hpp"
#include "wire/reader.hpp"

// The parameters of `forward`, by which a broker hands events to another one (behaviour reference
// 1.4): a sequence of events, each with its parameters as an encapsulation inside a byte sequence.

namespace squall::wire {

struct ForwardedEvent {
    std::string_view operation;
    std::uint8_t mode = 0;
    /// Meant to be a whole encapsulation, but not checked: is_encapsulation().
    ByteView data;
    /// The encoded dictionary, its size included.
    ByteView context;
};

/// Walks the events as BatchReader does a batch. Threads: a value; confined to its user.
class ForwardReader {
public:
    /// `encapsulation` is the whole one of a request, header included. A count that needs more
    /// bytes than there are fails at once with kBadCount.
    explicit ForwardReader(ByteView encapsulation) noexcept;

    [[nodiscard]] WireError error() const noexcept { return reader_.error(); }

    /// False at the end and on an error; error() tells which. Bytes after the last event are
    /// kTrailingBytes.
    [[nodiscard]] bool next(ForwardedEvent& out) noexcept;

private:
    Reader reader_;
    std::size_t remaining_ = 0;
};

/// True when the bytes are one encapsulation and nothing else.
/// Threads: free function without state.
[[nodiscard]] bool is_encapsulation(ByteView bytes) noexcept;

}  // namespace squall::wire
