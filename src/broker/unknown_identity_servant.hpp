#pragma once

#include <Ice/Object.h>
#include <spdlog/logger.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace squall::broker {

/// Stands for every object that an adapter does not have: answers ObjectNotExist, or FacetNotExist
/// where only the facet is unknown, and says so in the log. Without it a oneway publisher of a
/// destroyed topic would lose its events unseen. The line comes with the first, second, fourth,
/// eighth ... such request.
/// Threads: any.
class UnknownIdentityServant : public Ice::BlobjectArray {
public:
    explicit UnknownIdentityServant(std::shared_ptr<spdlog::logger> logger)
        : logger_(std::move(logger)) {}

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                    std::vector<Ice::Byte>& results, const Ice::Current& current) override;

private:
    const std::shared_ptr<spdlog::logger> logger_;
    std::atomic<std::uint64_t> requests_{0};
};

}  // namespace squall::broker
