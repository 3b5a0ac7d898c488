#pragma once

#include <Ice/Ice.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

namespace squall::ctl {

/// The wish to end, from SIGINT, SIGTERM or SIGHUP or from the program itself.
/// The first signal asks; a later one ends the process at once with exit code 1, unless it comes
/// within half a second: whoever forwards signals (`timeout`, a shell) often sends one twice.
/// Make it before the communicator, whose threads must inherit the blocked signals.
/// Threads: locked by `mutex_`; signals arrive on a thread of their own.
class Interrupt {
public:
    using Clock = std::chrono::steady_clock;

    Interrupt();

    /// Asks to end.
    void stop();

    bool stopped() const;

    /// Returns at `deadline`, or as soon as somebody asks to end; true when somebody has.
    bool wait_until(Clock::time_point deadline) const;

    /// Called once by whoever asks to end (at once when that has happened), under no lock. What it
    /// refers to must outlive the communicator's threads and this object, or own itself.
    void on_stop(std::function<void()> callback);

private:
    void on_signal();

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    bool stopped_ = false;
    std::optional<Clock::time_point> signalled_;
    std::function<void()> callback_;

    Ice::CtrlCHandler handler_;
};

}  // namespace squall::ctl
