#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "deliveries.hpp"
#include "net.hpp"
#include "stream.hpp"
#include "wire/bytes.hpp"

namespace squall::bench {

/// Reads the connections of all subscribers, and accepts those that brokers make.
/// Threads: confined to its user.
class SinkLoop {
public:
    explicit SinkLoop(Deliveries& deliveries);

    void add_listener(Descriptor listener);
    void add_connection(Descriptor connection, std::unique_ptr<Stream> stream);

    /// Returns when all connections are ready. Throws after 30 s.
    void wait_until_ready();

    /// Returns when all events have arrived, and a moment later, to see repeats; or when none has
    /// arrived for `stall`.
    void run(std::chrono::seconds stall);

    /// Connections that ended.
    [[nodiscard]] std::uint64_t lost_connections() const noexcept { return lost_; }

private:
    struct Connection {
        Descriptor socket;
        std::unique_ptr<Stream> stream;
        /// The beginning of a message that is not there whole.
        wire::Buffer begun;
        std::size_t wanted = 0;
    };

    void poll_once(int timeout_ms);
    void accept_one(int listener);
    void read_one(Connection& connection);
    /// What was read stands at `bytes` and belongs to somebody else.
    void consume(Connection& connection, wire::ByteView bytes);
    void read_large(Connection& connection);

    Deliveries& deliveries_;
    Descriptor epoll_;
    std::vector<Descriptor> listeners_;
    std::vector<std::unique_ptr<Connection>> connections_;
    wire::Buffer scratch_;
    wire::Buffer answers_;
    std::uint64_t lost_ = 0;
};

}  // namespace squall::bench
