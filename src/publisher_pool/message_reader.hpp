#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "event_store/ledger.hpp"
#include "publisher_pool/frame_reader.hpp"
#include "wire/bytes.hpp"
#include "wire/error.hpp"

namespace squall::pool {

/// Reads messages from a socket. A little is read to a buffer of its own, which waits for data;
/// when that is full the rest goes through a large one that the caller lends, so that an idle
/// connection is small and a busy one brings many messages with each call. Visitors are those of
/// FrameReader. Threads: confined to the socket's.
class MessageReader {
public:
    /// `first_bytes` is the size of the own buffer, `size_max` limits a message, 0 is no limit.
    /// The socket and the ledger must outlive the reader.
    MessageReader(boost::asio::ip::tcp::socket& socket, event::Ledger& ledger,
                  std::size_t first_bytes, std::uint32_t size_max)
        : socket_(socket),
          frames_(ledger, size_max),
          first_(std::make_unique<std::uint8_t[]>(first_bytes)),
          first_bytes_(first_bytes) {}

    /// Waits for data. `handler(error, bytes)` passes the bytes on to take_in().
    template <typename Handler>
    void async_read(Handler&& handler) {
        socket_.async_read_some(buffers(first()), std::forward<Handler>(handler));
    }

    /// What async_read() brought. Afterwards `more` tells whether there may be more to read.
    template <typename Visitor>
    wire::WireError take_in(std::size_t bytes, bool& more, Visitor&& visit) {
        more = bytes == frames_.missing().size() + first_bytes_;
        return distribute(bytes, first(), visit);
    }

    /// Reads once without waiting, as much as `scratch` holds. `read_error` is would_block where
    /// there is nothing.
    template <typename Visitor>
    wire::WireError read_more(std::span<std::uint8_t> scratch,
                              boost::system::error_code& read_error, Visitor&& visit) {
        const std::size_t bytes = socket_.read_some(buffers(scratch), read_error);
        return read_error ? wire::WireError::kNone : distribute(bytes, scratch, visit);
    }

    const FrameReader& frames() const { return frames_; }

private:
    std::span<std::uint8_t> first() const { return {first_.get(), first_bytes_}; }

    std::array<boost::asio::mutable_buffer, 2> buffers(std::span<std::uint8_t> behind) {
        const std::span<std::uint8_t> missing = frames_.missing();
        return {boost::asio::buffer(missing.data(), missing.size()),
                boost::asio::buffer(behind.data(), behind.size())};
    }

    template <typename Visitor>
    wire::WireError distribute(std::size_t bytes, wire::ByteView behind, Visitor&& visit) {
        const std::size_t direct = std::min(bytes, frames_.missing().size());
        const wire::WireError error = frames_.filled(direct, visit);
        return error == wire::WireError::kNone
                   ? frames_.consume(behind.first(bytes - direct), visit)
                   : error;
    }

    boost::asio::ip::tcp::socket& socket_;
    FrameReader frames_;
    const std::unique_ptr<std::uint8_t[]> first_;
    const std::size_t first_bytes_;
};

}  // namespace squall::pool
