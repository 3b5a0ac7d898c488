#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMegabyte = 1024 * 1024;

/// The end of a subscription or topic, and what becomes of its events.
class PoolEndTest : public PoolTest {
protected:
    /// Answers all that have waited so long, and whatever comes from now on.
    static void answer_from_now_on(FakeSubscriber& fake) {
        fake.set_script(scripts::answer());
        fake.for_each_connection([&](FakeConnection& connection) {
            // On the peer's thread, so that none is missed; a second reply does no harm.
            for (const Received& request : fake.received()) {
                connection.reply(request.id);
            }
        });
    }
};

TEST_F(PoolEndTest, AfterUnsubscribeAtMostTheWindowArrives) {
    // Reported fault B55.
    FakeSubscriber slow(scripts::never_answer());
    start();
    const auto id = subscribe(slow.proxy("slow"));
    publish_all(1, 1000);
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 5; }));
    pool().unsubscribe(id);
    publish_all(1001, 1010);
    EXPECT_LE(ledger().events(), 5U);
    answer_from_now_on(slow);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    ASSERT_TRUE(eventually([&] { return slow.goodbyes() == 1; }));
    EXPECT_EQ(slow.numbers(), numbers_from_to(1, 5));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolEndTest, AfterUnsubscribeABatchIsThrownAway) {
    FakeSubscriber fake;
    options.queue.flush_timeout = std::chrono::hours{1};
    start();
    const auto id = subscribe(fake.proxy("s -O"));
    publish_all(1, 100);
    pool().unsubscribe(id);
    EXPECT_EQ(ledger().events(), 0U);
    EXPECT_FALSE(topic()->has_subscribers());
}

TEST_F(PoolEndTest, AnUnknownIdIsNoError) {
    FakeSubscriber fake;
    start();
    const auto id = subscribe(fake.proxy("s -o"));
    pool().unsubscribe(id);
    pool().unsubscribe(id);
    pool().unsubscribe(id + 64);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolEndTest, AnUnusedConnectionIsClosedGracefully) {
    FakeSubscriber fake;
    start();
    const auto one = subscribe(fake.proxy("one -o"));
    const auto two = subscribe(fake.proxy("two"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
    pool().unsubscribe(one);
    publish(2);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3; }));
    EXPECT_EQ(fake.goodbyes(), 0U);
    EXPECT_EQ(fake.connections(), 1U);
    pool().unsubscribe(two);
    ASSERT_TRUE(eventually([&] { return fake.open_connections() == 0; }));
    EXPECT_EQ(fake.goodbyes(), 1U);
}

TEST_F(PoolEndTest, ACloseRouteDeliversWhatIsQueued) {
    FakeSubscriber slow(scripts::never_answer());
    FakeSubscriber batch;
    options.queue.flush_timeout = milliseconds{100};
    start();
    subscribe(slow.proxy("slow"));
    subscribe(batch.proxy("batch -O"));
    publish_all(1, 200);
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 5; }));
    pool().close_route(topic());
    EXPECT_FALSE(topic()->has_subscribers());
    publish_all(201, 210);
    answer_from_now_on(slow);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    ASSERT_TRUE(eventually([&] { return slow.goodbyes() == 1 && batch.goodbyes() == 1; }));
    EXPECT_EQ(slow.numbers(), numbers_from_to(1, 200));
    EXPECT_EQ(batch.numbers(), numbers_from_to(1, 200));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolEndTest, ACloseRouteEndsDirectRoutesAndSparesOtherTopics) {
    FakeSubscriber fake;
    start();
    const auto other = pool().open_route();
    const auto direct = pool().open_route();
    pool().subscribe({"topic", parse(fake.proxy("mine")), {}}, topic(), direct);
    subscribe_to(other, fake.proxy("other"));
    pool().close_route(topic());
    EXPECT_FALSE(direct->has_subscribers());
    direct->publish(event(1));
    other->publish(event(2));
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    EXPECT_EQ(fake.numbers("other"), std::vector<int>{2});
}

TEST_F(PoolEndTest, AClosedTopicGivesUpOnASubscriberWithoutProgress) {
    FakeSubscriber mute(scripts::never_answer());
    options.send_timeout = milliseconds{300};
    start();
    subscribe(mute.proxy("mute"));
    publish_all(1, 1000);
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 5; }));
    pool().close_route(topic());
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_TRUE(eventually([&] { return mute.open_connections() == 0; }));
    EXPECT_EQ(mute.received_count(), 5U);
}

TEST_F(PoolEndTest, ARepeatedSubscriptionGetsItsOwnEventsOnly) {
    FakeSubscriber slow(scripts::never_answer());
    start();
    const auto id = subscribe(slow.proxy("slow"));
    publish_all(1, 50);
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 5; }));
    pool().unsubscribe(id);
    const auto again = subscribe(slow.proxy("slow"));
    EXPECT_NE(id, again);
    publish_all(51, 60);
    answer_from_now_on(slow);
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 15; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    std::vector<int> expected = numbers_from_to(1, 5);
    for (const int number : numbers_from_to(51, 60)) {
        expected.push_back(number);
    }
    EXPECT_EQ(slow.numbers(), expected);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolEndTest, ASubscriptionAfterTheEndOfTheLastOneGetsANewConnection) {
    FakeSubscriber fake;
    start();
    for (int round = 1; round <= 20; ++round) {
        const auto id = subscribe(fake.proxy("s"));
        publish(round);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
        pool().unsubscribe(id);
    }
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 20));
    EXPECT_TRUE(eventually([&] { return fake.goodbyes() == 20; }));
}

/// How a subscriber with a backlog that it will never take comes to its end (reported fault B45).
enum class End { kUnsubscribe, kCloseRoute, kFailure };

class PoolBacklogTest : public PoolTest, public ::testing::WithParamInterface<End> {};

INSTANTIATE_TEST_SUITE_P(Ends, PoolBacklogTest,
                         ::testing::Values(End::kUnsubscribe, End::kCloseRoute, End::kFailure));

TEST_P(PoolBacklogTest, IsFreedWhileThePoolGoesOn) {
    FakeSubscriber frozen(FakeOptions{.welcome = welcomes::validate_only()});
    options.send_timeout = milliseconds{GetParam() == End::kFailure ? 300 : 1000};
    start();
    const auto id = subscribe(frozen.proxy("frozen -o"));
    publish_all(1, 50, {0, kMegabyte, {}});
    ASSERT_TRUE(eventually([&] { return frozen.connections() > 0; }));
    switch (GetParam()) {
        case End::kUnsubscribe:
            pool().unsubscribe(id);
            break;
        case End::kCloseRoute:
            pool().close_route(topic());
            break;
        case End::kFailure:
            break;
    }
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_TRUE(eventually([&] {
        std::size_t open = 0;
        frozen.for_each_connection([&](FakeConnection& connection) {
            connection.start_reading();  // to see the end
            ++open;
        });
        return open == 0;
    }));
}

}  // namespace
}  // namespace squall::test
