#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using test::QueueDriver;
using test::range;

/// Offers an event once the offline time is over, and fails its delivery.
Change probe_and_fail(QueueDriver& driver, int number) {
    driver.pass_discard_interval();
    driver.push(number);
    driver.hurry();
    EXPECT_EQ(driver.take(), number);
    return driver.reply(number, Reply::kSoftFailure);
}

class FailureTest : public ::testing::TestWithParam<DeliveryMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, FailureTest, ::testing::ValuesIn(test::kAllModes),
                         test::NameOfMode());

TEST_P(FailureTest, SurvivesAsManyFailuresInARowAsItsRetryCount) {
    const std::vector<std::pair<int, int>> table{{-7, 0}, {-2, 0}, {0, 0}, {1, 1}, {3, 3}};
    for (const auto& [retry_count, survived] : table) {
        QueueDriver driver({.mode = GetParam(), .retry_count = retry_count});
        for (int failure = 1; failure <= survived; ++failure) {
            ASSERT_EQ(probe_and_fail(driver, failure), Change::kWentOffline) << retry_count;
            ASSERT_EQ(driver.state(), State::kOffline);
            ASSERT_EQ(driver.queue().consecutive_failures(), failure);
        }
        EXPECT_EQ(probe_and_fail(driver, 99), Change::kFailed) << retry_count;
        EXPECT_EQ(driver.state(), State::kFailed);
        EXPECT_EQ(driver.queue().removal_reason(), RemovalReason::kRetriesExhausted);
    }
}

TEST_P(FailureTest, SurvivesAnyNumberWithRetryCountMinusOne) {
    QueueDriver driver({.mode = GetParam(), .retry_count = -1});
    for (int failure = 1; failure <= 1000; ++failure) {
        ASSERT_EQ(probe_and_fail(driver, failure), Change::kWentOffline);
    }
    EXPECT_EQ(driver.queue().consecutive_failures(), 1000);
}

// Behaviour reference 15: in 3.7 oneway and batch subscribers never got their retries back.
TEST_P(FailureTest, SuccessGivesTheRetriesBack) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 2});
    for (int round = 0; round < 10; ++round) {
        ASSERT_EQ(probe_and_fail(driver, 1), Change::kWentOffline);
        ASSERT_EQ(probe_and_fail(driver, 2), Change::kWentOffline);
        driver.pass_discard_interval();
        driver.push(3);
        ASSERT_EQ(driver.drain(), range(3, 3));
        ASSERT_EQ(driver.queue().consecutive_failures(), 0);
    }
}

TEST_P(FailureTest, EventsWaitingOrInFlightAreDropped) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 1});
    driver.push(range(1, 10));
    driver.hurry();
    driver.take();
    EXPECT_EQ(driver.failed_softly(), Change::kWentOffline);
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.counters().dropped_failure, 10U);
}

TEST_P(FailureTest, OfflineTimeEndsAtTheDeadlineExactly) {
    const std::vector<std::pair<nanoseconds, PushResult>> table{
        {nanoseconds{0}, PushResult::kDiscarded},
        {seconds{60} - nanoseconds{1}, PushResult::kDiscarded},
        {seconds{60}, PushResult::kQueuedAsProbe},
        {seconds{60} + nanoseconds{1}, PushResult::kQueuedAsProbe},
        {seconds{6000}, PushResult::kQueuedAsProbe},
    };
    for (const auto& [passed, result] : table) {
        QueueDriver driver({.mode = GetParam(), .retry_count = 1});
        driver.failed_softly();
        driver.advance(passed);
        EXPECT_EQ(driver.push(1), result) << passed.count();
        const bool tried = result == PushResult::kQueuedAsProbe;
        EXPECT_EQ(driver.state(), tried ? State::kOnline : State::kOffline);
        EXPECT_EQ(driver.counters().dropped_offline, tried ? 0U : 1U);
        EXPECT_EQ(driver.drain(), tried ? range(1, 1) : std::vector<int>());
    }
}

TEST_P(FailureTest, OnlyTheFirstEventPastTheDeadlineIsTheProbe) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 1});
    driver.failed_softly();
    driver.pass_discard_interval();
    EXPECT_EQ(driver.push(1), PushResult::kQueuedAsProbe);
    EXPECT_EQ(driver.push(2), PushResult::kQueued);
    EXPECT_EQ(driver.drain(), range(1, 2));
}

TEST_P(FailureTest, OfflineSubscriberIsNotTriedWithoutAnEvent) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 1});
    driver.failed_softly();
    EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
    driver.advance(seconds{6000});
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.state(), State::kOffline);
}

// Reported fault B31.
TEST_P(FailureTest, NoDiscardIntervalMeansOneAttemptPerEvent) {
    for (const seconds interval : {seconds{0}, seconds{-5}}) {
        QueueDriver driver(
            {.mode = GetParam(), .retry_count = -1, .options = {.discard_interval = interval}});
        driver.hurry();
        driver.failed_softly();
        for (int number = 1; number <= 100; ++number) {
            ASSERT_EQ(driver.push(number), PushResult::kQueuedAsProbe);
            ASSERT_EQ(driver.take_all(), range(number, number));
            ASSERT_EQ(driver.reply(number, Reply::kSoftFailure), Change::kWentOffline);
            ASSERT_FALSE(driver.has_work());
        }
        driver.push(101);
        EXPECT_EQ(driver.drain(), range(101, 101));
    }
}

TEST_P(FailureTest, FailureWhileOfflineChangesNothing) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 1});
    driver.failed_softly();
    driver.advance(seconds{30});
    EXPECT_EQ(driver.failed_softly(), Change::kNone);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
    driver.advance(seconds{30});
    EXPECT_EQ(driver.push(1), PushResult::kQueuedAsProbe);
}

TEST_P(FailureTest, HardFailureIsFinalWhateverTheRetryCount) {
    QueueDriver driver({.mode = GetParam(), .retry_count = -1});
    driver.push(range(1, 7));
    driver.hurry();
    driver.take();
    EXPECT_EQ(driver.reply(1, Reply::kHardFailure), Change::kFailed);
    EXPECT_EQ(driver.state(), State::kFailed);
    EXPECT_EQ(driver.queue().removal_reason(), RemovalReason::kObjectNotExist);
    EXPECT_EQ(driver.counters().dropped_failure, 7U);
    EXPECT_EQ(driver.push(8), PushResult::kDiscarded);
    driver.advance(seconds{6000});
    EXPECT_EQ(driver.push(9), PushResult::kDiscarded);
    EXPECT_FALSE(driver.has_work());
}

TEST_P(FailureTest, ReportOfAWriteFromBeforeTheFailureIsNoSuccess) {
    QueueDriver driver({.mode = GetParam(), .retry_count = 1});
    driver.push(range(1, 3));
    driver.hurry();
    driver.take_all();
    driver.failed_softly();
    driver.sent(3);
    driver.written(3);
    EXPECT_EQ(driver.counters().delivered, 0U);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
    EXPECT_EQ(probe_and_fail(driver, 4), Change::kFailed);
}

TEST(FailureCasesTest, RequestsThatFailTogetherCountOnce) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(range(1, 5));
    driver.take_all();
    EXPECT_EQ(driver.reply(1, Reply::kSoftFailure), Change::kWentOffline);
    for (const int number : {2, 3, 4, 5}) {
        EXPECT_EQ(driver.reply(number, Reply::kSoftFailure), Change::kNone);
    }
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
    EXPECT_EQ(driver.state(), State::kOffline);
}

TEST(FailureCasesTest, LateRepliesDoNotEndTheOfflineTime) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(range(1, 3));
    driver.take_all();
    driver.reply(1, Reply::kSoftFailure);
    EXPECT_EQ(driver.reply(2), Change::kNone);
    EXPECT_EQ(driver.reply(3, Reply::kHardFailure), Change::kNone);
    EXPECT_EQ(driver.state(), State::kOffline);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
    EXPECT_EQ(driver.counters().delivered, 0U);
}

TEST(FailureCasesTest, LateReplyDoesNotTouchTheProbe) {
    QueueDriver driver({.mode = DeliveryMode::kOrdered, .retry_count = 1});
    driver.push(1);
    driver.take();
    driver.failed_softly();
    driver.pass_discard_interval();
    driver.push(2);
    driver.take();
    for (const Reply reply : {Reply::kSuccess, Reply::kSoftFailure, Reply::kHardFailure}) {
        EXPECT_EQ(driver.reply(1, reply), Change::kNone);
    }
    driver.unsendable(1);
    EXPECT_EQ(driver.queue().in_flight(), 1U);
    driver.reply(2);
    EXPECT_EQ(driver.counters().delivered, 1U);
}

// Reported fault B28.
TEST(FailureCasesTest, LateSuccessDoesNotReviveARemovedSubscriber) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = -1});
    driver.push(range(1, 20));
    driver.take_all();
    EXPECT_EQ(driver.reply(1, Reply::kHardFailure), Change::kFailed);
    driver.deliver(range(2, 5));
    EXPECT_EQ(driver.state(), State::kFailed);
    EXPECT_EQ(driver.queue().pending(), 0U);
    EXPECT_EQ(driver.push(21), PushResult::kDiscarded);
}

TEST(FailureCasesTest, FirstFinalReasonIsKept) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .options = {.queue_size_max = 1}});
    driver.push(range(1, 7));
    ASSERT_EQ(driver.state(), State::kFailed);
    driver.take_all();
    EXPECT_EQ(driver.reply(1, Reply::kHardFailure), Change::kNone);
    EXPECT_EQ(driver.failed_softly(), Change::kNone);
    EXPECT_EQ(driver.queue().removal_reason(), RemovalReason::kQueueOverflow);
    EXPECT_TRUE(driver.queue().idle());
}

TEST(FailureCasesTest, HardFailureEndsAnOfflineSubscriber) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = -1});
    driver.failed_softly();
    EXPECT_EQ(driver.failed_hard(), Change::kFailed);
    driver.pass_discard_interval();
    EXPECT_EQ(driver.push(1), PushResult::kDiscarded);
}

// Reported fault B25: two cuts of the connection, one shorter and one longer than the window.
TEST(FailureCasesTest, ShortCutCostsOneWindowAndLongCutTheSubscription) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway,
                        .retry_count = 1,
                        .options = {.discard_interval = seconds{3}}});
    driver.failed_softly();
    int missed = 0;
    while (driver.push(1) == PushResult::kDiscarded) {
        ++missed;
        driver.advance(std::chrono::milliseconds{100});
    }
    EXPECT_EQ(missed, 30);
    EXPECT_EQ(driver.drain(), range(1, 1));

    EXPECT_EQ(driver.failed_softly(), Change::kWentOffline);
    driver.advance(seconds{3} - nanoseconds{1});
    EXPECT_EQ(driver.push(2), PushResult::kDiscarded);
    driver.advance(nanoseconds{1});
    driver.push(3);
    EXPECT_EQ(driver.failed_softly(), Change::kFailed);
}

TEST(FailureCasesTest, RemovalReasonsAreNamed) {
    EXPECT_EQ(to_string(RemovalReason::kObjectNotExist), "object does not exist");
    EXPECT_NE(to_string(RemovalReason::kQueueOverflow).find("Send.QueueSizeMax"),
              std::string_view::npos);
    EXPECT_NE(to_string(RemovalReason::kRetriesExhausted).find("retryCount"),
              std::string_view::npos);
}

}  // namespace
}  // namespace squall::queue
