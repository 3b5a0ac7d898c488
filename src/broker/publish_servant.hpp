#pragma once

#include <Ice/Object.h>
#include <spdlog/logger.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "broker/mutex.hpp"
#include "broker/unknown_requests.hpp"
#include "event_store/ledger.hpp"
#include "publisher_pool/served_objects.hpp"
#include "wire/bytes.hpp"

namespace squall::broker {

/// All objects of the Publish adapter, for requests that come over Ice's transports; the pool does
/// the same for plain tcp. To a publisher every operation, ice_ping and its like included, is an
/// event for its route, and is answered with success and an empty result (behaviour reference 1.3).
/// Threads: any. `mutex_` guards the table.
class PublishServant final : public Ice::BlobjectArray {
public:
    /// The ledger must outlive the servant.
    PublishServant(event::Ledger& ledger, const std::shared_ptr<spdlog::logger>& logger);

    /// Throws std::runtime_error where an object with this identity is served.
    void serve(const pool::ServedObjectPtr& object);
    void withdraw(const Ice::Identity& identity);

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                    std::vector<Ice::Byte>& results, const Ice::Current& current) override;

private:
    /// Throws ObjectNotExistException or FacetNotExistException.
    pool::ServedObject::Kind find(const Ice::Current& current, std::shared_ptr<pool::Route>& route);

    /// A request to a link object, executed as the pool executes it.
    void forward(wire::ByteView parameters, const pool::Route& route,
                 std::vector<Ice::Byte>& results, const Ice::Current& current);

    event::Ledger& ledger_;
    const std::shared_ptr<spdlog::logger> logger_;
    UnknownRequests unknown_;
    std::atomic<std::uint64_t> skips_{0};  ///< counts alone; pairs with nothing
    Mutex mutex_;
    pool::ServedObjects objects_ SQUALL_GUARDED_BY(mutex_);
};

}  // namespace squall::broker
