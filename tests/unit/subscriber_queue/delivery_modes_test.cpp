#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using test::EventMaker;
using test::ManualClock;
using test::QueueDriver;
using test::range;

TEST(DeliveryModesTest, EmptyQueueHasNoWork) {
    for (const DeliveryMode mode : test::kAllModes) {
        QueueDriver driver({.mode = mode});
        driver.hurry();
        EXPECT_FALSE(driver.has_work());
        EXPECT_EQ(driver.take(), std::nullopt);
        EXPECT_EQ(driver.queue().next_deadline(), std::nullopt);
        EXPECT_TRUE(driver.queue().idle());
        EXPECT_EQ(driver.state(), State::kOnline);
    }
}

TEST(DeliveryModesTest, TwowayKeepsFiveInFlight) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 12));
    EXPECT_EQ(driver.take_all(), range(1, 5));
    EXPECT_EQ(driver.queue().in_flight(), 5U);
    EXPECT_EQ(driver.queue().waiting(), 7U);
    driver.reply(1);
    EXPECT_EQ(driver.take_all(), range(6, 6));
    driver.deliver({2, 3});
    EXPECT_EQ(driver.take_all(), range(7, 8));
}

TEST(DeliveryModesTest, TwowayRepliesComeInAnyOrder) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 10));
    driver.take_all();
    driver.deliver({3, 5, 1});
    EXPECT_EQ(driver.take_all(), range(6, 8));
    driver.deliver({8, 2, 7, 4, 6});
    EXPECT_EQ(driver.take_all(), range(9, 10));
    driver.deliver({10, 9});
    EXPECT_TRUE(driver.queue().idle());
    EXPECT_EQ(driver.counters().delivered, 10U);
}

TEST(DeliveryModesTest, OrderedSendsTheNextEventAfterTheReply) {
    QueueDriver driver({.mode = DeliveryMode::kOrdered});
    driver.push(range(1, 3));
    for (const int number : {1, 2, 3}) {
        EXPECT_EQ(driver.take_all(), range(number, number));
        EXPECT_FALSE(driver.has_work());
        driver.written(1);
        EXPECT_FALSE(driver.has_work());
        driver.reply(number);
    }
    EXPECT_TRUE(driver.queue().idle());
}

TEST(DeliveryModesTest, OnewayGivesAllAtOnce) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 100));
    EXPECT_EQ(driver.take_all(), range(1, 100));
    EXPECT_EQ(driver.queue().in_flight(), 100U);
    driver.push(101);
    EXPECT_EQ(driver.take_all(), range(101, 101));
}

TEST(DeliveryModesTest, OnewayIsDeliveredWhenWritten) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 10));
    driver.take_all();
    driver.sent(4);
    EXPECT_EQ(driver.counters().delivered, 4U);
    EXPECT_EQ(driver.queue().in_flight(), 6U);
    driver.sent(6);
    EXPECT_TRUE(driver.queue().idle());
}

TEST(DeliveryModesTest, OnewayMayBeReportedOneByOne) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 3));
    driver.take_all();
    driver.reply(2);
    EXPECT_EQ(driver.queue().in_flight(), 2U);
    driver.sent(2);
    EXPECT_EQ(driver.counters().delivered, 3U);
}

TEST(DeliveryModesTest, SentCountsNoMoreThanWasIssued) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 3));
    driver.take();
    driver.take();
    driver.sent(3);
    EXPECT_EQ(driver.counters().delivered, 2U);
    EXPECT_EQ(driver.take_all(), range(3, 3));
}

TEST(DeliveryModesTest, ReplyToAnUnknownTicketIsIgnored) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(1);
    driver.take();
    for (const Reply reply : {Reply::kSuccess, Reply::kSoftFailure, Reply::kHardFailure}) {
        EXPECT_EQ(driver.reply(99, reply), Change::kNone);
    }
    driver.unsendable(99);
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(driver.queue().in_flight(), 1U);
}

TEST(DeliveryModesTest, SecondReplyToTheSameRequestIsIgnored) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 2));
    driver.take_all();
    driver.reply(1);
    EXPECT_EQ(driver.reply(1), Change::kNone);
    EXPECT_EQ(driver.reply(1, Reply::kHardFailure), Change::kNone);
    EXPECT_EQ(driver.counters().delivered, 1U);
    EXPECT_EQ(driver.queue().in_flight(), 1U);
}

TEST(DeliveryModesTest, UnsendableDropsOnlyThatEvent) {
    QueueDriver driver({.mode = DeliveryMode::kOneway, .retry_count = 0});
    driver.push(range(1, 3));
    driver.take_all();
    driver.unsendable(2);
    EXPECT_EQ(driver.state(), State::kOnline);
    EXPECT_EQ(driver.queue().consecutive_failures(), 0);
    driver.sent(2);
    EXPECT_EQ(driver.counters().delivered, 2U);
    EXPECT_EQ(driver.counters().dropped_too_large, 1U);
    EXPECT_TRUE(driver.queue().idle());
}

TEST(DeliveryModesTest, UnsendableMakesRoomInTheWindow) {
    QueueDriver driver({.mode = DeliveryMode::kOrdered});
    driver.push(range(1, 2));
    driver.take();
    driver.unsendable(1);
    EXPECT_EQ(driver.take_all(), range(2, 2));
}

TEST(DeliveryModesTest, UnsendableIsNoSuccess) {
    QueueDriver driver({.mode = DeliveryMode::kOneway, .retry_count = 3});
    driver.failed_softly();
    driver.pass_discard_interval();
    driver.push(1);
    driver.take();
    driver.unsendable(1);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
}

class EveryModeTest : public ::testing::TestWithParam<DeliveryMode> {};

INSTANTIATE_TEST_SUITE_P(DeliveryModesTest, EveryModeTest, ::testing::ValuesIn(test::kAllModes),
                         test::NameOfMode());

TEST_P(EveryModeTest, DeliversInOrderOfArrival) {
    QueueDriver driver({.mode = GetParam()});
    driver.push(range(1, 1000));
    EXPECT_EQ(driver.drain(), range(1, 1000));
    EXPECT_EQ(driver.counters().delivered, 1000U);
    driver.push(range(1001, 1010));
    EXPECT_EQ(driver.drain(), range(1001, 1010));
}

TEST_P(EveryModeTest, GivesEachRequestItsOwnTicket) {
    QueueDriver driver({.mode = GetParam()});
    driver.push(range(1, 100));
    driver.drain();
    for (int number = 2; number <= 100; ++number) {
        EXPECT_GT(driver.ticket(number), driver.ticket(number - 1));
    }
}

TEST_P(EveryModeTest, HandsOutTheSameEventToAllQueues) {
    ManualClock clock;
    EventMaker events;
    const QueueOptions options{.flush_timeout = std::chrono::milliseconds{0}};
    SubscriberQueue first(GetParam(), 0, options);
    SubscriberQueue second(GetParam(), 0, options);
    {
        const event::EventPtr event = events.make(1);
        first.push(event, clock.now());
        second.push(event, clock.now());
    }
    EXPECT_EQ(events.ledger().events(), 1U);
    const std::optional<Issued> a = first.take(clock.now());
    const std::optional<Issued> b = second.take(clock.now());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->event, b->event);

    first.completed(a->ticket, Reply::kSuccess, clock.now());
    EXPECT_EQ(events.ledger().events(), 1U);
    second.completed(b->ticket, Reply::kSuccess, clock.now());
    EXPECT_EQ(events.ledger().events(), 0U);
}

}  // namespace
}  // namespace squall::queue
