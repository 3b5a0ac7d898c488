#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <optional>

#include "support/messages.hpp"
#include "wire/bytes.hpp"

namespace squall::test {

struct FakePublisherOptions {
    /// Asks for small ones, so that few bytes fill them; 0 leaves the kernel's choice.
    int receive_buffer_bytes{0};
    int send_buffer_bytes{0};
    /// False: what the broker says first is left for the test to read.
    bool await_validation{true};
};

/// A publisher process as seen from the broker: a client that sends bytes and reads messages, and
/// waits while it does so, up to kPatience; then the test has failed.
/// Threads: one, but send() may run beside the reading functions.
class FakePublisher {
public:
    /// Connects; a connection that is refused throws boost::system::system_error.
    explicit FakePublisher(const boost::asio::ip::tcp::endpoint& broker,
                           const FakePublisherOptions& options = {});

    /// False when the broker has ended the connection.
    bool send(wire::ByteView bytes);
    /// What the kernel takes at once, and no more; nothing when its buffers are full.
    std::size_t send_some(wire::ByteView bytes);

    /// The next message, whole; nothing once the broker has ended the connection.
    std::optional<wire::Buffer> read_message();
    /// The next message that is no heartbeat, which must be a reply.
    Reply read_reply();
    /// Sends and reads the reply, as a synchronous caller does.
    Reply ask(wire::ByteView request);
    /// True when the next message is the broker's goodbye; heartbeats do not count.
    bool read_goodbye();
    /// Reads on until the broker has ended the connection.
    bool read_to_end();

    /// Whether anything, or the end, has arrived and was not read.
    bool can_read();
    /// Bytes that were sent and that the broker's kernel has not got.
    std::size_t unsent_bytes();
    /// Such as `127.0.0.1:4711`, as the broker's log names this peer.
    std::string name() const;

    /// Ends the connection: in order, or with a reset.
    void close();
    void cut();

private:
    /// False when there is nothing to do so in kPatience.
    bool wait_for(short events);
    /// As many bytes; false at the end of the connection.
    bool read(std::uint8_t* to, std::size_t count);

    boost::asio::io_context io_;
    boost::asio::ip::tcp::socket socket_{io_};
};

}  // namespace squall::test
