#pragma once

#include <cstdint>
#include <string_view>

namespace squall::queue {

/// Why a subscriber was removed by the broker (behaviour reference 6.2).
enum class RemovalReason : std::uint8_t {
    kObjectNotExist,    ///< its object, or its adapter, is gone
    kQueueOverflow,     ///< queue full under RemoveSubscriber
    kRetriesExhausted,  ///< more consecutive soft failures than retryCount
};

std::string_view to_string(RemovalReason reason);

}  // namespace squall::queue
