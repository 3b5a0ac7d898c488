#include "publisher_pool/wire_connection.hpp"

#include <algorithm>
#include <utility>

#include "publisher_pool/shard.hpp"
#include "publisher_pool/would_block.hpp"
#include "wire/compression.hpp"

namespace squall::pool {
namespace {

/// What waits for data: a heartbeat, and the replies of a whole window where there are any.
constexpr std::size_t kHeartbeatRead = 32;
constexpr std::size_t kRepliesRead = 160;
/// How long a peer may take to close after our goodbye.
constexpr std::chrono::seconds kCloseTimeout{2};

}  // namespace

WireConnection::WireConnection(Shard& shard, boost::asio::ip::tcp::socket socket, Owner& owner,
                               Replies replies)
    : shard_(shard),
      socket_(std::move(socket)),
      owner_(&owner),
      reader_(socket_, shard.ingress().ledger(),
              replies == Replies::kSome ? kRepliesRead : kHeartbeatRead,
              shard.options().message_size_max),
      last_write_(shard.now()),
      last_heard_(shard.now()) {}

void WireConnection::start() {
    await_data();
}

void WireConnection::write(std::unique_ptr<Outbound> outbound) {
    outbound_ = std::move(outbound);
    last_write_ = shard_.now();
    continue_write();
}

void WireConnection::continue_write() {
    const auto self = shared_from_this();  // a callback may make the owner let go
    while (!outbound_->done()) {
        boost::system::error_code error;
        const std::size_t bytes = socket_.write_some(outbound_->buffers(), error);
        outbound_->consume(bytes);
        if (error) {
            report_written();
            if (would_block(error)) {
                await_writable();
            } else {
                fail("write failed: " + error.message());
            }
            return;
        }
        last_write_ = shard_.now();
    }
    report_written();
    shard_.outbounds().give_back(std::move(outbound_));
    if (closing_) {
        write_goodbye();
    }
}

void WireConnection::report_written() {
    Subscriber* subscriber = nullptr;
    std::size_t events = 0;
    const auto report = [&] {
        if (subscriber != nullptr && owner_ != nullptr) {
            owner_->events_written(*subscriber, events);
        }
    };
    outbound_->report_written([&](const Frame& frame) {
        if (frame.subscriber != subscriber) {
            report();
            subscriber = frame.subscriber;
            events = 0;
        }
        events += frame.events;
    });
    report();
}

void WireConnection::await_writable() {
    socket_.async_wait(boost::asio::ip::tcp::socket::wait_write,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                           if (error || self->closed() || !self->outbound_) {
                               return;
                           }
                           self->shard_.update_time();
                           self->continue_write();
                           if (!self->outbound_ && self->owner_ != nullptr) {
                               self->owner_->connection_writable();
                           }
                       });
}

void WireConnection::await_data() {
    reader_.async_read(
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t bytes) {
            if (self->closed()) {
                return;
            }
            // What the replies make room for is sent before more is read.
            self->shard_.burst([&] { self->arrived(error, bytes); });
            if (!self->closed()) {
                self->await_data();
            }
        });
}

void WireConnection::arrived(const boost::system::error_code& error, std::size_t bytes) {
    if (error) {
        lost(error);
        return;
    }
    last_heard_ = shard_.now();
    const auto visit = [this](const FrameReader::Frame& frame) {
        if (!closed()) {
            handle_message(frame.header, frame.message);
        }
        return wire::WireError::kNone;
    };
    bool more = false;
    wire::WireError bad = reader_.take_in(bytes, more, visit);
    if (bad == wire::WireError::kNone && more && !closed()) {
        boost::system::error_code read_error;
        bad = reader_.read_more(shard_.read_buffer(), read_error, visit);
        if (read_error && !would_block(read_error)) {
            lost(read_error);
        }
    }
    if (bad != wire::WireError::kNone) {
        broken(bad);
    }
}

void WireConnection::lost(const boost::system::error_code& error) {
    fail(error == boost::asio::error::eof ? "closed by the subscriber without goodbye"
                                          : "read failed: " + error.message());
}

void WireConnection::broken(wire::WireError error) {
    if (closed()) {
        return;
    }
    if (error == wire::WireError::kTooLarge) {
        give_up("sent a message of " + std::to_string(reader_.frames().header().size) +
                " bytes, more than Ice.MessageSizeMax allows (" +
                std::to_string(shard_.options().message_size_max) + ")");
    } else {
        give_up("sent a broken message: " + std::string(wire::to_string(error)));
    }
}

void WireConnection::handle_message(const wire::Header& header, wire::ByteView message) {
    switch (header.type) {
        case wire::MessageType::kReply:
            if (header.compression == wire::Compression::kCompressed) {
                wire::Buffer plain;
                const wire::WireError bad =
                    wire::decompress_message(message, shard_.options().message_size_max, plain);
                if (bad != wire::WireError::kNone) {
                    give_up("sent a broken message: " + std::string(wire::to_string(bad)));
                    return;
                }
                handle_reply(wire::ByteView(plain).subspan(wire::kHeaderSize));
            } else {
                handle_reply(message.subspan(wire::kHeaderSize));
            }
            return;
        case wire::MessageType::kCloseConnection: {
            Owner* owner = owner_;
            drop();
            owner->connection_closed();
            return;
        }
        default:
            return;  // heartbeats; nobody serves requests here
    }
}

void WireConnection::handle_reply(wire::ByteView body) {
    wire::ReplyView reply{};
    const wire::WireError bad = wire::parse_reply(body, reply);
    if (bad != wire::WireError::kNone) {
        give_up("sent a broken reply: " + std::string(wire::to_string(bad)));
        return;
    }
    owner_->reply_received(reply);
}

void WireConnection::forget(const Subscriber& subscriber) {
    if (outbound_) {
        outbound_->forget(subscriber);
    }
}

void WireConnection::tick(TimePoint now) {
    if (closed()) {
        return;
    }
    const auto& timeout = shard_.options().send_timeout;
    if (closing_ && now - close_started_ > std::min<std::chrono::steady_clock::duration>(
                                               timeout.value_or(kCloseTimeout), kCloseTimeout)) {
        fail("did not close within the close timeout");
    } else if (outbound_ && timeout && now - last_write_ > *timeout) {
        give_up("took no bytes for Send.Timeout (" + std::to_string(timeout->count()) + " ms)");
    } else if (writable() && now - last_write_ >= shard_.options().heartbeat_interval) {
        auto heartbeat = shard_.outbounds().take();
        heartbeat->append_bytes(wire::kValidateMessage);
        write(std::move(heartbeat));
    }
}

void WireConnection::close() {
    if (closing_ || closed()) {
        return;
    }
    closing_ = true;
    close_started_ = shard_.now();
    if (!outbound_) {
        write_goodbye();
    }
}

void WireConnection::write_goodbye() {
    boost::system::error_code error;
    socket_.write_some(boost::asio::buffer(wire::kCloseMessage), error);
    if (error && !would_block(error)) {  // a peer that reads nothing is cut off by tick()
        fail("write failed: " + error.message());
    }
}

void WireConnection::drop() {
    owner_ = nullptr;
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void WireConnection::give_up(std::string_view what) {
    Owner* owner = owner_;
    drop();
    if (owner != nullptr) {
        owner->connection_unusable(what);
    }
}

void WireConnection::fail(std::string_view what) {
    Owner* owner = owner_;
    drop();
    if (owner != nullptr) {
        owner->connection_failed(what);
    }
}

}  // namespace squall::pool
