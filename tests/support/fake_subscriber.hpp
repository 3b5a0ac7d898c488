#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_connection.hpp"

namespace squall::test {

/// What a fake does with each request; runs on the fake's thread.
using Script = std::function<void(FakeConnection&, const Received&)>;
/// What a fake does with each new connection.
using Welcome = std::function<void(FakeConnection&)>;

namespace scripts {

/// Replies to twoway requests; the default.
Script answer(wire::ReplyStatus status = wire::ReplyStatus::kOk);
Script never_answer();
/// Answers when `count` requests wait for it, the last one first.
Script answer_in_reverse(std::size_t count);
/// Answers `count` requests, then says goodbye without having answered the next one.
Script say_goodbye_after(std::size_t count);
/// Answers `count` requests, then cuts the connection without having answered the next one.
Script cut_after(std::size_t count);

}  // namespace scripts

namespace welcomes {

/// Validates and reads; the default.
Welcome validate_and_read();
/// Accepts, and says nothing ever.
Welcome stay_silent();
/// Validates and never reads.
Welcome validate_only();
/// Sends these bytes in place of the validation message.
Welcome send_instead(wire::Buffer bytes);

}  // namespace welcomes

struct FakeOptions {
    std::string address{"127.0.0.1"};
    std::uint16_t port{0};
    /// False: connections are made by the kernel but not accepted before open(), as with an Ice
    /// adapter that is not active yet.
    bool open{true};
    /// Asks for a small one, so that few bytes fill it; 0 leaves the kernel's choice.
    int receive_buffer_bytes{0};
    Welcome welcome{welcomes::validate_and_read()};
    Script script{scripts::answer()};
};

/// A subscriber process as seen from the broker: listens on a port of its own, speaks the Ice
/// protocol on the level of bytes and remembers all requests.
/// Threads: any; scripts and welcomes run on the fake's own.
class FakeSubscriber {
public:
    explicit FakeSubscriber(FakeOptions options = {});
    explicit FakeSubscriber(Script script);
    ~FakeSubscriber();
    FakeSubscriber(const FakeSubscriber&) = delete;
    FakeSubscriber& operator=(const FakeSubscriber&) = delete;

    std::uint16_t port() const { return port_; }
    /// Such as `tcp -h 127.0.0.1 -p 4711`.
    std::string endpoint() const;
    /// `identity` may carry the flags of a stringified proxy, such as `fred -o`.
    std::string proxy(const std::string& identity) const { return identity + ':' + endpoint(); }

    /// Accepts connections from now on.
    void open();
    void set_script(Script script);
    /// Runs `action` for each connection that is open.
    void for_each_connection(const std::function<void(FakeConnection&)>& action);
    void cut_all();

    std::vector<Received> received() const;
    std::vector<int> numbers() const;
    /// Numbers of the requests to one identity.
    std::vector<int> numbers(const std::string& identity) const;
    std::size_t received_count() const { return received_count_; }
    /// Connections accepted so far, and those of them that are open.
    std::size_t connections() const { return connections_; }
    std::size_t open_connections() const { return open_connections_; }
    std::size_t heartbeats() const { return heartbeats_; }
    /// Connections that the broker closed gracefully.
    std::size_t goodbyes() const { return goodbyes_; }

private:
    void accept_next();
    void accepted(boost::asio::ip::tcp::socket socket);
    void request_arrived(FakeConnection& connection, Received request);
    void run(const std::function<void()>& task);

    const FakeOptions options_;
    boost::asio::io_context io_{1};
    boost::asio::ip::tcp::acceptor acceptor_{io_};
    std::uint16_t port_{0};

    // The fake's thread only.
    Script script_;
    std::vector<std::shared_ptr<FakeConnection>> all_;

    // Locked by mutex_.
    mutable std::mutex mutex_;
    std::vector<Received> received_;

    std::atomic<std::size_t> received_count_{0};
    std::atomic<std::size_t> connections_{0};
    std::atomic<std::size_t> open_connections_{0};
    std::atomic<std::size_t> heartbeats_{0};
    std::atomic<std::size_t> goodbyes_{0};

    std::thread thread_;
};

/// A port on loopback that refuses connections for as long as this lives.
class DeadPort {
public:
    DeadPort();
    std::uint16_t port() const { return socket_.local_endpoint().port(); }
    std::string endpoint() const;

private:
    boost::asio::io_context io_;
    boost::asio::ip::tcp::socket socket_{io_};
};

}  // namespace squall::test
