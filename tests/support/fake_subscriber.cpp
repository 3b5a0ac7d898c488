#include "support/fake_subscriber.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/socket_base.hpp>
#include <future>
#include <utility>

namespace squall::test {
namespace {

using tcp = boost::asio::ip::tcp;

std::string tcp_endpoint(const std::string& address, std::uint16_t port) {
    const std::string host = address.find(':') == std::string::npos ? address : '"' + address + '"';
    return "tcp -h " + host + " -p " + std::to_string(port);
}

}  // namespace

namespace scripts {

Script answer(wire::ReplyStatus status) {
    return [status](FakeConnection& connection, const Received& request) {
        if (request.id != 0) {
            connection.reply(request.id, status);
        }
    };
}

Script never_answer() {
    return [](FakeConnection&, const Received&) {};
}

Script answer_in_reverse(std::size_t count) {
    return [count, waiting = std::vector<std::int32_t>()](FakeConnection& connection,
                                                          const Received& request) mutable {
        waiting.push_back(request.id);
        if (waiting.size() == count) {
            for (; !waiting.empty(); waiting.pop_back()) {
                connection.reply(waiting.back());
            }
        }
    };
}

Script say_goodbye_after(std::size_t count) {
    return [count, left = count](FakeConnection& connection, const Received& request) mutable {
        if (left-- > 0) {
            connection.reply(request.id);
            return;
        }
        left = count;
        connection.close_gracefully();
    };
}

Script cut_after(std::size_t count) {
    return [count, left = count](FakeConnection& connection, const Received& request) mutable {
        if (left-- > 0) {
            connection.reply(request.id);
            return;
        }
        left = count;
        connection.cut();
    };
}

}  // namespace scripts

namespace welcomes {

Welcome validate_and_read() {
    return [](FakeConnection& connection) {
        connection.validate();
        connection.start_reading();
    };
}

Welcome stay_silent() {
    return [](FakeConnection& connection) { connection.start_reading(); };
}

Welcome validate_only() {
    return [](FakeConnection& connection) { connection.validate(); };
}

Welcome send_instead(wire::Buffer bytes) {
    return [bytes = std::move(bytes)](FakeConnection& connection) {
        connection.send(bytes);
        connection.start_reading();
    };
}

}  // namespace welcomes

FakeSubscriber::FakeSubscriber(FakeOptions options)
    : options_(std::move(options)), script_(options_.script) {
    const tcp::endpoint at(boost::asio::ip::make_address(options_.address), options_.port);
    acceptor_.open(at.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    if (options_.receive_buffer_bytes != 0) {
        acceptor_.set_option(
            boost::asio::socket_base::receive_buffer_size(options_.receive_buffer_bytes));
    }
    acceptor_.bind(at);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    if (options_.open) {
        accept_next();
    }
    thread_ = std::thread([this] {
        const auto work = boost::asio::make_work_guard(io_);
        io_.run();
    });
}

FakeSubscriber::FakeSubscriber(Script script)
    : FakeSubscriber(FakeOptions{.script = std::move(script)}) {}

FakeSubscriber::~FakeSubscriber() {
    io_.stop();
    thread_.join();
}

std::string FakeSubscriber::endpoint() const {
    return tcp_endpoint(options_.address, port_);
}

void FakeSubscriber::run(const std::function<void()>& task) {
    std::promise<void> done;
    boost::asio::post(io_, [&] {
        task();
        done.set_value();
    });
    done.get_future().wait();
}

void FakeSubscriber::open() {
    run([this] { accept_next(); });
}

void FakeSubscriber::set_script(Script script) {
    run([&] { script_ = std::move(script); });
}

void FakeSubscriber::for_each_connection(const std::function<void(FakeConnection&)>& action) {
    run([&] {
        for (const auto& connection : std::vector(all_)) {
            if (connection->open()) {
                action(*connection);
            }
        }
    });
}

void FakeSubscriber::cut_all() {
    for_each_connection([](FakeConnection& connection) { connection.cut(); });
}

void FakeSubscriber::accept_next() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
        if (!error) {
            accepted(std::move(socket));
            accept_next();
        }
    });
}

void FakeSubscriber::accepted(tcp::socket socket) {
    FakeConnection::Listener listener;
    listener.request = [this](FakeConnection& connection, Received request) {
        request_arrived(connection, std::move(request));
    };
    listener.heartbeat = [this](FakeConnection&) { ++heartbeats_; };
    listener.goodbye = [this](FakeConnection&) { ++goodbyes_; };
    listener.ended = [this](FakeConnection&) { --open_connections_; };
    const auto connection = std::make_shared<FakeConnection>(std::move(socket), connections_.load(),
                                                             std::move(listener));
    ++open_connections_;
    ++connections_;
    all_.push_back(connection);
    options_.welcome(*connection);
}

void FakeSubscriber::request_arrived(FakeConnection& connection, Received request) {
    {
        const std::lock_guard lock(mutex_);
        received_.push_back(request);
    }
    ++received_count_;
    script_(connection, request);
}

std::vector<Received> FakeSubscriber::received() const {
    const std::lock_guard lock(mutex_);
    return received_;
}

std::vector<int> FakeSubscriber::numbers() const {
    std::vector<int> numbers;
    for (const Received& request : received()) {
        numbers.push_back(request.number());
    }
    return numbers;
}

std::vector<int> FakeSubscriber::numbers(const std::string& identity) const {
    std::vector<int> numbers;
    for (const Received& request : received()) {
        if (request.identity == identity) {
            numbers.push_back(request.number());
        }
    }
    return numbers;
}

DeadPort::DeadPort() {
    socket_.open(tcp::v4());
    socket_.bind({boost::asio::ip::address_v4::loopback(), 0});
}

std::string DeadPort::endpoint() const {
    return tcp_endpoint("127.0.0.1", port());
}

}  // namespace squall::test
