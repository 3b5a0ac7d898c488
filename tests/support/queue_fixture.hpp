#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event_store/event.hpp"
#include "event_store/ledger.hpp"
#include "subscriber_queue/subscriber_queue.hpp"
#include "wire/tail.hpp"

namespace squall::test {

/// The numbers `first` to `last`; none if there is nothing between them.
inline std::vector<int> range(int first, int last) {
    std::vector<int> numbers(first <= last ? static_cast<std::size_t>(last - first) + 1 : 0);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

inline std::vector<int> joined(std::vector<int> left, const std::vector<int>& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Time that moves only when told. Threads: one.
class ManualClock {
public:
    queue::TimePoint now() const { return now_; }
    void advance(std::chrono::nanoseconds by) { now_ += by; }

private:
    queue::TimePoint now_{std::chrono::hours{1}};
};

/// Smallest tail that EventMaker makes: operation, mode, no context, a number in an encapsulation.
inline constexpr std::size_t kSmallestTail = 18;

struct EventShape {
    std::uint8_t mode{0};
    std::size_t tail_bytes{kSmallestTail};
};

/// Makes events that carry a number and have an exact size. Threads: one.
class EventMaker {
public:
    event::EventPtr make(int number, EventShape shape = {}) {
        std::vector<std::uint8_t> encapsulation(10 + shape.tail_bytes - kSmallestTail);
        store(encapsulation, 0, static_cast<std::uint32_t>(encapsulation.size()));
        encapsulation[4] = encapsulation[5] = 1;
        store(encapsulation, 6, static_cast<std::uint32_t>(number));
        return event::Event::make(ledger_, "event", shape.mode, {}, encapsulation);
    }

    static int number_of(const event::Event& event) {
        wire::TailView view;
        if (wire::parse_tail(event.tail(), view) != wire::WireError::kNone) {
            ADD_FAILURE() << "an event of the queue has a broken tail";
            return -1;
        }
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            number |= static_cast<std::uint32_t>(view.encapsulation[6 + i]) << (8 * i);
        }
        return static_cast<int>(number);
    }

    const event::Ledger& ledger() const { return ledger_; }

private:
    static void store(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }

    event::Ledger ledger_;
};

inline std::uint64_t dropped(const queue::Counters& counters) {
    return counters.dropped_overflow + counters.dropped_offline + counters.dropped_failure +
           counters.dropped_closed + counters.dropped_too_large;
}

struct QueueSetup {
    queue::DeliveryMode mode{queue::DeliveryMode::kTwoway};
    int retry_count{0};
    queue::QueueOptions options{};
};

/// A queue with a clock, driven by event numbers in place of events and tickets. Checks after every
/// step that each event pushed is either pending or counted once. Threads: one.
class QueueDriver {
public:
    explicit QueueDriver(const QueueSetup& setup = {})
        : options_(setup.options), queue_(setup.mode, setup.retry_count, options_) {}

    queue::PushResult push(int number, EventShape shape = {}) {
        ++pushed_;
        const queue::PushResult result = queue_.push(events_.make(number, shape), clock_.now());
        return checked(result);
    }

    void push(const std::vector<int>& numbers) {
        for (const int number : numbers) {
            push(number);
        }
    }

    /// The number of the event taken.
    std::optional<int> take() {
        const bool expected = has_work();
        const std::optional<queue::Issued> issued = queue_.take(clock_.now());
        EXPECT_EQ(issued.has_value(), expected) << "take() and has_work() disagree";
        if (!issued) {
            return checked(std::optional<int>());
        }
        const int number = EventMaker::number_of(*issued->event);
        tickets_[number] = issued->ticket;
        return checked(std::optional(number));
    }

    std::vector<int> take_all() {
        std::vector<int> numbers;
        while (const std::optional<int> number = take()) {
            numbers.push_back(*number);
        }
        return numbers;
    }

    /// Takes and delivers until nothing is left, letting the time pass that batches ask for.
    std::vector<int> drain() {
        std::vector<int> numbers;
        while (!queue_.idle()) {
            if (const std::optional<queue::TimePoint> deadline = queue_.next_deadline()) {
                clock_.advance(std::max(*deadline - clock_.now(), std::chrono::nanoseconds{0}));
            }
            const std::vector<int> taken = take_all();
            if (taken.empty()) {
                ADD_FAILURE() << queue_.pending() << " events are stuck";
                break;
            }
            numbers.insert(numbers.end(), taken.begin(), taken.end());
            deliver(taken);
        }
        return numbers;
    }

    /// Reports success as a link of that mode does.
    void deliver(const std::vector<int>& numbers) {
        if (queue_.mode() == queue::DeliveryMode::kOneway ||
            queue_.mode() == queue::DeliveryMode::kBatch) {
            sent(numbers.size());
            return;
        }
        for (const int number : numbers) {
            reply(number);
        }
    }

    queue::Change reply(int number, queue::Reply reply = queue::Reply::kSuccess) {
        return checked(queue_.completed(ticket(number), reply, clock_.now()));
    }

    void sent(std::size_t count) {
        queue_.sent(count);
        check();
    }
    void written(std::size_t count) { queue_.written(count); }
    void unsendable(int number) {
        queue_.unsendable(ticket(number));
        check();
    }
    queue::Change lost(queue::Loss loss) { return checked(queue_.lost(loss, clock_.now())); }
    queue::Change failed_softly() { return checked(queue_.failed_softly(clock_.now())); }
    queue::Change failed_hard(queue::RemovalReason reason = queue::RemovalReason::kObjectNotExist) {
        return checked(queue_.failed_hard(reason));
    }
    void close(bool deliver_queued) {
        queue_.close(deliver_queued);
        check();
    }
    void discard_waiting() {
        queue_.discard_waiting();
        check();
    }
    void hurry() { queue_.hurry(); }

    void advance(std::chrono::nanoseconds by) { clock_.advance(by); }
    /// To the moment at which an offline subscriber may be tried again.
    void pass_discard_interval() { clock_.advance(options_.discard_interval); }

    bool has_work() const { return queue_.has_work(clock_.now()); }
    /// The ticket that the event had when it was taken last; 0 if it never was.
    std::uint32_t ticket(int number) const {
        const auto it = tickets_.find(number);
        return it == tickets_.end() ? 0 : it->second;
    }
    queue::TimePoint now() const { return clock_.now(); }
    const queue::SubscriberQueue& queue() const { return queue_; }
    const queue::Counters& counters() const { return queue_.counters(); }
    queue::State state() const { return queue_.state(); }
    const event::Ledger& ledger() const { return events_.ledger(); }

private:
    void check() const {
        const queue::Counters& counters = queue_.counters();
        EXPECT_EQ(pushed_, counters.delivered + dropped(counters) + queue_.pending());
        EXPECT_EQ(events_.ledger().events(), queue_.pending());
    }

    template <typename T>
    T checked(T result) const {
        check();
        return result;
    }

    ManualClock clock_;
    EventMaker events_;
    queue::QueueOptions options_;
    queue::SubscriberQueue queue_;
    std::map<int, std::uint32_t> tickets_;
    std::uint64_t pushed_{0};
};

inline constexpr std::array kAllModes{queue::DeliveryMode::kTwoway, queue::DeliveryMode::kOrdered,
                                      queue::DeliveryMode::kOneway, queue::DeliveryMode::kBatch};

/// Names the cases of a suite that runs for each delivery mode.
struct NameOfMode {
    std::string operator()(const ::testing::TestParamInfo<queue::DeliveryMode>& mode) const {
        return std::string(to_string(mode.param));
    }
};

}  // namespace squall::test
