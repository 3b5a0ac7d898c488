#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "event_store/event.hpp"
#include "wire/bytes.hpp"
#include "wire/error.hpp"
#include "wire/header.hpp"

namespace squall::pool {

/// Cuts the byte stream of one connection into messages. A message that lies whole in what has
/// arrived is handed out where it is; one that comes in pieces is gathered in memory of its own
/// size, to which the caller may read directly (missing()), so that no byte is moved twice.
/// No sockets. Threads: one at a time.
class FrameReader {
public:
    struct Frame {
        wire::Header header;
        wire::ByteView message;  ///< all of it, header included; valid during the visit
        event::Room* room;       ///< holds the message if it came in pieces; may be moved from
    };

    /// `size_max` limits a message in bytes, 0 is no limit. The ledger must outlive the reader.
    FrameReader(event::Ledger& ledger, std::uint32_t size_max)
        : ledger_(ledger), size_max_(size_max) {}

    /// Where the rest of the message under way belongs; empty when there is none.
    std::span<std::uint8_t> missing() {
        return room_ ? std::span(room_.data(), room_.size()).subspan(filled_)
                     : std::span<std::uint8_t>();
    }

    /// `count` bytes were read to the front of missing(). Throws std::bad_alloc, as consume().
    /// Visitors are called as `wire::WireError visit(const Frame&)`; the first error ends it all.
    template <typename Visitor>
    wire::WireError filled(std::size_t count, Visitor&& visit) {
        filled_ += count;
        if (!room_ || filled_ < room_.size()) {
            return wire::WireError::kNone;
        }
        event::Room room = std::move(room_);
        return visit(Frame{header_, {room.data(), room.size()}, &room});
    }

    /// The next bytes of the stream, wherever they were read to.
    template <typename Visitor>
    wire::WireError consume(wire::ByteView bytes, Visitor&& visit) {
        wire::WireError error = wire::WireError::kNone;
        while (error == wire::WireError::kNone && !bytes.empty()) {
            if (room_) {
                error = filled(take(missing(), bytes), visit);
            } else if (head_size_ > 0 || bytes.size() < wire::kHeaderSize) {
                error = consume_head(bytes, visit);
            } else {
                error = consume_frame(bytes, visit);
            }
        }
        return error;
    }

    /// The stream may not end here.
    bool in_message() const { return static_cast<bool>(room_) || head_size_ > 0; }

    /// What the last header said: after kTooLarge, the size that was refused.
    const wire::Header& header() const { return header_; }

private:
    /// Moves as many bytes from the front of `from` as `to` has room for.
    static std::size_t take(std::span<std::uint8_t> to, wire::ByteView& from) {
        const std::size_t count = std::min(to.size(), from.size());
        std::memcpy(to.data(), from.data(), count);
        from = from.subspan(count);
        return count;
    }

    template <typename Visitor>
    wire::WireError consume_frame(wire::ByteView& bytes, Visitor&& visit) {
        const wire::WireError error =
            wire::parse_header(bytes.first(wire::kHeaderSize), size_max_, header_);
        if (error != wire::WireError::kNone) {
            return error;
        }
        if (bytes.size() >= header_.size) {
            const wire::ByteView message = bytes.first(header_.size);
            bytes = bytes.subspan(header_.size);
            return visit(Frame{header_, message, nullptr});
        }
        begin_message();
        filled_ = take(missing(), bytes);
        return wire::WireError::kNone;
    }

    template <typename Visitor>
    wire::WireError consume_head(wire::ByteView& bytes, Visitor&& visit) {
        head_size_ += take(std::span(head_).subspan(head_size_), bytes);
        if (head_size_ < wire::kHeaderSize) {
            return wire::WireError::kNone;
        }
        head_size_ = 0;
        const wire::WireError error = wire::parse_header(head_, size_max_, header_);
        if (error != wire::WireError::kNone) {
            return error;
        }
        begin_message();
        wire::ByteView head(head_);
        return filled(take(missing(), head), visit);
    }

    void begin_message() {
        room_ = event::Event::reserve(ledger_, header_.size);
        filled_ = 0;
    }

    event::Ledger& ledger_;
    const std::uint32_t size_max_;
    wire::Header header_{};
    std::array<std::uint8_t, wire::kHeaderSize> head_{};
    std::size_t head_size_{0};
    event::Room room_;
    std::size_t filled_{0};
};

}  // namespace squall::pool
