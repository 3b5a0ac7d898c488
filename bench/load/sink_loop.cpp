#include "sink_loop.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "clock.hpp"

namespace squall::bench {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;
/// A message from here on is read into a buffer of its own instead of moving its beginning.
constexpr std::size_t kLargeBytes = 128 << 10;
constexpr std::uint64_t kListenerToken = 1ULL << 32;
constexpr std::int64_t kReadyLimitNs = 30 * kSecondNs;
constexpr std::int64_t kRepeatsNs = kSecondNs / 20;

}  // namespace

SinkLoop::SinkLoop(Deliveries& deliveries)
    : deliveries_(deliveries), epoll_(make_epoll()), scratch_(kLargeBytes + kReadBytes) {}

void SinkLoop::add_listener(Descriptor listener) {
    watch(epoll_.get(), listener.get(), EPOLLIN, kListenerToken + listeners_.size());
    listeners_.push_back(std::move(listener));
}

void SinkLoop::add_connection(Descriptor connection, std::unique_ptr<Stream> stream) {
    set_non_blocking(connection.get());
    wire::Buffer first;
    stream->start(first);
    write_all(connection.get(), first);
    watch(epoll_.get(), connection.get(), EPOLLIN, connections_.size());
    connections_.push_back(std::make_unique<Connection>());
    connections_.back()->socket = std::move(connection);
    connections_.back()->stream = std::move(stream);
}

void SinkLoop::wait_until_ready() {
    const std::int64_t limit = now_ns() + kReadyLimitNs;
    while (!std::all_of(connections_.begin(), connections_.end(),
                        [](const auto& one) { return one->stream->ready(); })) {
        if (now_ns() > limit || lost_ > 0) {
            throw std::runtime_error("not all subscribers could subscribe");
        }
        poll_once(100);
    }
}

void SinkLoop::run(std::chrono::seconds stall) {
    const std::int64_t stall_ns = std::chrono::nanoseconds(stall).count();
    const std::int64_t start = now_ns();
    while (!deliveries_.complete()) {
        if (now_ns() - std::max(start, deliveries_.last_arrival_ns()) > stall_ns) {
            return;
        }
        poll_once(100);
    }
    const std::int64_t end = now_ns() + kRepeatsNs;
    for (std::int64_t now = now_ns(); now < end; now = now_ns()) {
        poll_once(static_cast<int>((end - now) / 1'000'000) + 1);
    }
}

void SinkLoop::poll_once(int timeout_ms) {
    std::array<epoll_event, 256> ready{};
    const int count =
        epoll_wait(epoll_.get(), ready.data(), static_cast<int>(ready.size()), timeout_ms);
    if (count < 0 && errno != EINTR) {
        throw std::system_error(errno, std::generic_category(), "epoll_wait");
    }
    for (int i = 0; i < count; ++i) {
        const std::uint64_t token = ready[static_cast<std::size_t>(i)].data.u64;
        if (token >= kListenerToken) {
            accept_one(listeners_[token - kListenerToken].get());
        } else {
            read_one(*connections_[token]);
        }
    }
}

void SinkLoop::accept_one(int listener) {
    add_connection(accept_from(listener), make_ice_stream(deliveries_));
}

void SinkLoop::read_one(Connection& connection) {
    if (connection.wanted > kLargeBytes || connection.begun.size() > kLargeBytes) {
        read_large(connection);
        return;
    }
    const std::size_t before = connection.begun.size();
    std::copy(connection.begun.begin(), connection.begun.end(), scratch_.begin());
    const std::ptrdiff_t count =
        read_some(connection.socket.get(), scratch_.data() + before, kReadBytes);
    if (count > 0) {
        consume(connection,
                wire::ByteView(scratch_).first(before + static_cast<std::size_t>(count)));
    } else if (count == 0) {
        ++lost_;
        connection.socket = Descriptor();
    }
}

void SinkLoop::read_large(Connection& connection) {
    const std::size_t before = connection.begun.size();
    connection.begun.resize(std::max(connection.wanted, before + kLargeBytes));
    const std::ptrdiff_t count =
        read_some(connection.socket.get(), connection.begun.data() + before,
                  connection.begun.size() - before);
    connection.begun.resize(before + static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
    if (count == 0) {
        ++lost_;
        connection.socket = Descriptor();
    } else if (connection.begun.size() >= connection.wanted) {
        const wire::Buffer whole = std::exchange(connection.begun, {});
        consume(connection, whole);
    }
}

void SinkLoop::consume(Connection& connection, wire::ByteView bytes) {
    deliveries_.set_arrival(now_ns());
    answers_.clear();
    const Consumed consumed = connection.stream->consume(bytes, answers_);
    const wire::ByteView rest = bytes.subspan(consumed.used);
    if (rest.empty()) {
        connection.begun.clear();
    } else {
        // A large message gets its memory at once, so that reading it does not move it.
        if (consumed.wanted > kLargeBytes) {
            connection.begun.reserve(consumed.wanted);
        }
        connection.begun.assign(rest.begin(), rest.end());
    }
    connection.wanted = consumed.wanted;
    if (!answers_.empty()) {
        write_all(connection.socket.get(), answers_);
    }
}

}  // namespace squall::bench
