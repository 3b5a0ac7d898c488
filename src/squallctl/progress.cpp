#include "squallctl/progress.hpp"

#include <unistd.h>

#include <cstdio>

#include "squallctl/summary.hpp"

namespace squall::ctl {
namespace {

constexpr std::chrono::seconds kInterval{1};
constexpr const char* kWipeLine = "\r\x1b[K";

}  // namespace

Progress::Progress(std::uint64_t total_events, bool quiet)
    : total_events_(total_events),
      quiet_(quiet),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + kInterval) {}

Progress::~Progress() {
    if (is_line_open_) {
        std::fputs(kWipeLine, stderr);
    }
}

void Progress::show_if_due() {
    const auto now = Clock::now();
    if (now < next_) {
        return;
    }
    next_ = now + kInterval;
    if (quiet_) {
        return;
    }
    std::fprintf(stderr, "%s%llu of %llu events, %.0f events/s%s", is_terminal_ ? kWipeLine : "",
                 static_cast<unsigned long long>(events_),
                 static_cast<unsigned long long>(total_events_), rate_of(events_, now - start_),
                 is_terminal_ ? "" : "\n");
    is_line_open_ = is_terminal_;
}

}  // namespace squall::ctl
