#pragma once

#include <Ice/Current.h>
#include <spdlog/logger.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace squall::broker {

/// Says in the log that a request was for nobody; without it a oneway publisher of a destroyed
/// topic would lose its events unseen. The line comes with the first, second, fourth, eighth ...
/// such request.
/// Threads: any.
class UnknownRequests {
public:
    explicit UnknownRequests(std::shared_ptr<spdlog::logger> logger) : logger_(std::move(logger)) {}

    void log(const Ice::Current& current);

private:
    const std::shared_ptr<spdlog::logger> logger_;
    /// Counts alone; pairs with nothing.
    std::atomic<std::uint64_t> requests_{0};
};

}  // namespace squall::broker
