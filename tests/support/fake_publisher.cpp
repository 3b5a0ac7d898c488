#include "support/fake_publisher.hpp"

#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <chrono>
#include <sstream>

#include "support/eventually.hpp"
#include "wire/header.hpp"

namespace squall::test {
namespace {

using tcp = boost::asio::ip::tcp;

bool would_block(const boost::system::error_code& error) {
    return error == boost::asio::error::would_block || error == boost::asio::error::try_again;
}

bool is_validation(const wire::Buffer& message) {
    return std::equal(message.begin(), message.end(), wire::kValidateMessage.begin(),
                      wire::kValidateMessage.end());
}

}  // namespace

FakePublisher::FakePublisher(const tcp::endpoint& broker, const FakePublisherOptions& options) {
    socket_.open(broker.protocol());
    if (options.receive_buffer_bytes != 0) {
        socket_.set_option(
            boost::asio::socket_base::receive_buffer_size(options.receive_buffer_bytes));
    }
    if (options.send_buffer_bytes != 0) {
        socket_.set_option(boost::asio::socket_base::send_buffer_size(options.send_buffer_bytes));
    }
    socket_.connect(broker);
    socket_.set_option(tcp::no_delay(true));
    socket_.non_blocking(true);
    if (options.await_validation) {
        const auto first = read_message();
        EXPECT_TRUE(first && is_validation(*first));
    }
}

bool FakePublisher::wait_for(short events) {
    pollfd waiting{socket_.native_handle(), events, 0};
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kPatience).count();
    const bool ready = ::poll(&waiting, 1, static_cast<int>(patience)) > 0;
    EXPECT_TRUE(ready) << "the broker does nothing";
    return ready;
}

bool FakePublisher::send(wire::ByteView bytes) {
    boost::system::error_code error;
    while (!bytes.empty() && !error) {
        bytes = bytes.subspan(
            socket_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), error));
        if (would_block(error) && wait_for(POLLOUT)) {
            error = {};
        }
    }
    return !error;
}

std::size_t FakePublisher::send_some(wire::ByteView bytes) {
    boost::system::error_code error;
    return socket_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), error);
}

bool FakePublisher::read(std::uint8_t* to, std::size_t count) {
    boost::system::error_code error;
    std::size_t got = 0;
    while (got < count && !error) {
        got += socket_.read_some(boost::asio::buffer(to + got, count - got), error);
        if (would_block(error) && wait_for(POLLIN)) {
            error = {};
        }
    }
    return !error;
}

std::optional<wire::Buffer> FakePublisher::read_message() {
    wire::Buffer message(wire::kHeaderSize);
    if (!read(message.data(), message.size())) {
        return std::nullopt;
    }
    wire::Header header;
    if (wire::parse_header(message, 0, header) != wire::WireError::kNone) {
        ADD_FAILURE() << "the broker sent a broken header";
        return std::nullopt;
    }
    message.resize(header.size);
    if (!read(message.data() + wire::kHeaderSize, message.size() - wire::kHeaderSize)) {
        ADD_FAILURE() << "the connection ended within a message";
        return std::nullopt;
    }
    return message;
}

Reply FakePublisher::read_reply() {
    auto message = read_message();
    while (message && is_validation(*message)) {
        message = read_message();
    }
    EXPECT_TRUE(message) << "the connection ended before the reply";
    return message ? parsed_reply(*message) : Reply{};
}

Reply FakePublisher::ask(wire::ByteView request) {
    EXPECT_TRUE(send(request));
    return read_reply();
}

bool FakePublisher::read_goodbye() {
    auto message = read_message();
    while (message && is_validation(*message)) {
        message = read_message();
    }
    return message && std::equal(message->begin(), message->end(), wire::kCloseMessage.begin(),
                                 wire::kCloseMessage.end());
}

bool FakePublisher::read_to_end() {
    std::uint8_t byte = 0;
    while (read(&byte, 1)) {
    }
    return !::testing::Test::HasFailure();
}

bool FakePublisher::can_read() {
    pollfd waiting{socket_.native_handle(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) > 0;
}

std::size_t FakePublisher::unsent_bytes() {
    int bytes = 0;
    EXPECT_EQ(::ioctl(socket_.native_handle(), SIOCOUTQ, &bytes), 0);
    return static_cast<std::size_t>(bytes);
}

std::string FakePublisher::name() const {
    std::ostringstream text;
    text << socket_.local_endpoint();
    return text.str();
}

void FakePublisher::close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void FakePublisher::cut() {
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    close();
}

}  // namespace squall::test
