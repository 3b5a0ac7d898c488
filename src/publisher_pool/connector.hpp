#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "publisher_pool/name_lookup.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/wire_target.hpp"

namespace squall::pool {

/// One asynchronous operation: connects to the first of several endpoints that lets itself be
/// connected and sends Ice's validation message (behaviour reference 12.5). Names are resolved,
/// and all their addresses tried, in order; when nothing answers the whole is tried once more, as
/// Ice does.
/// Threads: confined to the executor of the io_context.
class Connector : public std::enable_shared_from_this<Connector> {
public:
    struct Result {
        std::optional<boost::asio::ip::tcp::socket> socket;  ///< empty: nothing answered
        bool compress{false};                                ///< the endpoint's -z
        std::string what;  ///< where to, or why the last endpoint failed
    };
    using Handler = std::function<void(Result)>;

    /// The options' timeout bounds each address, connecting and validation together, and each
    /// resolution. They must outlive the connector.
    Connector(boost::asio::io_context& io, std::vector<WireEndpoint> endpoints,
              const PoolOptions& options, Handler handler);

    void start();
    /// The handler is not called any more.
    void cancel();

private:
    using tcp = boost::asio::ip::tcp;

    void try_endpoint();
    void resolve(const WireEndpoint& endpoint);
    void try_address();
    void open_socket();
    void read_validation();
    void check_validation();
    void next_address(std::string_view why);
    void next_endpoint(std::string_view why);
    void finish(Result result);
    void arm_timer(std::string_view what);

    // Constant after construction.
    boost::asio::io_context& io_;
    const std::vector<WireEndpoint> endpoints_;
    const std::optional<std::chrono::milliseconds> timeout_;
    const NetworkOptions& network_;

    Handler handler_;
    NameLookup lookup_;
    tcp::socket socket_;
    boost::asio::steady_timer timer_;
    std::vector<tcp::endpoint> addresses_;
    std::size_t endpoint_{0};
    std::size_t address_{0};
    int round_{0};
    /// Grows with each step, so that what an abandoned step still reports is told apart.
    unsigned step_{0};
    std::array<std::uint8_t, 14> validation_{};
    std::string failure_;
};

}  // namespace squall::pool
