#include "subscriber_queue/removal_reason.hpp"

namespace squall::queue {

std::string_view to_string(RemovalReason reason) {
    switch (reason) {
        case RemovalReason::kObjectNotExist:
            return "object does not exist";
        case RemovalReason::kQueueOverflow:
            return "queue full (Send.QueueSizeMax with RemoveSubscriber)";
        case RemovalReason::kRetriesExhausted:
            return "more failures in a row than retryCount";
    }
    return "unknown";
}

}  // namespace squall::queue
