#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using std::chrono::milliseconds;
using test::QueueDriver;
using test::range;

class ClosingTest : public ::testing::TestWithParam<DeliveryMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, ClosingTest, ::testing::ValuesIn(test::kAllModes),
                         test::NameOfMode());

TEST_P(ClosingTest, DeliversAllThatIsQueuedIfTold) {
    QueueDriver driver({.mode = GetParam()});
    driver.push(range(1, 50));
    driver.close(true);
    EXPECT_EQ(driver.state(), State::kClosed);
    EXPECT_EQ(driver.drain(), range(1, 50));
    EXPECT_EQ(driver.state(), State::kClosed);
    EXPECT_EQ(test::dropped(driver.counters()), 0U);
}

TEST_P(ClosingTest, TakesNoMoreEvents) {
    QueueDriver driver({.mode = GetParam()});
    for (const bool deliver_queued : {true, false}) {
        driver.close(deliver_queued);
        EXPECT_EQ(driver.push(1), PushResult::kDiscarded);
    }
    EXPECT_EQ(driver.counters().dropped_offline, 2U);
    EXPECT_FALSE(driver.has_work());
}

TEST_P(ClosingTest, FailureDropsTheRestAndIsNoRemoval) {
    for (const bool hard : {false, true}) {
        QueueDriver driver({.mode = GetParam(), .retry_count = 0});
        driver.push(range(1, 10));
        driver.hurry();
        driver.take();
        driver.close(true);
        EXPECT_EQ(driver.reply(1, hard ? Reply::kHardFailure : Reply::kSoftFailure), Change::kNone);
        EXPECT_EQ(driver.state(), State::kClosed);
        EXPECT_TRUE(driver.queue().idle());
        EXPECT_EQ(driver.counters().dropped_failure, 10U);
    }
}

TEST_P(ClosingTest, EndsTheOfflineTimeForGood) {
    QueueDriver driver({.mode = GetParam(), .retry_count = -1});
    driver.failed_softly();
    driver.close(true);
    EXPECT_EQ(driver.state(), State::kClosed);
    driver.pass_discard_interval();
    EXPECT_EQ(driver.push(1), PushResult::kDiscarded);
    EXPECT_EQ(driver.failed_softly(), Change::kNone);
    EXPECT_EQ(driver.failed_hard(), Change::kNone);
    EXPECT_EQ(driver.state(), State::kClosed);
}

TEST_P(ClosingTest, RequestsLostGracefullyAreRepeated) {
    QueueDriver driver({.mode = GetParam()});
    driver.push(range(1, 3));
    driver.hurry();
    driver.take();
    driver.close(true);
    EXPECT_EQ(driver.lost(Loss::kClosed), Change::kNone);
    EXPECT_EQ(driver.drain(), range(1, 3));
}

TEST_P(ClosingTest, FailedSubscriberStaysFailed) {
    QueueDriver driver({.mode = GetParam()});
    driver.failed_hard();
    driver.close(true);
    EXPECT_EQ(driver.state(), State::kFailed);
    EXPECT_EQ(driver.queue().removal_reason(), RemovalReason::kObjectNotExist);
}

// Reported fault B55.
TEST_P(ClosingTest, OnlyTheWindowArrivesAfterAnUnsubscribe) {
    const std::vector<std::pair<DeliveryMode, int>> table{{DeliveryMode::kTwoway, 5},
                                                          {DeliveryMode::kOrdered, 1},
                                                          {DeliveryMode::kOneway, 5},
                                                          {DeliveryMode::kBatch, 0}};
    for (const auto& [mode, window] : table) {
        if (mode != GetParam()) {
            continue;
        }
        QueueDriver driver({.mode = mode});
        driver.push(range(1, 1000));
        driver.close(false);
        EXPECT_EQ(driver.counters().dropped_closed, static_cast<std::uint64_t>(1000 - window));
        EXPECT_EQ(driver.ledger().events(), static_cast<std::uint64_t>(window));
        EXPECT_EQ(driver.drain(), range(1, window));
    }
}

TEST(ClosingCasesTest, WhatIsInFlightCountsAgainstTheWindow) {
    for (const int taken : {0, 1, 4, 5}) {
        QueueDriver driver({.mode = DeliveryMode::kTwoway});
        driver.push(range(1, 1000));
        for (int i = 0; i < taken; ++i) {
            driver.take();
        }
        driver.close(false);
        EXPECT_EQ(driver.queue().pending(), 5U);
        EXPECT_EQ(driver.take_all(), range(taken + 1, 5));
        driver.deliver(range(1, 5));
        EXPECT_TRUE(driver.queue().idle());
    }
}

TEST(ClosingCasesTest, OnewayEventsInFlightBeyondTheWindowStillArrive) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 8));
    driver.take_all();
    driver.push(range(9, 20));
    driver.close(false);
    EXPECT_FALSE(driver.has_work());
    driver.sent(8);
    EXPECT_EQ(driver.counters().delivered, 8U);
    EXPECT_EQ(driver.counters().dropped_closed, 12U);
}

TEST(ClosingCasesTest, TwowayKeepsItsWindowWhileItDrains) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 12));
    driver.close(true);
    EXPECT_EQ(driver.take_all(), range(1, 5));
    driver.reply(2);
    EXPECT_EQ(driver.take_all(), range(6, 6));
}

TEST(ClosingCasesTest, BatchIsFlushedAtOnce) {
    QueueDriver driver({.mode = DeliveryMode::kBatch});
    driver.push(range(1, 3));
    EXPECT_FALSE(driver.has_work());
    driver.close(true);
    EXPECT_EQ(driver.take_all(), range(1, 3));
}

TEST(ClosingCasesTest, FlushInProgressLosesWhatWasNotTaken) {
    QueueDriver driver({.mode = DeliveryMode::kBatch});
    driver.push(range(1, 5));
    driver.hurry();
    driver.take();
    driver.take();
    driver.close(false);
    EXPECT_FALSE(driver.has_work());
    driver.sent(2);
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_EQ(driver.counters().dropped_closed, 3U);
}

TEST(ClosingCasesTest, SecondCloseMayDropWhatTheFirstLeft) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 20));
    driver.take_all();
    driver.close(true);
    EXPECT_EQ(driver.queue().pending(), 20U);
    driver.close(false);
    EXPECT_EQ(driver.queue().pending(), 5U);
    driver.close(true);
    driver.deliver(range(1, 5));
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_EQ(driver.state(), State::kClosed);
}

TEST(ClosingCasesTest, AbruptLossOfAWrittenRequestDropsTheRest) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = -1});
    driver.push(range(1, 10));
    driver.take_all();
    driver.written(5);
    driver.close(true);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_EQ(driver.state(), State::kClosed);
    EXPECT_EQ(driver.queue().consecutive_failures(), 0);
}

TEST(ClosingCasesTest, DiscardWaitingLeavesTheWindowAndTheState) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 100));
    driver.take();
    driver.discard_waiting();
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(driver.counters().dropped_closed, 95U);
    driver.push(101);
    EXPECT_EQ(driver.take_all(), range(2, 5));
    driver.deliver(range(1, 5));
    EXPECT_EQ(driver.drain(), range(101, 101));
}

TEST(ClosingCasesTest, DiscardWaitingOfFewerThanTheWindowDropsNothing) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.discard_waiting();
    driver.push(range(1, 5));
    driver.discard_waiting();
    EXPECT_EQ(driver.drain(), range(1, 5));
}

TEST(ClosingCasesTest, DiscardedBatchDoesNotLeaveItsTimer) {
    QueueDriver driver({.mode = DeliveryMode::kBatch});
    driver.push(range(1, 3));
    driver.discard_waiting();
    EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
    driver.advance(milliseconds{900});
    driver.push(4);
    driver.advance(milliseconds{100});
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.drain(), range(4, 4));
}

}  // namespace
}  // namespace squall::queue
