#include "publisher_pool/acceptor.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "publisher_pool/log.hpp"
#include "publisher_pool/shard.hpp"

namespace squall::pool {
namespace {

namespace asio = boost::asio;

/// When no connection can be accepted, such as with all descriptors in use, until the next try.
constexpr std::chrono::milliseconds kPause{200};

}  // namespace

Acceptor::Acceptor(Shard& home, const Route::Shards& shards, const PoolOptions& options,
                   const tcp::endpoint& address, bool dual_stack)
    : home_(home), shards_(shards), acceptor_(home.io()), pause_(home.io()) {
    acceptor_.open(address.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    if (address.protocol() == tcp::v6()) {
        acceptor_.set_option(asio::ip::v6_only(!dual_stack));
    }
    if (options.network.receive_buffer) {
        acceptor_.set_option(
            asio::socket_base::receive_buffer_size(*options.network.receive_buffer));
    }
    if (options.network.send_buffer) {
        acceptor_.set_option(asio::socket_base::send_buffer_size(*options.network.send_buffer));
    }
    acceptor_.bind(address);
    acceptor_.listen(options.network.backlog);
    address_ = acceptor_.local_endpoint();
}

void Acceptor::start() {
    accept();
}

void Acceptor::stop() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
}

Shard& Acceptor::emptiest_shard() const {
    const auto fewer = [](const auto& a, const auto& b) {
        return a->ingress().connections() < b->ingress().connections();
    };
    return **std::min_element(shards_.begin(), shards_.end(), fewer);
}

void Acceptor::accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
        if (acceptor_.is_open()) {
            accepted(error, std::move(socket));
        }
    });
}

void Acceptor::accepted(const boost::system::error_code& error, tcp::socket socket) {
    if (!error) {
        if (std::exchange(failures_, 0) > 0) {
            log()->info("accepting publishers again address={}:{}", address_.address().to_string(),
                        address_.port());
        }
        hand_over(std::move(socket));
    } else if (error != asio::error::connection_aborted) {
        try_again_later(error);
        return;
    }
    accept();
}

void Acceptor::hand_over(tcp::socket socket) {
    Shard& target = emptiest_shard();
    boost::system::error_code error;
    tcp::socket moved(target.io());
    const int descriptor = socket.release();
    moved.assign(address_.protocol(), descriptor, error);
    if (error) {
        log()->error("cannot serve a publisher address={}:{} reason={}",
                     address_.address().to_string(), address_.port(), quoted(error.message()));
        ::close(descriptor);
        return;
    }
    target.ingress().expect();
    asio::post(target.io(), [&target, own = std::move(moved)]() mutable {
        target.ingress().adopt(std::move(own));
    });
}

void Acceptor::try_again_later(const boost::system::error_code& error) {
    if (std::has_single_bit(++failures_)) {
        log()->error(
            "cannot accept publishers address={}:{} reason={} times={} action=\"raise the limit of "
            "open files (ulimit -n, LimitNOFILE=) or end connections\"",
            address_.address().to_string(), address_.port(), quoted(error.message()), failures_);
    }
    pause_.expires_after(kPause);
    pause_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled && acceptor_.is_open()) {
            accept();
        }
    });
}

}  // namespace squall::pool
