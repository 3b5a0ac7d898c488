#pragma once

#include <sys/prctl.h>

#include <cstdint>
#include <ctime>

#include "clock.hpp"

namespace squall::bench {

/// Keeps a publisher at a rate: event i is due i / rate after the first. A publisher that is late
/// sends at once until it has caught up.
/// Threads: confined to its user.
class Pacer {
public:
    /// `rate` in events per second; 0 never waits.
    explicit Pacer(double rate) : interval_ns_(rate > 0 ? 1e9 / rate : 0) {
        // The kernel may otherwise wake a sleeper 50 us late.
        prctl(PR_SET_TIMERSLACK, 1UL);
    }

    /// Returns when event `index` is due.
    void wait_for(std::uint64_t index) noexcept {
        if (interval_ns_ <= 0) {
            return;
        }
        if (index == 0) {
            start_ns_ = now_ns();
        }
        const std::int64_t due =
            start_ns_ + static_cast<std::int64_t>(interval_ns_ * static_cast<double>(index));
        if (due <= now_ns()) {
            return;
        }
        const std::timespec until{due / kSecondNs, due % kSecondNs};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    }

private:
    double interval_ns_;
    std::int64_t start_ns_ = 0;
};

}  // namespace squall::bench
