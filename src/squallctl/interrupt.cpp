#include "squallctl/interrupt.hpp"

#include <cstdlib>
#include <utility>

#include "squallctl/error.hpp"

namespace squall::ctl {

namespace {

constexpr std::chrono::milliseconds kSameSignal{500};

}  // namespace

Interrupt::Interrupt() : handler_([this](int) { on_signal(); }) {}

void Interrupt::on_signal() {
    {
        const std::lock_guard lock(mutex_);
        const auto now = Clock::now();
        if (!signalled_) {
            signalled_ = now;
        } else if (now - *signalled_ > kSameSignal) {
            std::_Exit(kExitFailed);
        }
    }
    stop();
}

void Interrupt::stop() {
    std::function<void()> callback;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        callback = std::exchange(callback_, nullptr);
    }
    changed_.notify_all();
    if (callback) {
        callback();
    }
}

bool Interrupt::stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
}

bool Interrupt::wait_until(Clock::time_point deadline) const {
    std::unique_lock lock(mutex_);
    if (stopped_ || deadline <= Clock::now()) {
        // Spares the publisher that runs behind a system call per event.
        return stopped_;
    }
    return changed_.wait_until(lock, deadline, [this] { return stopped_; });
}

void Interrupt::on_stop(std::function<void()> callback) {
    {
        const std::lock_guard lock(mutex_);
        if (!stopped_) {
            callback_ = std::move(callback);
            return;
        }
    }
    callback();
}

}  // namespace squall::ctl
