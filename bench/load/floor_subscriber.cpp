#include "floor_subscriber.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "wire/writer.hpp"

namespace squall::bench {
namespace {

/// From here on a copy costs more than a call.
constexpr std::size_t kLargeTail = 16 << 10;

/// Bytes that the socket took: 0 when it is full.
std::size_t written(ssize_t result) {
    if (result >= 0) {
        return static_cast<std::size_t>(result);
    }
    if (errno == EAGAIN) {
        return 0;
    }
    throw std::system_error(errno, std::generic_category(), "a subscriber's connection");
}

}  // namespace

FloorSubscriber::FloorSubscriber(Descriptor connection, std::string_view identity)
    : connection_(std::move(connection)), prefix_(identity, "", "") {}

void FloorSubscriber::send(wire::ByteView tail) {
    if (tail.size() >= kLargeTail && flush()) {
        write_large(tail);
        return;
    }
    std::uint8_t* at = reserve(prefix_.request_size() + tail.size());
    at = prefix_.store_request(at, 0, tail.size(), wire::Compression::kNone);
    wire::store_bytes(at, tail);
    end_ += prefix_.request_size() + tail.size();
}

bool FloorSubscriber::flush() {
    if (begin_ < end_) {
        begin_ += written(
            ::send(fd(), waiting_.get() + begin_, end_ - begin_, MSG_NOSIGNAL | MSG_DONTWAIT));
    }
    if (begin_ < end_) {
        return false;
    }
    begin_ = end_ = 0;
    return true;
}

void FloorSubscriber::write_large(wire::ByteView tail) {
    wire::Buffer front(prefix_.request_size());
    prefix_.store_request(front.data(), 0, tail.size(), wire::Compression::kNone);
    std::array<iovec, 2> pieces{iovec{front.data(), front.size()},
                                iovec{const_cast<std::uint8_t*>(tail.data()), tail.size()}};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    std::size_t done = written(sendmsg(fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT));
    for (const wire::ByteView piece : {wire::ByteView(front), tail}) {
        const std::size_t skipped = std::min(done, piece.size());
        done -= skipped;
        const wire::ByteView rest = piece.subspan(skipped);
        if (!rest.empty()) {
            wire::store_bytes(reserve(rest.size()), rest);
            end_ += rest.size();
        }
    }
}

std::uint8_t* FloorSubscriber::reserve(std::size_t size) {
    if (capacity_ - end_ < size) {
        const std::size_t used = end_ - begin_;
        const std::size_t capacity = std::max<std::size_t>(512, (used + size) * 2);
        auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
        if (used > 0) {
            std::memcpy(larger.get(), waiting_.get() + begin_, used);
        }
        waiting_ = std::move(larger);
        capacity_ = capacity;
        begin_ = 0;
        end_ = used;
    }
    return waiting_.get() + end_;
}

}  // namespace squall::bench
