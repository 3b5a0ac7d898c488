#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace squall::ctl {

/// "published 10 events in 0.002 s (5000 events/s)": the last line of publish and subscribe.
std::string summarize(const std::string& verb, std::uint64_t events,
                      std::chrono::duration<double> elapsed);

/// Events per second, 0 when no time has passed.
double rate_of(std::uint64_t events, std::chrono::duration<double> elapsed);

}  // namespace squall::ctl
