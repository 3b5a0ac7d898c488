#include "broker/lenient_modes.hpp"

#include <algorithm>
#include <array>

namespace squall::broker {

bool is_idempotent(std::string_view operation) {
    static constexpr std::array<std::string_view, 14> kOperations{
        "getLinkInfoSeq", "getLinkProxy",   "getName",           "getNonReplicatedPublisher",
        "getPublisher",   "getReplicaNode", "getSliceChecksums", "ice_id",
        "ice_ids",        "ice_isA",        "ice_ping",          "retrieve",
        "retrieveAll",    "unsubscribe"};
    return std::find(kOperations.begin(), kOperations.end(), operation) != kOperations.end();
}

}  // namespace squall::broker
