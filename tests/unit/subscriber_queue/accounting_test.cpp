#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "queue_model.hpp"
#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::EventMaker;
using test::ManualClock;
using test::QueueDriver;
using test::range;

TEST(AccountingTest, EachCauseHasItsCounter) {
    QueueDriver driver(
        {.mode = DeliveryMode::kTwoway,
         .retry_count = 1,
         .options = {.queue_size_max = 2, .overflow_policy = OverflowPolicy::kDropEvents}});
    driver.push(range(1, 10));
    driver.take_all();
    driver.reply(1);
    driver.unsendable(2);
    driver.failed_softly();
    driver.push(range(11, 14));
    driver.pass_discard_interval();
    driver.push(range(15, 21));
    driver.close(false);

    const Counters& counters = driver.counters();
    EXPECT_EQ(counters.delivered, 1U);
    EXPECT_EQ(counters.dropped_overflow, 3U);
    EXPECT_EQ(counters.dropped_too_large, 1U);
    EXPECT_EQ(counters.dropped_failure, 5U);
    EXPECT_EQ(counters.dropped_offline, 4U);
    EXPECT_EQ(counters.dropped_closed, 2U);
    EXPECT_EQ(driver.queue().pending(), 5U);
}

TEST(AccountingTest, QueueLetsGoOfItsEventsWithItself) {
    ManualClock clock;
    EventMaker events;
    const QueueOptions options;
    auto queue = std::make_unique<SubscriberQueue>(DeliveryMode::kTwoway, 0, options);
    for (int number = 0; number < 20; ++number) {
        queue->push(events.make(number), clock.now());
        queue->take(clock.now());
    }
    EXPECT_EQ(events.ledger().events(), 20U);
    queue.reset();
    EXPECT_EQ(events.ledger().events(), 0U);
}

class StallTest : public ::testing::TestWithParam<DeliveryMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, StallTest, ::testing::ValuesIn(test::kAllModes),
                         test::NameOfMode());

// Reported fault B42.
TEST_P(StallTest, BacklogIsZeroAfterEachOfAThousandStalls) {
    QueueDriver driver({.mode = GetParam(), .options = {.queue_size_max = 100}});
    for (std::size_t cycle = 0; cycle < 1000; ++cycle) {
        for (int number = 1; number <= 90; ++number) {
            const std::size_t extra_bytes = (cycle + static_cast<std::size_t>(number)) % 7 * 9;
            driver.push(number, {.tail_bytes = test::kSmallestTail + extra_bytes});
        }
        ASSERT_EQ(driver.drain().size(), 90U);
        ASSERT_EQ(driver.queue().pending(), 0U);
        ASSERT_EQ(driver.ledger().bytes(), 0U);
    }
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(driver.counters().delivered, 90'000U);
}

/// All that can be seen of a queue or a model, as text: what differs shows in the failure.
template <typename Queue>
std::string seen(const Queue& queue, TimePoint now) {
    const Counters& counters = queue.counters();
    std::ostringstream out;
    out << "state " << static_cast<int>(queue.state()) << " reason "
        << static_cast<int>(queue.removal_reason()) << " waiting " << queue.waiting()
        << " in flight " << queue.in_flight() << " failures " << queue.consecutive_failures()
        << " work " << queue.has_work(now) << " deadline ";
    const std::optional<TimePoint> deadline = queue.next_deadline();
    out << (deadline ? deadline->time_since_epoch().count() : -1) << " delivered "
        << counters.delivered << " overflow " << counters.dropped_overflow << " offline "
        << counters.dropped_offline << " failure " << counters.dropped_failure << " closed "
        << counters.dropped_closed << " too large " << counters.dropped_too_large;
    return out.str();
}

/// Takes random steps with a queue and its model, side by side.
class RandomWalk {
public:
    RandomWalk(DeliveryMode mode, std::uint32_t seed) : random_(seed), mode_(mode) {}

    /// A new queue with options of its own.
    void start() {
        constexpr std::array<int, 6> kLimits{-1, 0, 1, 2, 7, 30};
        constexpr std::array<int, 5> kRetryCounts{-1, 0, 1, 3, -7};
        constexpr std::array<int, 3> kTimeouts{0, 10, 1000};
        constexpr std::array<std::size_t, 3> kBatchBytes{0, 200, 100'000};
        options_.queue_size_max = kLimits[below(kLimits.size())];
        options_.overflow_policy =
            below(3) == 0 ? OverflowPolicy::kRemoveSubscriber : OverflowPolicy::kDropEvents;
        options_.flush_timeout = milliseconds{kTimeouts[below(kTimeouts.size())]};
        options_.discard_interval = seconds{below(3)};
        options_.batch_bytes_max = kBatchBytes[below(kBatchBytes.size())];
        const int retry_count = kRetryCounts[below(kRetryCounts.size())];
        queue_ = std::make_unique<SubscriberQueue>(mode_, retry_count, options_);
        model_ = std::make_unique<QueueModel>(mode_, retry_count, options_);
        pushed_ = 0;
    }

    void end() {
        queue_.reset();
        ASSERT_EQ(events_.ledger().events(), 0U);
        ASSERT_EQ(events_.ledger().bytes(), 0U);
    }

    bool ended() const {
        return model_->state() == State::kClosed || model_->state() == State::kFailed;
    }

    void step() {
        const std::size_t choice = below(1000);
        if (choice < 380) {
            push();
        } else if (choice < 620) {
            take();
        } else if (choice < 850) {
            report();
        } else if (choice < 940) {
            clock_.advance(milliseconds{below(700)});
        } else if (choice < 985) {
            lose();
        } else {
            interfere(below(100));
        }
        check();
    }

    int seen_change(Change change) const { return changes_[static_cast<std::size_t>(change)]; }
    int seen_push(PushResult result) const { return pushes_[static_cast<std::size_t>(result)]; }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }

    void push() {
        const std::size_t bytes = test::kSmallestTail + below(60);
        const auto mode = static_cast<std::uint8_t>(below(4));
        const event::EventPtr event = events_.make(++number_, {.mode = mode, .tail_bytes = bytes});
        const bool idempotent = mode == 1 || mode == 2;
        const PushResult result = queue_->push(event, clock_.now());
        ASSERT_EQ(result, model_->push({number_, bytes, idempotent}, clock_.now()));
        ++pushes_[static_cast<std::size_t>(result)];
        ++pushed_;
    }

    void take() {
        for (std::size_t i = below(8) + 1; i > 0; --i) {
            const std::optional<Issued> issued = queue_->take(clock_.now());
            const std::optional<QueueModel::Taken> expected = model_->take(clock_.now());
            ASSERT_EQ(issued.has_value(), expected.has_value());
            if (!issued) {
                return;
            }
            ASSERT_EQ(issued->ticket, expected->ticket);
            ASSERT_EQ(EventMaker::number_of(*issued->event), expected->number);
        }
    }

    /// The outcome of something in flight, now and then of something that is not any more.
    void report() {
        const std::vector<std::uint32_t> issued = model_->issued();
        const std::uint32_t ticket = issued.empty() || below(10) == 0
                                         ? static_cast<std::uint32_t>(below(50))
                                         : issued[below(issued.size())];
        const std::size_t count = below(issued.size() + 2);
        const bool twoway = mode_ == DeliveryMode::kTwoway || mode_ == DeliveryMode::kOrdered;
        const std::size_t choice = below(100);
        if (choice < 3) {
            queue_->unsendable(ticket);
            model_->unsendable(ticket);
        } else if (choice < 6) {
            compare(queue_->completed(ticket, Reply::kSoftFailure, clock_.now()),
                    model_->completed(ticket, Reply::kSoftFailure, clock_.now()));
        } else if (twoway && choice < 50) {
            queue_->written(count);
            model_->written(count);
        } else if (twoway || choice < 20) {
            compare(queue_->completed(ticket, Reply::kSuccess, clock_.now()),
                    model_->completed(ticket, Reply::kSuccess, clock_.now()));
        } else {
            queue_->sent(count);
            model_->sent(count);
        }
    }

    void lose() {
        constexpr std::array kLosses{Loss::kClosedAfterProgress, Loss::kClosed, Loss::kAbrupt};
        const Loss loss = kLosses[below(kLosses.size())];
        compare(queue_->lost(loss, clock_.now()), model_->lost(loss, clock_.now()));
    }

    /// What seldom happens, and mostly ends the queue.
    void interfere(std::size_t choice) {
        if (choice < 45) {
            compare(queue_->failed_softly(clock_.now()), model_->failed_softly(clock_.now()));
        } else if (choice < 65) {
            queue_->discard_waiting();
            model_->discard_waiting();
        } else if (choice < 75) {
            queue_->hurry();
            model_->hurry();
        } else if (choice < 85) {
            compare(queue_->failed_hard(RemovalReason::kObjectNotExist),
                    model_->failed_hard(RemovalReason::kObjectNotExist));
        } else {
            queue_->close(choice < 95);
            model_->close(choice < 95);
        }
    }

    void compare(Change change, Change expected) {
        ASSERT_EQ(change, expected);
        ++changes_[static_cast<std::size_t>(change)];
    }

    void check() const {
        ASSERT_EQ(seen(*queue_, clock_.now()), seen(*model_, clock_.now()));
        const Counters& counters = queue_->counters();
        ASSERT_EQ(pushed_, counters.delivered + test::dropped(counters) + queue_->pending());
        ASSERT_EQ(events_.ledger().events(), queue_->pending());
    }

    std::mt19937 random_;
    DeliveryMode mode_;
    ManualClock clock_;
    EventMaker events_;
    QueueOptions options_;
    std::unique_ptr<SubscriberQueue> queue_;
    std::unique_ptr<QueueModel> model_;
    int number_{0};
    std::uint64_t pushed_{0};
    std::array<int, 3> changes_{};
    std::array<int, 5> pushes_{};
};

class RandomWalkTest : public ::testing::TestWithParam<DeliveryMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, RandomWalkTest, ::testing::ValuesIn(test::kAllModes),
                         test::NameOfMode());

TEST_P(RandomWalkTest, QueueAndModelAgreeAtEveryStep) {
    constexpr std::uint32_t kSeed = 4711;
    constexpr int kSteps = 20'000;
    std::cout << "seed " << kSeed << '\n';
    RandomWalk walk(GetParam(), kSeed);
    walk.start();
    int steps_after_the_end = 0;
    for (int step = 0; step < kSteps; ++step) {
        ASSERT_NO_FATAL_FAILURE(walk.step()) << "seed " << kSeed << " step " << step;
        steps_after_the_end += walk.ended() ? 1 : 0;
        if (steps_after_the_end == 30) {
            steps_after_the_end = 0;
            ASSERT_NO_FATAL_FAILURE(walk.end());
            walk.start();
        }
    }
    ASSERT_NO_FATAL_FAILURE(walk.end());

    // The walk must have been everywhere.
    for (const PushResult result :
         {PushResult::kQueued, PushResult::kQueuedAsProbe, PushResult::kDroppedOldest,
          PushResult::kDiscarded, PushResult::kOverflow}) {
        EXPECT_GT(walk.seen_push(result), 10) << static_cast<int>(result);
    }
    for (const Change change : {Change::kNone, Change::kWentOffline, Change::kFailed}) {
        EXPECT_GT(walk.seen_change(change), 10) << static_cast<int>(change);
    }
}

}  // namespace
}  // namespace squall::queue
