// The floor: what a relay costs that does nothing but relay. It takes Ice requests, single and in
// batches, from publishers, and writes each to every subscriber, all that one read brought in one
// write. No topics, no QoS, no limits, one thread.
//
// Prints the port of its publishers. "connect PORT IDENTITY" on standard input adds a subscriber
// and is answered with "connected"; the end of standard input ends the program.

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "floor_subscriber.hpp"
#include "net.hpp"
#include "wire/header.hpp"
#include "wire/request.hpp"

namespace squall::bench {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;
constexpr std::uint64_t kInput = 0;
constexpr std::uint64_t kListener = 1;

void check(wire::WireError error) {
    if (error != wire::WireError::kNone) {
        throw std::runtime_error("a publisher's message: " + std::string(wire::to_string(error)));
    }
}

/// Threads: confined to its user.
class Floor {
public:
    Floor() : epoll_(make_epoll()), listener_(listen_on_loopback()) {
        watch(epoll_.get(), STDIN_FILENO, EPOLLIN, kInput);
        watch(epoll_.get(), listener_.get(), EPOLLIN, kListener);
        std::printf("%d\n", port_of(listener_.get()));
        std::fflush(stdout);
    }

    void run() {
        std::array<epoll_event, 64> ready{};
        while (!ended_) {
            const int count =
                epoll_wait(epoll_.get(), ready.data(), static_cast<int>(ready.size()), -1);
            for (int i = 0; i < count; ++i) {
                dispatch(ready[static_cast<std::size_t>(i)].data.u64);
            }
        }
    }

private:
    struct Publisher {
        Descriptor connection;
        /// `filled` bytes hold a message that is not there whole.
        std::vector<std::uint8_t> buffer;
        std::size_t filled = 0;
    };

    void dispatch(std::uint64_t token) {
        if (token == kInput) {
            command();
        } else if (token == kListener) {
            accept_publisher();
        } else if (token % 2 == 0) {
            read(*publishers_[token / 2 - 1]);
        } else {
            drain(token / 2 - 1);
        }
    }

    void command() {
        unsigned port = 0;
        std::array<char, 64> identity{};
        std::array<char, 128> line{};
        if (std::fgets(line.data(), line.size(), stdin) == nullptr) {
            ended_ = true;
            return;
        }
        if (std::sscanf(line.data(), "connect %u %63s", &port, identity.data()) != 2) {
            throw std::runtime_error("a command that is not 'connect PORT IDENTITY'");
        }
        Descriptor connection = connect_to_loopback(static_cast<std::uint16_t>(port));
        std::array<std::uint8_t, wire::kHeaderSize> validate{};
        if (read_some(connection.get(), validate.data(), validate.size()) !=
            static_cast<std::ptrdiff_t>(validate.size())) {
            throw std::runtime_error("a subscriber that does not validate its connection");
        }
        subscribers_.push_back(
            std::make_unique<FloorSubscriber>(std::move(connection), identity.data()));
        blocked_.push_back(false);
        watch(epoll_.get(), subscribers_.back()->fd(), 0, token_of(subscribers_.size() - 1));
        std::puts("connected");
        std::fflush(stdout);
    }

    void accept_publisher() {
        publishers_.push_back(std::make_unique<Publisher>());
        Publisher& publisher = *publishers_.back();
        publisher.connection = accept_from(listener_.get());
        publisher.buffer.resize(kReadBytes);
        write_all(publisher.connection.get(), wire::kValidateMessage);
        watch(epoll_.get(), publisher.connection.get(), EPOLLIN, 2 * publishers_.size());
    }

    void read(Publisher& publisher) {
        const std::ptrdiff_t count =
            read_some(publisher.connection.get(), publisher.buffer.data() + publisher.filled,
                      publisher.buffer.size() - publisher.filled);
        if (count <= 0) {
            publisher.connection = Descriptor();
            return;
        }
        publisher.filled += static_cast<std::size_t>(count);
        const std::size_t used =
            relay(publisher, wire::ByteView(publisher.buffer).first(publisher.filled));
        publisher.filled -= used;
        if (used > 0 && publisher.filled > 0) {
            std::copy_n(publisher.buffer.begin() + static_cast<std::ptrdiff_t>(used),
                        publisher.filled, publisher.buffer.begin());
        }
        if (needed_ > publisher.buffer.size()) {
            publisher.buffer.resize(needed_);
        }
        flush();
    }

    /// Sends all whole messages on; returns their bytes. `needed_` is the size of the next one.
    std::size_t relay(Publisher& publisher, wire::ByteView bytes) {
        std::size_t used = 0;
        needed_ = 0;
        while (bytes.size() - used >= wire::kHeaderSize) {
            const wire::ByteView rest = bytes.subspan(used);
            wire::Header header;
            check(wire::parse_header(rest, 0, header));
            if (header.size > rest.size()) {
                needed_ = header.size;
                break;
            }
            take(header.type, rest.subspan(wire::kHeaderSize, header.size - wire::kHeaderSize));
            used += header.size;
            if (header.type == wire::MessageType::kCloseConnection) {
                publisher.connection = Descriptor();
            }
        }
        return used;
    }

    void take(wire::MessageType type, wire::ByteView body) {
        wire::RequestView request;
        if (type == wire::MessageType::kRequest) {
            std::int32_t id = 0;
            check(wire::parse_request(body, id, request));
            if (id != 0) {
                throw std::runtime_error("a twoway publisher, which the floor does not answer");
            }
            send(request.tail);
        } else if (type == wire::MessageType::kBatchRequest) {
            wire::BatchReader batch(body);
            while (batch.next(request)) {
                send(request.tail);
            }
            check(batch.error());
        }
    }

    void send(wire::ByteView tail) {
        for (const auto& subscriber : subscribers_) {
            subscriber->send(tail);
        }
    }

    void flush() {
        for (std::size_t i = 0; i < subscribers_.size(); ++i) {
            // Who waits for a full socket is drained when it has room.
            if (!blocked_[i] && !subscribers_[i]->flush()) {
                set_blocked(i, true);
            }
        }
    }

    void drain(std::size_t subscriber) {
        if (subscribers_[subscriber]->flush()) {
            set_blocked(subscriber, false);
        }
    }

    void set_blocked(std::size_t subscriber, bool blocked) {
        blocked_[subscriber] = blocked;
        rewatch(epoll_.get(), subscribers_[subscriber]->fd(), blocked ? EPOLLOUT : 0U,
                token_of(subscriber));
    }

    static std::uint64_t token_of(std::size_t subscriber) { return 2 * (subscriber + 1) + 1; }

    Descriptor epoll_;
    Descriptor listener_;
    /// Publisher i has the token 2 * (i + 1), subscriber i one more.
    std::vector<std::unique_ptr<Publisher>> publishers_;
    std::vector<std::unique_ptr<FloorSubscriber>> subscribers_;
    std::vector<bool> blocked_;
    std::size_t needed_ = 0;
    bool ended_ = false;
};

}  // namespace
}  // namespace squall::bench

int main() {
    try {
        squall::bench::Floor().run();
    } catch (const std::exception& error) {
        std::cerr << "bench_floor: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
