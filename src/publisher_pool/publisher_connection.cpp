#include "publisher_pool/publisher_connection.hpp"

#include <boost/asio/post.hpp>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "publisher_pool/ingress.hpp"
#include "publisher_pool/log.hpp"
#include "publisher_pool/shard.hpp"
#include "publisher_pool/would_block.hpp"
#include "wire/compression.hpp"
#include "wire/header.hpp"
#include "wire/writer.hpp"

namespace squall::pool {
namespace {

namespace asio = boost::asio;

/// What waits for data; oneway events of usual size fit in.
constexpr std::size_t kFirstRead = 4096;
/// How long a peer may take to close after our goodbye.
constexpr std::chrono::seconds kCloseTimeout{2};
/// A peer that has so much to fetch is not read from.
constexpr std::size_t kUnwrittenMax = 64 * 1024;
/// What is still read at a stop, at most so many times the shard's buffer.
constexpr int kLastReads = 4;
/// What a turn decompresses before others have theirs: a few bytes may stand for a megabyte.
constexpr std::size_t kDecompressedMax = std::size_t{1024} * 1024;

std::string address_of(const asio::ip::tcp::socket& socket) {
    boost::system::error_code error;
    const auto peer = socket.remote_endpoint(error);
    if (error) {
        return "unknown";
    }
    const std::string address = peer.address().to_string();
    return (peer.address().is_v6() ? '[' + address + ']' : address) + ':' +
           std::to_string(peer.port());
}

}  // namespace

PublisherConnection::PublisherConnection(Ingress& ingress, asio::ip::tcp::socket socket)
    : ingress_(&ingress),
      socket_(std::move(socket)),
      peer_(address_of(socket_)),
      reader_(socket_, ingress.ledger(), kFirstRead, ingress.options().publisher_message_size_max),
      last_write_(ingress.shard().now()) {}

void PublisherConnection::start() {
    boost::system::error_code error;
    socket_.non_blocking(true, error);
    if (!error) {
        socket_.set_option(asio::ip::tcp::no_delay(true), error);
    }
    if (error) {
        lost(error);
        return;
    }
    trace("accepted");
    wire::put_bytes(replies_, wire::kValidateMessage);
    write_replies();
    if (ingress_ != nullptr) {
        await_data();
    }
}

void PublisherConnection::await_data() {
    reading_ = true;
    reader_.async_read(
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t bytes) {
            self->arrived(error, bytes);
        });
}

template <typename Work>
void PublisherConnection::take_turn(Work work) {
    decompressed_ = 0;
    ingress_->shard().burst(work);
    go_on();
}

void PublisherConnection::arrived(const boost::system::error_code& error, std::size_t bytes) {
    reading_ = false;
    if (ingress_ == nullptr) {
        return;
    }
    take_turn([&] {
        if (!error) {
            heard_ = true;
            take_in(bytes);
        } else if (error != asio::error::operation_aborted) {
            lost(error);
        }
        if (close_due_) {
            read_rest();
        }
    });
}

void PublisherConnection::take_in(std::size_t bytes) {
    bool more = false;
    read_messages([&](const auto& visitor) { return reader_.take_in(bytes, more, visitor); });
    if (more && !over() && backlog_.empty()) {
        read_more();
    }
}

bool PublisherConnection::read_more() {
    boost::system::error_code error;
    std::vector<std::uint8_t>& scratch = ingress_->scratch();
    read_messages([&](const auto& visitor) { return reader_.read_more(scratch, error, visitor); });
    if (error && !would_block(error)) {
        lost(error);
    }
    return !error;
}

template <typename Read>
void PublisherConnection::read_messages(Read read) {
    try {
        const wire::WireError error =
            read([this](const FrameReader::Frame& frame) { return visit(frame); });
        if (error != wire::WireError::kNone) {
            broken(error);
        }
    } catch (const std::bad_alloc&) {
        fail("no memory for its message of " + std::to_string(reader_.frames().header().size) +
             " bytes; lower Publish.MessageSizeMax or Ice.MessageSizeMax");
    }
}

wire::WireError PublisherConnection::visit(const FrameReader::Frame& frame) {
    if (over() || closing_) {
        return wire::WireError::kNone;
    }
    if (!backlog_.empty() || decompressed_ > kDecompressedMax) {
        wire::put_bytes(backlog_, frame.message);
        return wire::WireError::kNone;
    }
    return execute(frame);
}

wire::WireError PublisherConnection::execute(const FrameReader::Frame& frame) {
    if (frame.header.type == wire::MessageType::kCloseConnection) {
        end("closed by the publisher");
        return wire::WireError::kNone;
    }
    if (frame.header.compression == wire::Compression::kCompressed) {
        decompressed_ += wire::uncompressed_size(frame.message);
    }
    const wire::WireError error = ingress_->dispatcher().dispatch(frame, peer_, replies_);
    if (error == wire::WireError::kTooLarge) {
        refused_size_ = wire::uncompressed_size(frame.message);
    }
    return error;
}

void PublisherConnection::work_off_backlog() {
    const wire::Buffer messages = std::exchange(backlog_, {});
    read_messages([&](const auto& visitor) {
        FrameReader frames(ingress_->ledger(), 0);  // their sizes have been checked
        return frames.consume(messages, visitor);
    });
}

void PublisherConnection::resume() {
    paused_ = false;
    go_on();
}

void PublisherConnection::go_on() {
    if (ingress_ == nullptr) {
        return;
    }
    if (!ingress_->shard().all_handed_over()) {
        if (!std::exchange(paused_, true)) {
            ingress_->pause(shared_from_this());
        }
        return;
    }
    write_replies();
    if (ended_) {
        finish();
        return;
    }
    if (close_due_ && !closing_ && !reading_ && backlog_.empty()) {
        say_goodbye();
        write_replies();
    }
    // A peer that fetches no replies has to wait; await_writable() goes on then.
    if (!over() && !reading_ && unwritten() <= kUnwrittenMax) {
        if (backlog_.empty()) {
            await_data();
        } else {
            await_turn();
        }
    }
}

void PublisherConnection::await_turn() {
    if (std::exchange(turn_due_, true)) {
        return;
    }
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
        self->turn_due_ = false;
        if (!self->over() && !self->backlog_.empty()) {
            self->take_turn([&] { self->work_off_backlog(); });
        } else {
            self->go_on();
        }
    });
}

void PublisherConnection::write_replies() {
    while (!writing_ && unwritten() > 0) {
        if (written_ == 0) {
            last_write_ = ingress_->shard().now();
        }
        boost::system::error_code error;
        written_ +=
            socket_.write_some(asio::buffer(replies_.data() + written_, unwritten()), error);
        if (would_block(error)) {
            await_writable();
        } else if (error) {
            replies_.clear();  // they reach nobody
            written_ = 0;
            lost(error);
            return;
        }
    }
    if (unwritten() == 0 || written_ > kUnwrittenMax) {
        replies_.erase(replies_.begin(), replies_.begin() + static_cast<std::ptrdiff_t>(written_));
        written_ = 0;
    }
}

void PublisherConnection::await_writable() {
    writing_ = true;
    socket_.async_wait(asio::ip::tcp::socket::wait_write,
                       [self = shared_from_this()](const boost::system::error_code&) {
                           self->writing_ = false;
                           if (self->ingress_ != nullptr) {
                               self->ingress_->shard().update_time();
                               self->last_write_ = self->ingress_->shard().now();
                               self->go_on();
                           }
                       });
}

void PublisherConnection::tick(TimePoint now) {
    const auto& timeout = ingress_->options().send_timeout;
    if (closing_ && now - close_started_ > kCloseTimeout) {
        end("did not close after our goodbye");
    } else if (writing_ && timeout && now - last_write_ > *timeout) {
        fail("took no replies for Send.Timeout (" + std::to_string(timeout->count()) + " ms)");
    } else if (unwritten() == 0 && !closing_ &&
               now - last_write_ >= ingress_->options().heartbeat_interval) {
        wire::put_bytes(replies_, wire::kValidateMessage);
        write_replies();
    }
}

void PublisherConnection::close(TimePoint deadline) {
    if (close_due_ || ended_) {
        return;
    }
    close_due_ = true;
    close_deadline_ = deadline;
    if (reading_) {
        boost::system::error_code ignored;
        socket_.cancel(ignored);  // arrived() goes on with it
    } else if (backlog_.empty() && !paused_) {
        take_turn([this] { read_rest(); });
    }
}

void PublisherConnection::close_at_once() {
    if (!over() && !closing_) {
        close_due_ = true;
        backlog_.clear();
        say_goodbye();
        go_on();
    }
}

void PublisherConnection::read_rest() {
    for (int i = 0; i < kLastReads && !over() && backlog_.empty(); ++i) {
        if (std::chrono::steady_clock::now() >= close_deadline_ || !read_more()) {
            return;
        }
    }
}

void PublisherConnection::say_goodbye() {
    closing_ = true;
    close_started_ = ingress_->shard().now();
    wire::put_bytes(replies_, wire::kCloseMessage);
}

void PublisherConnection::broken(wire::WireError error) {
    if (over()) {
        return;
    }
    if (error == wire::WireError::kTooLarge) {
        const std::uint32_t size =
            refused_size_ != 0 ? refused_size_ : reader_.frames().header().size;
        fail("its message of " + std::to_string(size) + " bytes exceeds " +
             std::to_string(ingress_->options().publisher_message_size_max) +
             "; raise Publish.MessageSizeMax or Ice.MessageSizeMax");
    } else {
        fail("sent a broken message: " + std::string(wire::to_string(error)));
    }
}

void PublisherConnection::lost(const boost::system::error_code& error) {
    if (closing_) {
        end("closed");
    } else if (!heard_) {
        end(error.message());  // a port scan, or a health check
    } else if (error != asio::error::eof) {
        fail(error.message());
    } else if (reader_.frames().in_message()) {
        fail("ended in the middle of a message");
    } else {
        end("closed by the publisher without goodbye");
    }
}

void PublisherConnection::fail(std::string_view reason) {
    if (over()) {
        finish();
    } else if (ingress_->options().network.warn) {
        log()->warn("publisher connection lost peer={} reason={}", quoted(peer_), quoted(reason));
        finish_when_answered();
    } else {
        end(reason);
    }
}

void PublisherConnection::end(std::string_view what) {
    if (over()) {
        finish();
    } else {
        trace(what);
        finish_when_answered();
    }
}

void PublisherConnection::finish_when_answered() {
    ended_ = true;
    if (unwritten() == 0 || writing_) {
        finish();
    }  // else go_on() writes what is due, then finishes
}

void PublisherConnection::finish() {
    const auto self = shared_from_this();
    if (Ingress* ingress = ingress_) {
        drop();
        ingress->ended(self);
    }
}

void PublisherConnection::drop() {
    ingress_ = nullptr;
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void PublisherConnection::trace(std::string_view what) const {
    if (ingress_->options().network.trace) {
        log()->info("publisher connection peer={} state={}", quoted(peer_), quoted(what));
    }
}

}  // namespace squall::pool
