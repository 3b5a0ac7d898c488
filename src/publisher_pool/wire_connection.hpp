#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "publisher_pool/message_reader.hpp"
#include "publisher_pool/outbound.hpp"
#include "wire/bytes.hpp"
#include "wire/header.hpp"
#include "wire/reply.hpp"

namespace squall::pool {

class Shard;
class Subscriber;

/// An established, validated connection to a subscriber process: writes one Outbound after the
/// other, reads replies, keeps the connection alive and notices when it stalls.
/// Threads: confined to the owning shard's.
class WireConnection : public std::enable_shared_from_this<WireConnection> {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// Who uses the connection. After connection_closed(), connection_failed() or
    /// connection_unusable() nothing comes.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// Events of one subscriber, oldest first, are with the kernel.
        virtual void events_written(Subscriber& subscriber, std::size_t events) = 0;
        /// The write that was pending is over.
        virtual void connection_writable() = 0;
        virtual void reply_received(const wire::ReplyView& reply) = 0;
        /// The peer closes gracefully: what it has not answered it has not executed.
        virtual void connection_closed() = 0;
        virtual void connection_failed(std::string_view what) = 0;
        /// The peer took no bytes for Send.Timeout, or does not speak the protocol: a new
        /// connection would be no better.
        virtual void connection_unusable(std::string_view what) = 0;
    };

    /// What the peer is expected to send.
    enum class Replies : bool { kNone, kSome };

    /// The owner must outlive the connection or drop() it.
    WireConnection(Shard& shard, boost::asio::ip::tcp::socket socket, Owner& owner,
                   Replies replies);

    /// Starts reading.
    void start();

    /// True when write() may be called.
    bool writable() const { return owner_ != nullptr && !outbound_ && !closing_; }

    /// Writes what the socket takes now and the rest as it drains. The owner hears of each event,
    /// and, if something was left over, when all is written. May end in connection_failed().
    void write(std::unique_ptr<Outbound> outbound);

    /// The subscriber is gone: nothing is reported to it any more.
    void forget(const Subscriber& subscriber);

    /// When the peer was last heard of, heartbeats included.
    TimePoint last_heard() const { return last_heard_; }

    /// Heartbeat, stall and close timeouts.
    void tick(std::chrono::steady_clock::time_point now);

    /// Says goodbye behind what is being written, then waits for the peer to close.
    void close();
    bool closed() const { return owner_ == nullptr; }

    /// Closes at once, silently.
    void drop();

private:
    void continue_write();
    void write_goodbye();
    void report_written();
    void await_writable();
    void await_data();
    void arrived(const boost::system::error_code& error, std::size_t bytes);
    void lost(const boost::system::error_code& error);
    void broken(wire::WireError error);
    void handle_message(const wire::Header& header, wire::ByteView message);
    void handle_reply(wire::ByteView body);
    void fail(std::string_view what);
    void give_up(std::string_view what);

    Shard& shard_;
    boost::asio::ip::tcp::socket socket_;
    Owner* owner_;
    MessageReader reader_;
    std::unique_ptr<Outbound> outbound_;
    TimePoint last_write_;
    TimePoint last_heard_;
    TimePoint close_started_{};
    bool closing_{false};
};

}  // namespace squall::pool
