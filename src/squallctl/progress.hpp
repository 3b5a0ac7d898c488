#pragma once

#include <chrono>
#include <cstdint>

namespace squall::ctl {

/// A progress line on stderr every second, from the first full second on; on a terminal each
/// overwrites the last and the destructor wipes it.
/// Threads: used by one thread.
class Progress {
public:
    using Clock = std::chrono::steady_clock;

    Progress(std::uint64_t total_events, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// One more event is sent.
    void count() { ++events_; }

    /// When the next line is due.
    Clock::time_point next() const { return next_; }

    void show_if_due();

private:
    const std::uint64_t total_events_;
    const bool quiet_;
    const bool is_terminal_;
    const Clock::time_point start_;
    Clock::time_point next_;
    std::uint64_t events_ = 0;
    bool is_line_open_ = false;
};

}  // namespace squall::ctl
