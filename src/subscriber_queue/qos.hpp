#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace squall::queue {

/// How the subscriber's proxy asked to be called.
enum class ProxyMode : std::uint8_t { kTwoway, kOneway, kBatchOneway, kDatagram, kBatchDatagram };

/// How events are delivered (behaviour reference 4.2).
enum class DeliveryMode : std::uint8_t {
    kTwoway,   ///< up to five requests await their reply
    kOrdered,  ///< one request at a time
    kOneway,   ///< done when written
    kBatch,    ///< gathered, written together on a timer or by size
};

std::string_view to_string(DeliveryMode mode);

/// A subscription's quality of service, checked. Threads: immutable.
struct Qos {
    DeliveryMode mode{DeliveryMode::kTwoway};
    /// Consecutive soft failures survived; -1 is unlimited. [retryCount]
    int retry_count{0};
    /// Seconds that a resolved indirect proxy is kept; -1 for ever. [locatorCacheTimeout]
    std::optional<int> locator_cache_timeout;
    /// False: an endpoint is chosen for every event. [connectionCached]
    bool connection_cached{true};
};

/// Why a QoS was refused, as the reason of BadQoS.
struct BadQos {
    std::string reason;
};

/// Checks the keys that Squall knows and ignores the others (behaviour reference 4.1).
std::variant<Qos, BadQos> parse_qos(const std::map<std::string, std::string>& values,
                                    ProxyMode proxy_mode);

}  // namespace squall::queue
