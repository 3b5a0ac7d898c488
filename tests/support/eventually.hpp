#pragma once

#include <chrono>
#include <thread>

namespace squall::test {

/// How long a test waits for what must happen: far more than it takes even under a sanitizer on a
/// busy machine, so that only a real fault runs into it.
inline constexpr std::chrono::seconds kPatience{30};

/// Asks the predicate again and again; true as soon as it holds, false if it does not before the
/// deadline.
template <typename Predicate>
[[nodiscard]] bool eventually(std::chrono::milliseconds deadline, const Predicate& predicate) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!predicate()) {
        if (std::chrono::steady_clock::now() >= end) {
            return predicate();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

template <typename Predicate>
[[nodiscard]] bool eventually(const Predicate& predicate) {
    return eventually(kPatience, predicate);
}

}  // namespace squall::test
