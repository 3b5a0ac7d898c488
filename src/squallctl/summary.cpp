#include "squallctl/summary.hpp"

#include <array>
#include <cstdio>

namespace squall::ctl {

double rate_of(std::uint64_t events, std::chrono::duration<double> elapsed) {
    return elapsed.count() > 0 ? static_cast<double>(events) / elapsed.count() : 0;
}

std::string summarize(const std::string& verb, std::uint64_t events,
                      std::chrono::duration<double> elapsed) {
    std::array<char, 64> times{};
    std::snprintf(times.data(), times.size(), " in %.3f s (%.0f events/s)", elapsed.count(),
                  rate_of(events, elapsed));
    return verb + " " + std::to_string(events) + (events == 1 ? " event" : " events") +
           times.data();
}

}  // namespace squall::ctl
