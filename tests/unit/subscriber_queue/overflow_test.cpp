#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using test::joined;
using test::QueueDriver;
using test::range;

/// Events that may be in flight at once, and so do not count as waiting (behaviour reference 6.6).
int reserve_of(DeliveryMode mode) {
    switch (mode) {
        case DeliveryMode::kOrdered:
            return 1;
        case DeliveryMode::kBatch:
            return 0;
        default:
            return 5;
    }
}

QueueDriver bounded(DeliveryMode mode, int limit, OverflowPolicy policy, int retry_count = 0) {
    return QueueDriver({.mode = mode,
                        .retry_count = retry_count,
                        .options = {.queue_size_max = limit, .overflow_policy = policy}});
}

QueueDriver dropping(DeliveryMode mode, int limit) {
    return bounded(mode, limit, OverflowPolicy::kDropEvents);
}

QueueDriver removing(DeliveryMode mode, int limit, int retry_count = 0) {
    return bounded(mode, limit, OverflowPolicy::kRemoveSubscriber, retry_count);
}

struct NameOfCase {
    std::string operator()(
        const ::testing::TestParamInfo<std::tuple<DeliveryMode, int>>& info) const {
        const auto [mode, limit] = info.param;
        return std::string(to_string(mode)) + "Limit" + std::to_string(limit);
    }
};

class OverflowTest : public ::testing::TestWithParam<std::tuple<DeliveryMode, int>> {
protected:
    DeliveryMode mode() const { return std::get<0>(GetParam()); }
    int limit() const { return std::get<1>(GetParam()); }
    int reserve() const { return reserve_of(mode()); }
    std::size_t size(int count) const { return static_cast<std::size_t>(count); }
};

INSTANTIATE_TEST_SUITE_P(ModesAndLimits, OverflowTest,
                         ::testing::Combine(::testing::ValuesIn(test::kAllModes),
                                            ::testing::Values(1, 2, 100)),
                         NameOfCase());

// Reported fault B36.
TEST_P(OverflowTest, RemovesTheSubscriberAtTheEventAfterLimitAndReserve) {
    QueueDriver driver = removing(mode(), limit());
    const int room = limit() + reserve();
    for (int number = 1; number <= room; ++number) {
        ASSERT_EQ(driver.push(number), PushResult::kQueued) << number;
        ASSERT_EQ(driver.state(), State::kOnline);
    }
    EXPECT_EQ(driver.push(room + 1), PushResult::kOverflow);
    EXPECT_EQ(driver.state(), State::kFailed);
    EXPECT_EQ(driver.queue().removal_reason(), RemovalReason::kQueueOverflow);
    EXPECT_EQ(driver.counters().dropped_overflow, size(limit() + 1));
    EXPECT_EQ(driver.push(room + 2), PushResult::kDiscarded);
    EXPECT_EQ(driver.drain(), range(1, reserve()));
}

TEST_P(OverflowTest, RemovesTheSubscriberWhateverItsRetryCount) {
    QueueDriver driver = removing(mode(), limit(), -1);
    driver.push(range(1, limit() + reserve()));
    EXPECT_EQ(driver.push(0), PushResult::kOverflow);
    EXPECT_EQ(driver.state(), State::kFailed);
}

TEST_P(OverflowTest, DoesNotCountWhatIsInFlight) {
    QueueDriver driver = removing(mode(), limit());
    driver.push(range(1, reserve()));
    ASSERT_EQ(driver.take_all(), range(1, reserve()));
    for (int number = 1; number <= limit(); ++number) {
        ASSERT_EQ(driver.push(reserve() + number), PushResult::kQueued) << number;
    }
    EXPECT_EQ(driver.queue().waiting(), size(limit()));
    EXPECT_EQ(driver.push(0), PushResult::kOverflow);
    EXPECT_EQ(driver.queue().in_flight(), size(reserve()));
    driver.deliver(range(1, reserve()));
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_EQ(driver.state(), State::kFailed);
}

TEST_P(OverflowTest, DropEventsKeepsTheReserveAndTheLastOnes) {
    QueueDriver driver = dropping(mode(), limit());
    const int room = limit() + reserve();
    const int last = room + 50;
    for (int number = 1; number <= last; ++number) {
        ASSERT_EQ(driver.push(number),
                  number <= room ? PushResult::kQueued : PushResult::kDroppedOldest);
    }
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(driver.counters().dropped_overflow, 50U);
    EXPECT_EQ(driver.drain(), joined(range(1, reserve()), range(last - limit() + 1, last)));
}

TEST_P(OverflowTest, DropEventsKeepsWhatIsInFlightAndTheLastOnes) {
    QueueDriver driver = dropping(mode(), limit());
    driver.push(range(1, reserve()));
    driver.take_all();
    driver.push(range(101, 400));
    EXPECT_EQ(driver.counters().dropped_overflow, size(300 - limit()));
    driver.deliver(range(1, reserve()));
    EXPECT_EQ(driver.drain(), range(400 - limit() + 1, 400));
}

TEST_P(OverflowTest, DrainedQueueHasItsWholeRoomAgain) {
    QueueDriver driver = removing(mode(), limit());
    const int room = limit() + reserve();
    for (int round = 0; round < 5; ++round) {
        driver.push(range(1, room));
        ASSERT_EQ(driver.drain(), range(1, room));
    }
    EXPECT_EQ(driver.state(), State::kOnline);
}

TEST_P(OverflowTest, OfflineSubscriberDoesNotOverflow) {
    QueueDriver driver = removing(mode(), limit(), -1);
    driver.failed_softly();
    driver.push(range(1, limit() + reserve() + 10));
    EXPECT_EQ(driver.state(), State::kOffline);
    EXPECT_EQ(driver.counters().dropped_offline, size(limit() + reserve() + 10));
}

// Behaviour reference 13.6: the stress test publishes 5000 events before its subscriber answers.
TEST(OverflowCasesTest, StressTestSeesEventZeroAndTheLastTwoThousand) {
    for (const bool taken_at_once : {true, false}) {
        QueueDriver driver = dropping(DeliveryMode::kOrdered, 2000);
        driver.push(0);
        if (taken_at_once) {
            ASSERT_EQ(driver.take(), 0);
        }
        driver.push(range(1, 4999));
        if (taken_at_once) {
            driver.reply(0);
        }
        const std::vector<int> first = taken_at_once ? std::vector<int>() : std::vector{0};
        EXPECT_EQ(driver.drain(), joined(first, range(3000, 4999)));
    }
}

TEST(OverflowCasesTest, StressTestSubscriberIsRemovedAfterEventZero) {
    QueueDriver driver = removing(DeliveryMode::kOrdered, 2000, -1);
    driver.push(range(0, 4999));
    EXPECT_EQ(driver.state(), State::kFailed);
    EXPECT_EQ(driver.drain(), range(0, 0));
}

// Behaviour reference 6.6: N = 3, a first event that is stuck, e1 to e7.
TEST(OverflowCasesTest, StuckEventIsFollowedByTheLastThree) {
    QueueDriver driver = dropping(DeliveryMode::kOrdered, 3);
    driver.push(0);
    driver.take();
    driver.push(range(1, 7));
    driver.reply(0);
    EXPECT_EQ(driver.drain(), range(5, 7));
}

// Reported fault B37.
TEST(OverflowCasesTest, FrozenSubscriberGetsTheNewestAfterTheThaw) {
    QueueDriver driver = dropping(DeliveryMode::kOrdered, 100);
    driver.push(range(1, 1000));
    EXPECT_EQ(driver.drain(), joined(range(1, 1), range(901, 1000)));
    EXPECT_EQ(driver.counters().dropped_overflow, 1000U - driver.counters().delivered);
}

TEST(OverflowCasesTest, ReservesOnlyTheFreePartOfTheWindow) {
    QueueDriver driver = dropping(DeliveryMode::kTwoway, 2);
    driver.push(range(1, 3));
    ASSERT_EQ(driver.take_all(), range(1, 3));
    driver.push(range(4, 7));
    EXPECT_EQ(driver.counters().dropped_overflow, 0U);
    driver.push(range(8, 10));
    EXPECT_EQ(driver.counters().dropped_overflow, 3U);
    EXPECT_EQ(driver.take_all(), range(4, 5));
    driver.deliver(range(1, 5));
    EXPECT_EQ(driver.drain(), range(9, 10));
}

TEST(OverflowCasesTest, ReplyMakesRoomForExactlyOneMore) {
    QueueDriver driver = removing(DeliveryMode::kTwoway, 2);
    driver.push(range(1, 5));
    driver.take_all();
    driver.push(range(6, 7));
    driver.reply(3);
    EXPECT_EQ(driver.push(8), PushResult::kQueued);
    EXPECT_EQ(driver.push(9), PushResult::kOverflow);
    EXPECT_EQ(driver.take_all(), range(6, 6));
}

TEST(OverflowCasesTest, OnewayBeyondItsReserveInFlightStillHasTheWholeLimit) {
    QueueDriver driver = removing(DeliveryMode::kOneway, 2);
    for (int number = 1; number <= 8; ++number) {
        driver.push(number);
        driver.take();
    }
    ASSERT_EQ(driver.queue().in_flight(), 8U);
    EXPECT_EQ(driver.push(9), PushResult::kQueued);
    EXPECT_EQ(driver.push(10), PushResult::kQueued);
    EXPECT_EQ(driver.push(11), PushResult::kOverflow);
    EXPECT_EQ(driver.counters().dropped_overflow, 3U);
    driver.sent(8);
    EXPECT_EQ(driver.counters().delivered, 8U);
}

TEST(OverflowCasesTest, NegativeLimitIsNone) {
    for (const int limit : {-1, -7}) {
        for (const OverflowPolicy policy :
             {OverflowPolicy::kDropEvents, OverflowPolicy::kRemoveSubscriber}) {
            QueueDriver driver = bounded(DeliveryMode::kOrdered, limit, policy);
            driver.push(range(1, 10000));
            EXPECT_EQ(driver.queue().waiting(), 10000U);
            EXPECT_EQ(driver.drain(), range(1, 10000));
        }
    }
}

TEST(OverflowCasesTest, LimitZeroDropsTheNewEventBeyondTheReserve) {
    for (const DeliveryMode mode : test::kAllModes) {
        QueueDriver driver = dropping(mode, 0);
        driver.push(range(1, reserve_of(mode)));
        EXPECT_EQ(driver.push(100), PushResult::kDroppedOldest);
        driver.take_all();
        EXPECT_EQ(driver.push(101), PushResult::kDroppedOldest);
        EXPECT_EQ(driver.counters().dropped_overflow, 2U);
        driver.deliver(range(1, reserve_of(mode)));
        EXPECT_TRUE(driver.queue().idle());
        EXPECT_FALSE(driver.has_work());
    }
}

TEST(OverflowCasesTest, LimitZeroRemovesAtTheFirstEventBeyondTheReserve) {
    for (const DeliveryMode mode : test::kAllModes) {
        QueueDriver driver = removing(mode, 0);
        driver.push(range(1, reserve_of(mode)));
        EXPECT_EQ(driver.state(), State::kOnline);
        EXPECT_EQ(driver.push(100), PushResult::kOverflow);
        EXPECT_EQ(driver.drain(), range(1, reserve_of(mode)));
    }
}

// Reported fault B43.
TEST(OverflowCasesTest, BurstsBelowTheLimitAreJudgedAlone) {
    QueueDriver driver = removing(DeliveryMode::kTwoway, 100);
    for (int burst = 0; burst < 5; ++burst) {
        driver.push(range(1, 80));
        ASSERT_EQ(driver.drain(), range(1, 80));
        driver.advance(std::chrono::seconds{70});
    }
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(test::dropped(driver.counters()), 0U);
}

}  // namespace
}  // namespace squall::queue
