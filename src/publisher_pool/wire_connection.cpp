#include "publisher_pool/wire_connection.hpp"

#include <algorithm>
#include <utility>

#include "publisher_pool/shard.hpp"
#include "wire/compression.hpp"

namespace squall::pool {
namespace {

/// How long a peer may take to close after our goodbye.
constexpr std::chrono::seconds kCloseTimeout{2};

bool would_block(const boost::system::error_code& error) {
    return error == boost::asio::error::would_block || error == boost::asio::error::try_again;
}

}  // namespace

WireConnection::WireConnection(Shard& shard, boost::asio::ip::tcp::socket socket, Owner& owner)
    : shard_(shard),
      socket_(std::move(socket)),
      owner_(&owner),
      last_write_(shard.now()),
      last_heard_(shard.now()) {}

void WireConnection::start() {
    await_readable();
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

void WireConnection::await_readable() {
    socket_.async_wait(boost::asio::ip::tcp::socket::wait_read,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                           if (error || self->closed()) {
                               return;
                           }
                           self->shard_.update_time();
                           self->read();
                       });
}

void WireConnection::read() {
    wire::Buffer& buffer = shard_.read_buffer();
    boost::system::error_code error;
    const std::size_t bytes = socket_.read_some(boost::asio::buffer(buffer), error);
    if (error) {
        if (would_block(error)) {
            await_readable();
        } else {
            fail(error == boost::asio::error::eof ? "closed by the subscriber without goodbye"
                                                  : "read failed: " + error.message());
        }
        return;
    }
    last_heard_ = shard_.now();
    const wire::ByteView arrived(buffer.data(), bytes);
    if (partial_.empty()) {
        const std::size_t used = handle_messages(arrived);
        partial_.assign(arrived.begin() + static_cast<std::ptrdiff_t>(used), arrived.end());
    } else {
        partial_.insert(partial_.end(), arrived.begin(), arrived.end());
        const std::size_t used = handle_messages(partial_);
        partial_.erase(partial_.begin(), partial_.begin() + static_cast<std::ptrdiff_t>(used));
    }
    if (!closed()) {
        await_readable();
    }
}

std::size_t WireConnection::handle_messages(wire::ByteView bytes) {
    std::size_t used = 0;
    while (!closed() && bytes.size() - used >= wire::kHeaderSize) {
        const wire::ByteView rest = bytes.subspan(used);
        wire::Header header{};
        const std::uint32_t limit = shard_.options().message_size_max;
        const wire::WireError bad =
            wire::parse_header(rest.first(wire::kHeaderSize), limit, header);
        if (bad == wire::WireError::kTooLarge) {
            give_up("sent a message of " + std::to_string(header.size) +
                    " bytes, more than Ice.MessageSizeMax allows (" + std::to_string(limit) + ")");
            break;
        }
        if (bad != wire::WireError::kNone) {
            give_up("sent a broken message: " + std::string(wire::to_string(bad)));
            break;
        }
        if (rest.size() < header.size) {
            break;
        }
        handle_message(header, rest.first(header.size));
        used += header.size;
    }
    return used;
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
