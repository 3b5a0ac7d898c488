#pragma once

#include <Ice/Object.h>
#include <spdlog/logger.h>

#include <memory>
#include <utility>
#include <vector>

#include "broker/unknown_requests.hpp"

namespace squall::broker {

/// Stands for every object that an adapter does not have: answers ObjectNotExist, or FacetNotExist
/// where only the facet is unknown, and says so in the log.
/// Threads: any.
class UnknownIdentityServant final : public Ice::BlobjectArray {
public:
    explicit UnknownIdentityServant(std::shared_ptr<spdlog::logger> logger)
        : unknown_(std::move(logger)) {}

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                    std::vector<Ice::Byte>& results, const Ice::Current& current) override;

private:
    UnknownRequests unknown_;
};

}  // namespace squall::broker
