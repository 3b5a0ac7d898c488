#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>

#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/route.hpp"

namespace squall::pool {

class Shard;

/// Listens on one address and gives each publisher's connection to the shard that has the fewest.
/// Threads: constructed by the owner; start() and stop() on the thread of `home`, as the rest.
class Acceptor {
public:
    using tcp = boost::asio::ip::tcp;

    /// Binds and listens, so that clients may already connect, but accepts nothing yet. With port
    /// 0 the system chooses one. With `dual_stack` the wildcard address of IPv6 serves IPv4 too.
    /// Throws boost::system::system_error.
    Acceptor(Shard& home, const Route::Shards& shards, const PoolOptions& options,
             const tcp::endpoint& address, bool dual_stack);

    /// Where it listens.
    const tcp::endpoint& address() const { return address_; }

    /// The shard whose thread start() and stop() must be called on.
    Shard& home() const { return home_; }

    void start();
    void stop();

private:
    void accept();
    void accepted(const boost::system::error_code& error, tcp::socket socket);
    void hand_over(tcp::socket socket);
    void try_again_later(const boost::system::error_code& error);
    Shard& emptiest_shard() const;

    Shard& home_;
    const Route::Shards& shards_;
    tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    tcp::endpoint address_;
    std::uint64_t failures_{0};
};

}  // namespace squall::pool
