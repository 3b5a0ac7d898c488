#pragma once

#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "event_store/event.hpp"
#include "wire/bytes.hpp"
#include "wire/header.hpp"
#include "wire/prefix.hpp"

namespace squall::pool {

class Subscriber;

/// A message, or part of one, within an Outbound: whose events it carries and where it ends.
struct Frame {
    Subscriber* subscriber;  ///< null once the subscriber is gone
    std::uint32_t events;
    std::uint64_t end;  ///< offset behind its last byte
};

/// One write to a connection in the making and under way: messages encoded one behind the other,
/// small events copied, large ones referred to; and how much of it the socket has taken.
/// Threads: confined to the owning shard's.
class Outbound {
public:
    /// Events from this size on are not copied but written from where they are.
    static constexpr std::size_t kGatherBytes = 8 * 1024;
    /// What one write gathers, unless a single message is larger.
    static constexpr std::size_t kFullBytes = 64 * 1024;
    /// Buffers given to one system call at most.
    static constexpr std::size_t kBuffersMax = 64;

    /// Whether the peer's endpoint asks for compressed messages.
    enum class Compress : bool { kNo, kYes };

    void append_request(const wire::RequestPrefix& prefix, std::int32_t request_id,
                        const event::Event& event, Compress compress);

    /// One batch message with a record for each event.
    void append_batch(const wire::RequestPrefix& prefix,
                      std::span<const event::Event* const> events, Compress compress);

    void append_bytes(wire::ByteView bytes);

    /// All that was appended ends a frame of this subscriber.
    void end_frame(Subscriber& subscriber, std::uint32_t events) {
        frames_.push_back({&subscriber, events, size_});
    }

    std::uint64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool done() const { return written_ == size_; }
    /// True when there is enough for one system call.
    bool full() const { return size_ >= kFullBytes || pieces_.size() * 2 + 2 > kBuffersMax; }

    /// What is left to write, as far as one system call takes it.
    const std::vector<boost::asio::const_buffer>& buffers();
    void consume(std::size_t bytes) { written_ += bytes; }

    /// Frames not reported yet; `next_frame` moves past those that are written.
    template <typename Visitor>
    void report_written(Visitor visit) {
        while (next_frame_ < frames_.size() && frames_[next_frame_].end <= written_) {
            visit(frames_[next_frame_++]);
        }
    }

    /// The subscriber is gone: its frames report to nobody.
    void forget(const Subscriber& subscriber);

    void clear();

private:
    /// Stands behind the first `copied` bytes of bytes_.
    struct Piece {
        std::size_t copied;
        event::EventPtr event;
    };

    /// Room for so many bytes behind those copied so far; commit() makes them count.
    std::uint8_t* reserve(std::size_t bytes) {
        if (copied_ + bytes > capacity_) {
            grow(bytes);
        }
        return bytes_.get() + copied_;
    }
    void commit(std::size_t bytes) {
        copied_ += bytes;
        size_ += bytes;
    }
    void grow(std::size_t bytes);
    void append_tail(const event::Event& event);
    void refer_to_tail(const event::Event& event);
    void append_compressed_request(const wire::RequestPrefix& prefix, std::int32_t request_id,
                                   const event::Event& event);
    void append_compressed(wire::Buffer message);

    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t capacity_{0};
    std::size_t copied_{0};
    std::vector<Piece> pieces_;
    std::uint64_t size_{0};
    std::uint64_t written_{0};
    std::vector<Frame> frames_;
    std::size_t next_frame_{0};
    std::vector<boost::asio::const_buffer> buffers_;
};

/// Outbounds of a shard for reuse: usually one is enough, a further one for each connection that
/// takes no more.
/// Threads: confined to the owning shard's.
class OutboundPool {
public:
    std::unique_ptr<Outbound> take();
    void give_back(std::unique_ptr<Outbound> outbound);

private:
    static constexpr std::size_t kKept = 4;
    std::vector<std::unique_ptr<Outbound>> free_;
};

}  // namespace squall::pool
