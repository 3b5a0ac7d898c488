#include "publisher_pool/connector.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/read.hpp>
#include <utility>

#include "wire/header.hpp"

namespace squall::pool {
namespace {

constexpr int kRounds = 2;

std::string name_of(const WireEndpoint& endpoint) {
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    return (v6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" + std::to_string(endpoint.port);
}

}  // namespace

Connector::Connector(boost::asio::io_context& io, std::vector<WireEndpoint> endpoints,
                     const PoolOptions& options, Handler handler)
    : io_(io),
      endpoints_(std::move(endpoints)),
      timeout_(options.send_timeout),
      network_(options.network),
      handler_(std::move(handler)),
      socket_(io),
      timer_(io) {}

void Connector::start() {
    try_endpoint();
}

void Connector::cancel() {
    handler_ = nullptr;
    ++step_;
    timer_.cancel();
    lookup_.cancel();
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void Connector::try_endpoint() {
    const WireEndpoint& endpoint = endpoints_[endpoint_];
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(endpoint.host, error);
    addresses_.clear();
    address_ = 0;
    if (error) {
        resolve(endpoint);
        return;
    }
    addresses_.emplace_back(address, endpoint.port);
    try_address();
}

void Connector::resolve(const WireEndpoint& endpoint) {
    arm_timer("not resolved");
    // By reference: the lookup is this object's, and cancelled with it.
    lookup_.start(io_, endpoint.host, endpoint.port,
                  [this, step = step_](const boost::system::error_code& error,
                                       const NameLookup::Addresses& addresses) {
                      if (step != step_) {
                          return;
                      }
                      const auto self = shared_from_this();  // the end of it may let go of this
                      if (error) {
                          next_endpoint("cannot be resolved: " + error.message());
                          return;
                      }
                      addresses_ = addresses;
                      try_address();
                  });
}

void Connector::try_address() {
    arm_timer("not connected and validated");
    boost::system::error_code ignored;
    socket_.close(ignored);
    open_socket();
    socket_.async_connect(addresses_[address_], [self = shared_from_this(), step = step_](
                                                    const boost::system::error_code& error) {
        if (step != self->step_) {
            return;
        }
        if (error) {
            self->next_address("does not connect: " + error.message());
            return;
        }
        self->read_validation();
    });
}

void Connector::open_socket() {
    // A size that the system refuses is no reason not to connect, and async_connect() reports a
    // socket that does not open.
    boost::system::error_code ignored;
    socket_.open(addresses_[address_].protocol(), ignored);
    if (network_.receive_buffer) {
        socket_.set_option(boost::asio::socket_base::receive_buffer_size(*network_.receive_buffer),
                           ignored);
    }
    if (network_.send_buffer) {
        socket_.set_option(boost::asio::socket_base::send_buffer_size(*network_.send_buffer),
                           ignored);
    }
}

void Connector::read_validation() {
    boost::asio::async_read(
        socket_, boost::asio::buffer(validation_),
        [self = shared_from_this(), step = step_](const boost::system::error_code& error,
                                                  std::size_t) {
            if (step != self->step_) {
                return;
            }
            if (error) {
                self->next_address("closed before it validated the connection: " + error.message());
                return;
            }
            self->check_validation();
        });
}

void Connector::check_validation() {
    wire::Header header{};
    const wire::WireError bad = wire::parse_header(validation_, wire::kHeaderSize, header);
    if (bad != wire::WireError::kNone || header.type != wire::MessageType::kValidateConnection) {
        next_address("answered something else than Ice's validation message");
        return;
    }
    boost::system::error_code error;
    socket_.set_option(tcp::no_delay(true), error);
    socket_.non_blocking(true, error);
    if (error) {
        next_address("socket cannot be set up: " + error.message());
        return;
    }
    finish({std::move(socket_), endpoints_[endpoint_].compress, name_of(endpoints_[endpoint_])});
}

void Connector::next_address(std::string_view why) {
    if (++address_ < addresses_.size()) {
        try_address();
        return;
    }
    next_endpoint(why);
}

void Connector::next_endpoint(std::string_view why) {
    failure_ = name_of(endpoints_[endpoint_]) + ' ' + std::string(why);
    if (++endpoint_ == endpoints_.size()) {
        endpoint_ = 0;
        ++round_;
    }
    if (round_ == kRounds) {
        finish({std::nullopt, false, failure_});
        return;
    }
    try_endpoint();
}

void Connector::finish(Result result) {
    Handler handler = std::move(handler_);
    cancel();
    if (handler) {
        handler(std::move(result));
    }
}

void Connector::arm_timer(std::string_view what) {
    ++step_;
    if (!timeout_) {
        return;
    }
    timer_.expires_after(*timeout_);
    timer_.async_wait(
        [self = shared_from_this(), step = step_, what](const boost::system::error_code& error) {
            if (error || step != self->step_) {
                return;
            }
            ++self->step_;
            self->lookup_.cancel();
            boost::system::error_code ignored;
            self->socket_.close(ignored);
            self->next_address(std::string(what) + " within Send.Timeout (" +
                               std::to_string(self->timeout_->count()) + " ms)");
        });
}

}  // namespace squall::pool
