#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "net.hpp"
#include "wire/bytes.hpp"
#include "wire/prefix.hpp"

namespace squall::bench {

/// A oneway subscriber of the floor: a connection, and what could not be written to it yet.
/// Threads: confined to its user.
class FloorSubscriber {
public:
    FloorSubscriber(Descriptor connection, std::string_view identity);

    /// One event. A small one waits for flush(), a large one is written from where it is.
    void send(wire::ByteView tail);

    /// Writes what waits. False when the socket is full, so that some still waits.
    bool flush();

    [[nodiscard]] int fd() const noexcept { return connection_.get(); }

private:
    void write_large(wire::ByteView tail);
    /// Room for `size` bytes behind what waits.
    std::uint8_t* reserve(std::size_t size);

    Descriptor connection_;
    wire::RequestPrefix prefix_;
    std::unique_ptr<std::uint8_t[]> waiting_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace squall::bench
