#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "support/queue_fixture.hpp"

namespace squall::queue {
namespace {

using test::QueueDriver;
using test::range;

constexpr std::uint8_t kNormal = 0;
constexpr std::uint8_t kNonmutating = 1;
constexpr std::uint8_t kIdempotent = 2;

/// Loses the event's request `resends` times in ways that are forgiven, and issues it again.
void use_up_resends(QueueDriver& driver, int resends) {
    for (int i = 0; i < resends; ++i) {
        ASSERT_EQ(driver.lost(Loss::kClosed), Change::kNone);
        ASSERT_EQ(driver.take(), 1);
    }
}

struct LossCase {
    Loss loss;
    bool written;
    std::uint8_t mode;
    int resends;
    bool repeated;
};

std::ostream& operator<<(std::ostream& out, const LossCase& c) {
    return out << "loss " << static_cast<int>(c.loss) << (c.written ? " written" : " unwritten")
               << " mode " << static_cast<int>(c.mode) << " after " << c.resends << " resends";
}

/// Behaviour reference 12.6 in full: three losses, written or not, each mode, each budget.
std::vector<LossCase> all_loss_cases() {
    std::vector<LossCase> cases;
    for (const bool written : {false, true}) {
        for (const std::uint8_t mode : {kNormal, kNonmutating, kIdempotent}) {
            const bool harmless = !written || mode != kNormal;
            cases.push_back({Loss::kClosedAfterProgress, written, mode, 0, true});
            cases.push_back({Loss::kClosedAfterProgress, written, mode, 1, true});
            cases.push_back({Loss::kClosedAfterProgress, written, mode, 2, true});
            cases.push_back({Loss::kClosed, written, mode, 0, true});
            cases.push_back({Loss::kClosed, written, mode, 1, true});
            cases.push_back({Loss::kClosed, written, mode, 2, false});
            cases.push_back({Loss::kAbrupt, written, mode, 0, harmless});
            cases.push_back({Loss::kAbrupt, written, mode, 1, false});
            cases.push_back({Loss::kAbrupt, written, mode, 2, false});
        }
    }
    return cases;
}

TEST(ResendTest, RepeatsWhatSurelyWasNotExecutedWithinItsBudget) {
    for (const LossCase& c : all_loss_cases()) {
        QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
        driver.push(1, {.mode = c.mode});
        driver.take();
        use_up_resends(driver, c.resends);
        if (c.written) {
            driver.written(1);
        }
        EXPECT_EQ(driver.lost(c.loss), c.repeated ? Change::kNone : Change::kWentOffline) << c;
        EXPECT_EQ(driver.take_all(), c.repeated ? range(1, 1) : std::vector<int>()) << c;
        EXPECT_EQ(driver.counters().dropped_failure, c.repeated ? 0U : 1U) << c;
        EXPECT_EQ(driver.queue().consecutive_failures(), c.repeated ? 0 : 1) << c;
    }
}

TEST(ResendTest, UnknownModeIsTreatedAsNormal) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(1, {.mode = 9});
    driver.take();
    driver.written(1);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kWentOffline);
}

TEST(ResendTest, UnansweredRequestsGoAgainInOrderBeforeNewOnes) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 8));
    driver.take_all();
    driver.written(5);
    driver.deliver({1, 3});
    EXPECT_EQ(driver.lost(Loss::kClosedAfterProgress), Change::kNone);
    EXPECT_EQ(driver.queue().in_flight(), 3U);
    EXPECT_EQ(driver.take_all(), (std::vector{2, 4, 5, 6, 7}));
    driver.deliver({2, 4, 5, 6, 7});
    EXPECT_EQ(driver.drain(), range(8, 8));
    EXPECT_EQ(driver.counters().delivered, 8U);
}

TEST(ResendTest, RepeatedRequestKeepsItsTicket) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(1);
    driver.take();
    const std::uint32_t ticket = driver.ticket(1);
    driver.lost(Loss::kClosed);
    driver.take();
    EXPECT_EQ(driver.ticket(1), ticket);
    EXPECT_EQ(driver.reply(1), Change::kNone);
    EXPECT_EQ(driver.counters().delivered, 1U);
}

TEST(ResendTest, ReplyToARequestThatWaitsToGoAgainIsIgnored) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(1);
    driver.take();
    driver.lost(Loss::kClosed);
    EXPECT_EQ(driver.reply(1), Change::kNone);
    EXPECT_EQ(driver.reply(1, Reply::kHardFailure), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(1, 1));
}

TEST(ResendTest, OneRequestThatMayNotBeRepeatedFailsAll) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(range(1, 7));
    driver.take_all();
    driver.written(1);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kWentOffline);
    EXPECT_EQ(driver.counters().dropped_failure, 7U);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
}

TEST(ResendTest, WrittenMarksTheOldestThatWereNot) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 4));
    driver.take_all();
    driver.written(1);
    driver.written(2);
    driver.deliver(range(1, 3));
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(4, 4));
}

TEST(ResendTest, WrittenDoesNotMarkTheSameRequestTwice) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(range(1, 2));
    driver.take_all();
    driver.written(1);
    driver.written(1);
    driver.reply(1);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kWentOffline);
}

TEST(ResendTest, WrittenTouchesNothingThatWaitsToGoAgain) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(range(1, 3));
    driver.take_all();
    driver.lost(Loss::kClosedAfterProgress);
    driver.take();
    driver.written(3);
    driver.reply(1);
    driver.take_all();
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(2, 3));
}

TEST(ResendTest, RequestIsUnwrittenAgainOnTheNextConnection) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway});
    driver.push(1);
    driver.take();
    driver.written(1);
    driver.lost(Loss::kClosedAfterProgress);
    driver.take();
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(1, 1));
}

TEST(ResendTest, ClosingAfterProgressUsesUpNothing) {
    QueueDriver driver({.mode = DeliveryMode::kOrdered});
    driver.push(1);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(driver.take(), 1);
        driver.written(1);
        ASSERT_EQ(driver.lost(Loss::kClosedAfterProgress), Change::kNone);
    }
    EXPECT_EQ(driver.drain(), range(1, 1));
}

TEST(ResendTest, ClosingWithoutProgressEndsInAFailure) {
    QueueDriver driver({.mode = DeliveryMode::kOrdered, .retry_count = 1});
    driver.push(1);
    int losses = 0;
    while (driver.take()) {
        driver.lost(Loss::kClosed);
        ++losses;
    }
    EXPECT_EQ(losses, SubscriberQueue::kResendsMax + 2);
    EXPECT_EQ(driver.state(), State::kOffline);
}

TEST(ResendTest, LossCountsOnlyForRequestsThatWereIssued) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
    driver.push(range(1, 2));
    driver.take_all();
    driver.lost(Loss::kClosed);
    driver.take();
    driver.lost(Loss::kClosed);
    driver.take();
    driver.reply(1);
    driver.take();
    EXPECT_EQ(driver.lost(Loss::kClosed), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(2, 2));
    EXPECT_EQ(driver.lost(Loss::kClosed), Change::kWentOffline);
}

TEST(ResendTest, LossWithNothingInFlightIsNoFailure) {
    for (const Loss loss : {Loss::kClosedAfterProgress, Loss::kClosed, Loss::kAbrupt}) {
        QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 0});
        EXPECT_EQ(driver.lost(loss), Change::kNone);
        driver.push(range(1, 3));
        EXPECT_EQ(driver.lost(loss), Change::kNone);
        EXPECT_EQ(driver.drain(), range(1, 3));
    }
}

TEST(ResendTest, LossBeforeRequestsWentAgainTakesNothingFromTheirBudget) {
    for (const Loss loss : {Loss::kClosedAfterProgress, Loss::kClosed, Loss::kAbrupt}) {
        QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 1});
        driver.push(range(1, 3));
        driver.take_all();
        driver.lost(Loss::kClosed);
        driver.take_all();
        driver.lost(Loss::kClosed);
        EXPECT_EQ(driver.lost(loss), Change::kNone);
        EXPECT_EQ(driver.drain(), range(1, 3));
    }
}

TEST(ResendTest, SentDoesNotCountWhatWaitsToGoAgain) {
    QueueDriver driver({.mode = DeliveryMode::kOneway});
    driver.push(range(1, 3));
    driver.take_all();
    driver.lost(Loss::kClosed);
    driver.take();
    driver.sent(3);
    EXPECT_EQ(driver.counters().delivered, 1U);
    EXPECT_EQ(driver.take_all(), range(2, 3));
}

TEST(ResendTest, RequestsThatWaitToGoAgainKeepTheirPlaceInTheWindow) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .options = {.queue_size_max = 1}});
    driver.push(range(1, 5));
    driver.take_all();
    driver.lost(Loss::kClosed);
    EXPECT_EQ(driver.push(6), PushResult::kQueued);
    EXPECT_EQ(driver.push(7), PushResult::kOverflow);
    EXPECT_EQ(driver.drain(), range(1, 5));
}

TEST(ResendTest, OnewayEventsThatWereNotWrittenGoAgainOnce) {
    QueueDriver driver({.mode = DeliveryMode::kOneway, .retry_count = 1});
    driver.push(range(1, 5));
    driver.take_all();
    driver.sent(2);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    driver.push(6);
    EXPECT_EQ(driver.take_all(), range(3, 6));
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kWentOffline);
    EXPECT_EQ(driver.counters().dropped_failure, 4U);
}

TEST(ResendTest, BatchGoesAgainAsAWhole) {
    QueueDriver driver({.mode = DeliveryMode::kBatch});
    driver.push(range(1, 4));
    driver.hurry();
    ASSERT_EQ(driver.take(), 1);
    ASSERT_EQ(driver.take(), 2);
    driver.push(5);
    EXPECT_EQ(driver.lost(Loss::kAbrupt), Change::kNone);
    EXPECT_EQ(driver.take_all(), range(1, 4));
    driver.sent(4);
    EXPECT_EQ(driver.drain(), range(5, 5));
}

TEST(ResendTest, SuccessOfARepeatedRequestCountsOnce) {
    QueueDriver driver({.mode = DeliveryMode::kTwoway, .retry_count = 2});
    driver.failed_softly();
    driver.pass_discard_interval();
    driver.push(1);
    driver.take();
    driver.lost(Loss::kAbrupt);
    EXPECT_EQ(driver.queue().consecutive_failures(), 1);
    driver.take();
    driver.reply(1);
    EXPECT_EQ(driver.counters().delivered, 1U);
    EXPECT_EQ(driver.queue().consecutive_failures(), 0);
}

}  // namespace
}  // namespace squall::queue
