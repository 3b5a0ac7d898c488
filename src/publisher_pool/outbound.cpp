#include "publisher_pool/outbound.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "wire/compression.hpp"
#include "wire/writer.hpp"

namespace squall::pool {
namespace {

// A little over what fills one write, so that a full buffer is rarely grown.
constexpr std::size_t kFirstCapacity = Outbound::kFullBytes + Outbound::kGatherBytes + 1024;

std::size_t batch_size(const wire::RequestPrefix& prefix,
                       std::span<const event::Event* const> events) {
    std::size_t size = wire::kBatchHeaderSize;
    for (const event::Event* event : events) {
        size += prefix.record_size() + event->tail().size();
    }
    return size;
}

}  // namespace

void Outbound::grow(std::size_t bytes) {
    const std::size_t capacity = std::max({kFirstCapacity, capacity_ * 2, copied_ + bytes});
    auto grown = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    if (copied_ != 0) {
        std::memcpy(grown.get(), bytes_.get(), copied_);
    }
    bytes_ = std::move(grown);
    capacity_ = capacity;
}

void Outbound::append_bytes(wire::ByteView bytes) {
    wire::store_bytes(reserve(bytes.size()), bytes);
    commit(bytes.size());
}

void Outbound::append_tail(const event::Event& event) {
    if (event.tail().size() < kGatherBytes) {
        append_bytes(event.tail());
        return;
    }
    refer_to_tail(event);
}

void Outbound::refer_to_tail(const event::Event& event) {
    pieces_.push_back({copied_, event.share()});
    size_ += event.tail().size();
}

void Outbound::append_compressed(wire::Buffer message) {
    wire::Buffer compressed;
    if (wire::compress_message(message, compressed)) {
        append_bytes(compressed);
    } else {
        append_bytes(message);
    }
}

void Outbound::append_request(const wire::RequestPrefix& prefix, std::int32_t request_id,
                              const event::Event& event, Compress compress) {
    if (compress == Compress::kYes) {
        append_compressed_request(prefix, request_id, event);
        return;
    }
    const wire::ByteView tail = event.tail();
    const bool copies_tail = tail.size() < kGatherBytes;
    const std::size_t copied = prefix.request_size() + (copies_tail ? tail.size() : 0);
    std::uint8_t* at =
        prefix.store_request(reserve(copied), request_id, tail.size(), wire::Compression::kNone);
    if (copies_tail) {
        wire::store_bytes(at, tail);
    }
    commit(copied);
    if (!copies_tail) {
        refer_to_tail(event);
    }
}

void Outbound::append_compressed_request(const wire::RequestPrefix& prefix, std::int32_t request_id,
                                         const event::Event& event) {
    const wire::ByteView tail = event.tail();
    wire::Buffer message(prefix.request_size() + tail.size());
    wire::store_bytes(prefix.store_request(message.data(), request_id, tail.size(),
                                           wire::Compression::kSupported),
                      tail);
    append_compressed(std::move(message));
}

void Outbound::append_batch(const wire::RequestPrefix& prefix,
                            std::span<const event::Event* const> events, Compress compress) {
    const std::size_t size = batch_size(prefix, events);
    const auto count = static_cast<std::int32_t>(events.size());
    if (compress == Compress::kYes) {
        wire::Buffer message(size);
        std::uint8_t* at =
            wire::store_batch_header(message.data(), count, size, wire::Compression::kSupported);
        for (const event::Event* event : events) {
            at = wire::store_bytes(prefix.store_record(at), event->tail());
        }
        append_compressed(std::move(message));
        return;
    }
    wire::store_batch_header(reserve(wire::kBatchHeaderSize), count, size,
                             wire::Compression::kNone);
    commit(wire::kBatchHeaderSize);
    for (const event::Event* event : events) {
        prefix.store_record(reserve(prefix.record_size()));
        commit(prefix.record_size());
        append_tail(*event);
    }
}

const std::vector<boost::asio::const_buffer>& Outbound::buffers() {
    buffers_.clear();
    std::uint64_t skip = written_;
    const auto add = [&](const std::uint8_t* data, std::size_t bytes) {
        if (skip >= bytes) {
            skip -= bytes;
            return;
        }
        const auto from = static_cast<std::size_t>(skip);
        skip = 0;
        buffers_.emplace_back(data + from, bytes - from);
    };
    std::size_t copied = 0;
    for (const Piece& piece : pieces_) {
        add(bytes_.get() + copied, piece.copied - copied);
        copied = piece.copied;
        add(piece.event->tail().data(), piece.event->tail().size());
        if (buffers_.size() + 2 > kBuffersMax) {
            return buffers_;
        }
    }
    add(bytes_.get() + copied, copied_ - copied);
    return buffers_;
}

void Outbound::forget(const Subscriber& subscriber) {
    for (Frame& frame : frames_) {
        if (frame.subscriber == &subscriber) {
            frame.subscriber = nullptr;
        }
    }
}

void Outbound::clear() {
    copied_ = 0;
    size_ = 0;
    written_ = 0;
    pieces_.clear();
    frames_.clear();
    next_frame_ = 0;
    if (capacity_ > 2 * kFirstCapacity) {
        bytes_.reset();
        capacity_ = 0;
    }
}

std::unique_ptr<Outbound> OutboundPool::take() {
    if (free_.empty()) {
        return std::make_unique<Outbound>();
    }
    std::unique_ptr<Outbound> outbound = std::move(free_.back());
    free_.pop_back();
    return outbound;
}

void OutboundPool::give_back(std::unique_ptr<Outbound> outbound) {
    outbound->clear();
    if (free_.size() < kKept) {
        free_.push_back(std::move(outbound));
    }
}

}  // namespace squall::pool
