#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using test::QueueDriver;
using test::range;

QueueDriver batch(const QueueOptions& options = {}, int retry_count = 0) {
    return QueueDriver(
        {.mode = DeliveryMode::kBatch, .retry_count = retry_count, .options = options});
}

TEST(BatchTest, WaitsForTheTimerOfItsFirstEvent) {
    QueueDriver driver = batch();
    const TimePoint deadline = driver.now() + milliseconds{1000};
    driver.push(1);
    EXPECT_EQ(driver.queue().next_deadline(), deadline);
    driver.advance(milliseconds{600});
    driver.push(range(2, 4));
    EXPECT_EQ(driver.queue().next_deadline(), deadline);
    driver.advance(milliseconds{400} - nanoseconds{1});
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.take(), std::nullopt);
    driver.advance(nanoseconds{1});
    EXPECT_EQ(driver.take_all(), range(1, 4));
}

TEST(BatchTest, NoTimeoutFlushesAtOnce) {
    for (const milliseconds timeout : {milliseconds{0}, milliseconds{-5}}) {
        QueueDriver driver = batch({.flush_timeout = timeout});
        driver.push(1);
        EXPECT_EQ(driver.take_all(), range(1, 1));
    }
}

TEST(BatchTest, AnyFlushTimeoutCountsFromTheFirstEvent) {
    QueueDriver driver = batch({.flush_timeout = milliseconds{1}});
    driver.push(1);
    EXPECT_FALSE(driver.has_work());
    driver.advance(milliseconds{1});
    EXPECT_TRUE(driver.has_work());
}

TEST(BatchTest, IdleTimeDoesNotShortenTheNextTimer) {
    QueueDriver driver = batch();
    driver.push(1);
    driver.drain();
    driver.advance(milliseconds{5000});
    driver.push(2);
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.queue().next_deadline(), driver.now() + milliseconds{1000});
}

TEST(BatchTest, EventsThatComeDuringAFlushWaitForTheNext) {
    QueueDriver driver = batch();
    driver.push(range(1, 3));
    driver.advance(milliseconds{1000});
    ASSERT_EQ(driver.take(), 1);
    driver.push(range(4, 5));
    EXPECT_EQ(driver.take_all(), range(2, 3));
    driver.push(6);
    driver.sent(3);
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.queue().next_deadline(), driver.now() + milliseconds{1000});
    driver.advance(milliseconds{1000});
    EXPECT_EQ(driver.take_all(), range(4, 6));
}

TEST(BatchTest, TimerOfEventsThatComeDuringAFlushStartsWithTheFirstOfThem) {
    QueueDriver driver = batch();
    driver.push(1);
    driver.advance(milliseconds{1000});
    driver.take();
    driver.push(2);
    driver.advance(milliseconds{700});
    driver.push(3);
    driver.sent(1);
    EXPECT_EQ(driver.queue().next_deadline(), driver.now() + milliseconds{300});
}

TEST(BatchTest, NextFlushWaitsUntilTheLastOneIsWritten) {
    QueueDriver driver = batch();
    driver.push(range(1, 2));
    driver.advance(milliseconds{1000});
    driver.take_all();
    driver.push(3);
    driver.advance(milliseconds{2000});
    driver.hurry();
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
    driver.sent(1);
    EXPECT_FALSE(driver.has_work());
    driver.sent(1);
    EXPECT_EQ(driver.take_all(), range(3, 3));
}

TEST(BatchTest, FlushMayBeTakenAndWrittenInParts) {
    QueueDriver driver = batch();
    driver.push(range(1, 3));
    driver.advance(milliseconds{1000});
    driver.take();
    driver.push(4);
    driver.sent(1);
    EXPECT_TRUE(driver.has_work());
    EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
    EXPECT_EQ(driver.take_all(), range(2, 3));
}

TEST(BatchTest, FlushesEarlyAtTheSizeLimit) {
    QueueDriver driver = batch({.batch_bytes_max = 100});
    driver.push(1, {.tail_bytes = 50});
    driver.push(2, {.tail_bytes = 49});
    EXPECT_FALSE(driver.has_work());
    driver.push(3, {.tail_bytes = 18});
    EXPECT_EQ(driver.take_all(), range(1, 3));

    QueueDriver exact = batch({.batch_bytes_max = 100});
    exact.push(1, {.tail_bytes = 50});
    exact.push(2, {.tail_bytes = 50});
    EXPECT_TRUE(exact.has_work());

    QueueDriver single = batch({.batch_bytes_max = 100});
    single.push(1, {.tail_bytes = 1000});
    EXPECT_TRUE(single.has_work());
}

TEST(BatchTest, SizeLimitZeroIsNone) {
    QueueDriver driver = batch({.batch_bytes_max = 0});
    driver.push(1, {.tail_bytes = 10'000'000});
    EXPECT_FALSE(driver.has_work());
}

TEST(BatchTest, SizeLimitLooksOnlyAtWhatWaits) {
    QueueDriver driver = batch({.batch_bytes_max = 100}, 1);
    driver.push(1, {.tail_bytes = 100});
    driver.push(2, {.tail_bytes = 60});
    EXPECT_EQ(driver.take_all(), range(1, 2));
    driver.push(3, {.tail_bytes = 99});
    driver.sent(2);
    EXPECT_FALSE(driver.has_work());

    driver.failed_softly();
    driver.pass_discard_interval();
    driver.push(4, {.tail_bytes = 99});
    EXPECT_FALSE(driver.has_work());
    driver.discard_waiting();
    driver.push(5, {.tail_bytes = 99});
    EXPECT_FALSE(driver.has_work());
}

TEST(BatchTest, SizeLimitForgetsDroppedEvents) {
    QueueDriver driver = batch({.queue_size_max = 1,
                                .overflow_policy = OverflowPolicy::kDropEvents,
                                .batch_bytes_max = 100});
    for (int number = 1; number <= 10; ++number) {
        driver.push(number, {.tail_bytes = 99});
        ASSERT_FALSE(driver.has_work());
    }
}

TEST(BatchTest, HurryFlushesNowAndFromThenOn) {
    QueueDriver driver = batch();
    driver.push(range(1, 2));
    driver.hurry();
    EXPECT_EQ(driver.take_all(), range(1, 2));
    driver.sent(2);
    driver.push(3);
    EXPECT_EQ(driver.take_all(), range(3, 3));
}

// Behaviour reference 6.8: in 3.7 the subscriber never flushed again.
TEST(BatchTest, FlushesAgainAfterAFailure) {
    for (const int retry_count : {-1, 1, 3}) {
        QueueDriver driver = batch({}, retry_count);
        driver.push(range(1, 3));
        driver.advance(milliseconds{1000});
        driver.take_all();
        ASSERT_EQ(driver.failed_softly(), Change::kWentOffline);
        driver.pass_discard_interval();
        ASSERT_EQ(driver.push(4), PushResult::kQueuedAsProbe);
        driver.push(5);
        EXPECT_EQ(driver.queue().next_deadline(), driver.now() + milliseconds{1000});
        EXPECT_EQ(driver.drain(), range(4, 5));
        driver.push(6);
        EXPECT_EQ(driver.drain(), range(6, 6));
    }
}

TEST(BatchTest, FailureInTheMiddleOfAFlushEndsThatFlush) {
    QueueDriver driver = batch({}, 1);
    driver.push(range(1, 3));
    driver.advance(milliseconds{1000});
    ASSERT_EQ(driver.take(), 1);
    driver.failed_softly();
    driver.pass_discard_interval();
    driver.push(range(4, 5));
    EXPECT_FALSE(driver.has_work());
    driver.advance(milliseconds{1000});
    EXPECT_EQ(driver.take_all(), range(4, 5));
}

TEST(BatchTest, FailureBeforeTheFlushDropsWhatWaits) {
    QueueDriver driver = batch({}, 1);
    driver.push(range(1, 3));
    driver.failed_softly();
    driver.advance(milliseconds{1000});
    EXPECT_FALSE(driver.has_work());
    EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
    EXPECT_EQ(driver.counters().dropped_failure, 3U);
}

TEST(BatchTest, StreamOfDroppedEventsDoesNotPutOffTheFlush) {
    for (const int limit : {1, 2}) {
        QueueDriver driver =
            batch({.queue_size_max = limit, .overflow_policy = OverflowPolicy::kDropEvents});
        for (int number = 0; number < 10; ++number) {
            driver.push(number);
            ASSERT_FALSE(driver.has_work());
            driver.advance(milliseconds{100});
        }
        EXPECT_TRUE(driver.has_work());
        EXPECT_EQ(driver.take_all(), range(10 - limit, 9));
    }
}

TEST(BatchTest, EventThatReplacesOneOfAFlushIsNotPartOfIt) {
    QueueDriver driver =
        batch({.queue_size_max = 2, .overflow_policy = OverflowPolicy::kDropEvents});
    driver.push(range(1, 2));
    driver.advance(milliseconds{1000});
    ASSERT_EQ(driver.take(), 1);
    driver.push(range(3, 4));
    EXPECT_EQ(driver.counters().dropped_overflow, 1U);
    EXPECT_FALSE(driver.has_work());
    driver.sent(1);
    EXPECT_EQ(driver.queue().next_deadline(), driver.now() + milliseconds{1000});
    EXPECT_EQ(driver.drain(), range(3, 4));
}

TEST(BatchTest, LossInTheMiddleOfAFlushRepeatsItAndGoesOn) {
    QueueDriver driver = batch();
    driver.push(range(1, 4));
    driver.advance(milliseconds{1000});
    driver.take();
    driver.take();
    driver.sent(1);
    EXPECT_EQ(driver.lost(Loss::kClosed), Change::kNone);
    driver.push(5);
    EXPECT_EQ(driver.take_all(), range(2, 4));
    driver.sent(3);
    EXPECT_EQ(driver.drain(), range(5, 5));
}

TEST(BatchTest, OtherModesHaveNoTimer) {
    for (const DeliveryMode mode :
         {DeliveryMode::kTwoway, DeliveryMode::kOrdered, DeliveryMode::kOneway}) {
        QueueDriver driver({.mode = mode});
        driver.push(range(1, 10));
        EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
        EXPECT_TRUE(driver.has_work());
    }
}

}  // namespace
}  // namespace squall::queue
