#pragma once

#include <cstdint>
#include <ctime>

namespace squall::bench {

inline constexpr std::int64_t kSecondNs = 1'000'000'000;

/// CLOCK_MONOTONIC in ns: the same clock in every process of the machine.
/// Threads: free function without state.
inline std::int64_t now_ns() noexcept {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kSecondNs + now.tv_nsec;
}

}  // namespace squall::bench
