#pragma once

#include <Ice/Proxy.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace squall::pool {

/// One tcp endpoint of a subscriber.
struct WireEndpoint {
    std::string host;  ///< name or address
    std::uint16_t port;
    bool compress;  ///< -z
};

/// What a native link connects to. Threads: immutable.
struct WireTarget {
    std::vector<WireEndpoint> endpoints;
    /// Equal for subscribers that may share a connection.
    std::string key;
};

/// The native target of a proxy; nothing when it needs the Ice run time: another transport than
/// plain tcp, a locator, a router, a proxy server, or an endpoint chosen for every event.
std::optional<WireTarget> wire_target(const std::shared_ptr<Ice::ObjectPrx>& proxy,
                                      bool connection_cached);

}  // namespace squall::pool
