#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/bytes.hpp"
#include "wire/reply.hpp"
#include "wire/request.hpp"
#include "wire/tail.hpp"

namespace squall::test {

/// A request as it arrived, alone or in a batch. Threads: a value.
struct Received {
    std::int32_t id{0};
    std::string identity;  ///< category/name, or just the name
    std::string facet;
    std::string operation;
    std::uint8_t mode{0};
    wire::Context context;
    wire::Buffer encapsulation;
    std::size_t connection{0};  ///< counts the fake's connections from 0
    std::size_t message{0};     ///< counts the connection's request messages from 0
    std::size_t message_bytes{0};
    bool batch{false};
    bool compressed{false};

    /// The number that numbered_event() put in.
    int number() const;
};

/// One connection that a FakeSubscriber accepted: reads messages and does what it is told, so that
/// a script decides how good or bad a peer it is.
/// Threads: confined to the fake's.
class FakeConnection : public std::enable_shared_from_this<FakeConnection> {
public:
    /// Who hears of what arrives.
    struct Listener {
        std::function<void(FakeConnection&, Received)> request;
        std::function<void(FakeConnection&)> heartbeat;
        std::function<void(FakeConnection&)> goodbye;
        std::function<void(FakeConnection&)> ended;
    };

    FakeConnection(boost::asio::ip::tcp::socket socket, std::size_t index, Listener listener);

    /// Reads until the peer closes, or stop_reading().
    void start_reading();
    void stop_reading() { reading_ = false; }

    void send(wire::ByteView bytes);
    /// Each byte in a segment of its own, as far as the kernel plays along.
    void send_bytewise(wire::ByteView bytes);
    void validate();
    void reply(std::int32_t id, wire::ReplyStatus status = wire::ReplyStatus::kOk);

    /// Sends CloseConnection; what arrives from now on is ignored, as Ice does.
    void close_gracefully();
    /// Waits for the peer to close the connection without its CloseConnection meaning anything.
    void ignore_goodbye() { ignores_goodbye_ = true; }
    /// Ends the connection in the middle of whatever the peer is doing.
    void cut();

    std::size_t index() const { return index_; }
    bool open() const { return socket_.is_open(); }
    /// Bytes that have arrived and were not read.
    std::size_t unread_bytes() const;

private:
    void read_more();
    void handle_messages();
    void handle_message(wire::ByteView message);
    void handle_requests(wire::ByteView message, bool batch);
    void end();

    boost::asio::ip::tcp::socket socket_;
    const std::size_t index_;
    const Listener listener_;
    wire::Buffer chunk_;
    wire::Buffer arrived_;
    std::size_t messages_{0};
    bool reading_{false};
    bool goodbye_sent_{false};
    bool ignores_goodbye_{false};
};

/// A whole reply message with the body that the status asks for.
wire::Buffer reply_message(std::int32_t id, std::uint8_t status);

}  // namespace squall::test
