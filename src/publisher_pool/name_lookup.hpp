#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace squall::pool {

/// One asynchronous operation: resolves a host name on a thread of its own, so that a name that
/// takes long holds up no other name, no shard and no stop. At most kRunningMax lookups run in the
/// process; one more fails at once.
/// Threads: confined to the executor of the io_context, but for the lookup itself.
class NameLookup {
public:
    using Addresses = std::vector<boost::asio::ip::tcp::endpoint>;
    using Handler = std::function<void(const boost::system::error_code&, const Addresses&)>;

    static constexpr int kRunningMax = 64;

    NameLookup() = default;
    ~NameLookup() { cancel(); }
    NameLookup(const NameLookup&) = delete;
    NameLookup& operator=(const NameLookup&) = delete;

    /// The handler is called once on the io_context, with IPv4 addresses first, as Ice prefers
    /// them, unless cancel() comes before. An earlier lookup is cancelled.
    void start(boost::asio::io_context& io, const std::string& host, std::uint16_t port,
               Handler handler);

    /// The handler is not called any more, and the io_context not touched.
    void cancel();

private:
    struct Shared;
    static void look_up(const std::shared_ptr<Shared>& shared, const std::string& host,
                        std::uint16_t port);

    std::shared_ptr<Shared> shared_;
};

}  // namespace squall::pool
