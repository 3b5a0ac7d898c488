#include "squallctl/event_sender.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

namespace squall::ctl {
namespace {

constexpr std::uint64_t kWindowEvents = 1000;
constexpr std::uint64_t kWindowBytes = 4 << 20;
// Far below the 1 MiB that a broker accepts by default (Ice.MessageSizeMax).
constexpr std::uint64_t kBatchBytes = 64 << 10;
constexpr std::chrono::milliseconds kBatchDelay{100};

}  // namespace

/// What the callbacks share with the sender; they may outlive it.
/// Threads: locked by `mutex`.
struct EventSender::State {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t pending = 0;
    std::uint64_t finished = 0;
    std::exception_ptr failure;
    bool cancelled = false;
    /// A waiting sender is woken when this few events are pending: not for each one.
    std::uint64_t enough = 0;

    /// Adds `events` when at most `others` are pending; else waits until half of them are.
    [[nodiscard]] bool acquire(std::uint64_t events, std::uint64_t others) {
        std::unique_lock lock(mutex);
        if (pending > others) {
            enough = others / 2;
            changed.wait(lock, [&] { return pending <= enough || failure || cancelled; });
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
        pending += events;
        return !cancelled;
    }

    void complete(std::uint64_t events, const std::exception_ptr& error) {
        bool is_news = false;
        {
            const std::lock_guard lock(mutex);
            pending -= events;
            if (!error) {
                finished += events;
            } else if (!failure) {
                failure = error;
            }
            is_news = pending <= enough || failure;
        }
        if (is_news) {
            changed.notify_all();
        }
    }
};

EventSender::EventSender(const std::shared_ptr<Ice::ObjectPrx>& publisher, SendMode mode,
                         std::string operation, Ice::Context context, std::size_t event_bytes)
    // No timeout: a broker that slows its publishers down is no failure, and Ice 3.7.8 keeps each
    // flushed batch in memory until its invocation timeout, even when it has been sent.
    : publisher_(publisher->ice_invocationTimeout(-1)),
      mode_(mode),
      operation_(std::move(operation)),
      context_(std::move(context)),
      window_events_(std::clamp<std::uint64_t>(kWindowBytes / event_bytes, 1, kWindowEvents)),
      batch_events_max_(std::max<std::uint64_t>(kBatchBytes / event_bytes, 1)),
      state_(std::make_shared<State>()) {
    switch (mode_) {
        case SendMode::kOneway:
            publisher_ = publisher_->ice_oneway();
            break;
        case SendMode::kTwoway:
            publisher_ = publisher_->ice_twoway();
            break;
        case SendMode::kBatch:
            publisher_ = publisher_->ice_batchOneway();
            break;
    }
}

bool EventSender::send(const std::vector<Ice::Byte>& parameters) {
    if (mode_ == SendMode::kBatch) {
        std::vector<Ice::Byte> no_result;
        publisher_->ice_invoke(operation_, Ice::OperationMode::Normal, parameters, no_result,
                               context_);
        if (batch_events_++ == 0) {
            batch_started_ = Clock::now();
        }
        return batch_events_ < batch_events_max_ || flush();
    }
    if (!state_->acquire(1, window_events_ - 1)) {
        return false;
    }
    const auto failed = [state = state_](const std::exception_ptr& error) {
        state->complete(1, error);
    };
    if (mode_ == SendMode::kTwoway) {
        publisher_->ice_invokeAsync(
            operation_, Ice::OperationMode::Normal, parameters,
            [state = state_](bool, const std::vector<Ice::Byte>&) { state->complete(1, nullptr); },
            failed, nullptr, context_);
    } else {
        publisher_->ice_invokeAsync(
            operation_, Ice::OperationMode::Normal, parameters, nullptr, failed,
            [state = state_](bool) { state->complete(1, nullptr); }, context_);
    }
    return true;
}

bool EventSender::flush() {
    const auto events = std::exchange(batch_events_, 0);
    // The window holds a few whole batches.
    const auto others = std::max(window_events_, 4 * batch_events_max_) - batch_events_max_;
    if (events == 0) {
        return true;
    }
    if (!state_->acquire(events, others)) {
        return false;
    }
    publisher_->ice_flushBatchRequestsAsync(
        [state = state_, events](const std::exception_ptr& error) {
            state->complete(events, error);
        },
        [state = state_, events](bool) { state->complete(events, nullptr); });
    return true;
}

void EventSender::flush_if_due(Clock::time_point due) {
    if (batch_events_ > 0 && due > batch_started_ + kBatchDelay) {
        // A cancellation shows at the next send.
        static_cast<void>(flush());
    }
}

bool EventSender::finish() {
    return flush() && state_->acquire(0, 0);
}

std::function<void()> EventSender::canceller() const {
    return [state = state_] {
        {
            const std::lock_guard lock(state->mutex);
            state->cancelled = true;
        }
        state->changed.notify_all();
    };
}

void EventSender::abandon() {
    if (const auto connection = publisher_->ice_getCachedConnection()) {
        connection->close(Ice::ConnectionClose::Forcefully);
    }
}

std::uint64_t EventSender::finished() const {
    const std::lock_guard lock(state_->mutex);
    return state_->finished;
}

}  // namespace squall::ctl
