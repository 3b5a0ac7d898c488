#include "support/fake_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/write.hpp>
#include <span>
#include <utility>

#include "wire/compression.hpp"
#include "wire/header.hpp"
#include "wire/writer.hpp"

namespace squall::test {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;
/// Any size goes.
constexpr std::uint32_t kNoLimit = 0;

Received copy_of(const wire::RequestView& view) {
    Received request;
    request.identity = view.category.empty()
                           ? std::string(view.name)
                           : std::string(view.category) + '/' + std::string(view.name);
    request.facet = std::string(view.facet);
    request.operation = std::string(view.operation);
    request.mode = view.mode;
    static_cast<void>(wire::read_context(view.context, request.context));
    request.encapsulation.assign(view.encapsulation.begin(), view.encapsulation.end());
    return request;
}

}  // namespace

int Received::number() const {
    wire::Reader reader(encapsulation);
    reader.skip(wire::kEncapsulationHeaderSize);
    return reader.i32();
}

FakeConnection::FakeConnection(boost::asio::ip::tcp::socket socket, std::size_t index,
                               Listener listener)
    : socket_(std::move(socket)),
      index_(index),
      listener_(std::move(listener)),
      chunk_(kChunkBytes) {
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
}

void FakeConnection::start_reading() {
    reading_ = true;
    read_more();
}

void FakeConnection::read_more() {
    socket_.async_read_some(
        boost::asio::buffer(chunk_),
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t bytes) {
            if (error) {
                self->end();
                return;
            }
            wire::put_bytes(self->arrived_, std::span(self->chunk_).first(bytes));
            self->handle_messages();
            if (self->open() && self->reading_) {
                self->read_more();
            }
        });
}

void FakeConnection::handle_messages() {
    std::size_t used = 0;
    const auto rest = [&] { return wire::ByteView(arrived_).subspan(used); };
    while (open() && reading_ && rest().size() >= wire::kHeaderSize) {
        wire::Header header;
        if (wire::parse_header(rest(), kNoLimit, header) != wire::WireError::kNone) {
            cut();
            break;
        }
        if (rest().size() < header.size) {
            break;
        }
        handle_message(rest().first(header.size));
        used += header.size;
    }
    arrived_.erase(arrived_.begin(), arrived_.begin() + static_cast<std::ptrdiff_t>(used));
}

void FakeConnection::handle_message(wire::ByteView message) {
    wire::Header header;
    static_cast<void>(wire::parse_header(message, kNoLimit, header));
    switch (header.type) {
        case wire::MessageType::kRequest:
        case wire::MessageType::kBatchRequest:
            if (!goodbye_sent_) {
                handle_requests(message, header.type == wire::MessageType::kBatchRequest);
            }
            break;
        case wire::MessageType::kValidateConnection:
            listener_.heartbeat(*this);
            break;
        case wire::MessageType::kCloseConnection:
            listener_.goodbye(*this);
            if (!ignores_goodbye_) {
                end();
            }
            break;
        default:
            cut();
            break;
    }
}

void FakeConnection::handle_requests(wire::ByteView message, bool batch) {
    wire::Buffer plain(message.begin(), message.end());
    wire::Header header;
    static_cast<void>(wire::parse_header(message, kNoLimit, header));
    const bool compressed = header.compression == wire::Compression::kCompressed;
    if (compressed &&
        wire::decompress_message(message, kNoLimit, plain) != wire::WireError::kNone) {
        cut();
        return;
    }
    const wire::ByteView body = wire::ByteView(plain).subspan(wire::kHeaderSize);
    const std::size_t number = messages_++;
    const auto report = [&](std::int32_t id, const wire::RequestView& view) {
        Received request = copy_of(view);
        request.id = id;
        request.connection = index_;
        request.message = number;
        request.message_bytes = message.size();
        request.batch = batch;
        request.compressed = compressed;
        listener_.request(*this, std::move(request));
    };
    wire::RequestView view;
    if (!batch) {
        std::int32_t id = 0;
        if (wire::parse_request(body, id, view) != wire::WireError::kNone) {
            cut();
            return;
        }
        report(id, view);
        return;
    }
    wire::BatchReader records(body);
    while (open() && records.next(view)) {
        report(0, view);
    }
    if (open() && records.error() != wire::WireError::kNone) {
        cut();
    }
}

void FakeConnection::send(wire::ByteView bytes) {
    boost::system::error_code ignored;  // the peer may be gone
    boost::asio::write(socket_, boost::asio::buffer(bytes.data(), bytes.size()), ignored);
}

void FakeConnection::send_bytewise(wire::ByteView bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        send(bytes.subspan(i, 1));
    }
}

void FakeConnection::validate() {
    send(wire::kValidateMessage);
}

void FakeConnection::reply(std::int32_t id, wire::ReplyStatus status) {
    send(reply_message(id, static_cast<std::uint8_t>(status)));
}

void FakeConnection::close_gracefully() {
    goodbye_sent_ = true;
    send(wire::kCloseMessage);
}

std::size_t FakeConnection::unread_bytes() const {
    boost::system::error_code ignored;
    return socket_.available(ignored);
}

void FakeConnection::cut() {
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    end();
}

void FakeConnection::end() {
    if (!open()) {
        return;
    }
    boost::system::error_code ignored;
    socket_.close(ignored);
    listener_.ended(*this);
}

wire::Buffer reply_message(std::int32_t id, std::uint8_t status) {
    wire::Buffer message;
    switch (static_cast<wire::ReplyStatus>(status)) {
        case wire::ReplyStatus::kOk:
        case wire::ReplyStatus::kUserException: {
            constexpr std::size_t kStatusOffset = wire::kHeaderSize + 4;
            wire::append_reply(message, id, wire::kEncoding11);
            message[kStatusOffset] = status;
            break;
        }
        case wire::ReplyStatus::kObjectNotExist:
        case wire::ReplyStatus::kFacetNotExist:
        case wire::ReplyStatus::kOperationNotExist:
            wire::append_not_exist(message, id, static_cast<wire::ReplyStatus>(status), "name", "",
                                   "", "operation");
            break;
        default:
            wire::append_unknown(message, id, static_cast<wire::ReplyStatus>(status),
                                 "the fake says so");
            break;
    }
    return message;
}

}  // namespace squall::test
