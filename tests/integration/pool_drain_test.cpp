#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Undelivered = std::vector<pool::Undelivered>;

class PoolDrainTest : public PoolTest {
protected:
    Undelivered drain_within(std::chrono::nanoseconds limit) {
        return pool().drain(Clock::now() + limit);
    }

    std::future<Undelivered> drain_in_background(std::chrono::nanoseconds limit) {
        return std::async(std::launch::async, [this, limit] { return drain_within(limit); });
    }

    static bool over(const std::future<Undelivered>& drain) {
        return drain.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    }

    static bool ends_soon(const std::future<Undelivered>& drain) {
        return drain.wait_for(kPatience) == std::future_status::ready;
    }
};

TEST_F(PoolDrainTest, EndsAtOnceWhenThereIsNothingToDo) {
    FakeSubscriber fake;
    options.shards = 4;
    start();
    subscribe(fake.proxy("s"));
    EXPECT_TRUE(drain_within(hours{1}).empty());
}

TEST_F(PoolDrainTest, DeliversAllThatWasPublished) {
    FakeSubscriber oneway;
    FakeSubscriber twoway;
    FakeSubscriber batch;
    options.shards = 4;
    options.queue.flush_timeout = hours{1};
    start();
    subscribe(oneway.proxy("oneway -o"));
    subscribe(twoway.proxy("twoway"));
    subscribe(batch.proxy("batch -O"));
    publish_all(1, 5000);
    EXPECT_TRUE(drain_within(kPatience).empty());
    EXPECT_EQ(ledger().events(), 0U);
    for (const FakeSubscriber* fake : {&oneway, &twoway, &batch}) {
        EXPECT_TRUE(eventually([&] { return fake->goodbyes() == 1; }));
        EXPECT_EQ(fake->numbers(), numbers_from_to(1, 5000));
    }
}

TEST_F(PoolDrainTest, WaitsForRepliesNotOnlyForQueues) {
    FakeSubscriber slow(scripts::never_answer());
    start();
    subscribe(slow.proxy("slow"));
    publish_all(1, 3);
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 3; }));
    const auto drain = drain_in_background(kPatience);
    for (const Received& request : slow.received()) {
        EXPECT_FALSE(over(drain));
        slow.for_each_connection([&](FakeConnection& connection) { connection.reply(request.id); });
    }
    EXPECT_TRUE(ends_soon(drain));
}

TEST_F(PoolDrainTest, TellsWhatWasNotDeliveredByTheDeadline) {
    FakeSubscriber mute(scripts::never_answer());
    FakeSubscriber good;
    options.shards = 2;
    start();
    subscribe(mute.proxy("cat/mute"));
    subscribe(good.proxy("good"));
    publish_all(1, 20);
    const auto begun = Clock::now();
    const Undelivered rows = drain_within(milliseconds{300});
    EXPECT_GE(Clock::now() - begun, milliseconds{300});
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].topic, "topic");
    EXPECT_EQ(rows[0].identity, "cat/mute");
    EXPECT_EQ(rows[0].events, 20U);
    EXPECT_EQ(good.numbers(), numbers_from_to(1, 20));
}

TEST_F(PoolDrainTest, WaitsAsleep) {
    // Reported fault B04.
    FakeSubscriber mute(scripts::never_answer());
    options.shards = 2;
    start();
    subscribe(mute.proxy("mute"));
    publish_all(1, 20);
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 5; }));
    const std::clock_t before = std::clock();
    drain_within(milliseconds{500});
    const double used_seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    EXPECT_LT(used_seconds, 0.25);
}

TEST_F(PoolDrainTest, IsNoReasonToRemoveASubscriber) {
    // Its peer closes when told goodbye, with requests that have no reply: not its fault.
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"));
    publish_all(1, 20);
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 5; }));
    const Undelivered rows = drain_within(milliseconds{1});
    EXPECT_EQ(rows.size(), 1U);
    EXPECT_TRUE(eventually([&] { return mute.open_connections() == 0; }));
    pool().unsubscribe(0);  // the shard has come past
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolDrainTest, SaysGoodbyeEvenWhenTheDeadlineHasPassed) {
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 1; }));
    EXPECT_EQ(drain_within(milliseconds{0}).size(), 1U);
    shut_down();
    EXPECT_TRUE(eventually([&] { return mute.goodbyes() == 1; }));
}

TEST_F(PoolDrainTest, EndsAtOnceWhenCancelled) {
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"));
    publish_all(1, 20);
    auto drain = drain_in_background(hours{1});
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 5; }));
    pool().cancel_drain();
    ASSERT_TRUE(ends_soon(drain));
    const Undelivered rows = drain.get();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].events, 20U);
}

TEST_F(PoolDrainTest, EndsAtOnceWhenCancelledBefore) {
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"));
    publish(1);
    pool().cancel_drain();
    EXPECT_EQ(drain_within(hours{1}).size(), 1U);
}

TEST_F(PoolDrainTest, DoesNotWaitForOfflineSubscribers) {
    // Reported fault B01.
    FakeSubscriber fake(scripts::answer(wire::ReplyStatus::kUnknown));
    options.queue.discard_interval = hours{1};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "-1"}});
    publish_all(1, 100);
    EXPECT_TRUE(drain_within(hours{1}).empty());
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolDrainTest, EndsWhenTheLastSubscriberFails) {
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"), {{"retryCount", "-1"}});
    publish_all(1, 100);
    const auto drain = drain_in_background(hours{1});
    ASSERT_TRUE(eventually([&] { return mute.received_count() == 5; }));
    mute.cut_all();
    EXPECT_TRUE(ends_soon(drain));
}

TEST_F(PoolDrainTest, FrozenSubscribersDoNotKeepHealthyOnesFromTheirEvents) {
    // Reported fault B10: without any Send.Timeout only the deadline ends it.
    constexpr std::size_t kMegabyte = 1024 * 1024;
    options.send_timeout = std::nullopt;
    options.shards = 2;
    start();
    std::vector<std::unique_ptr<FakeSubscriber>> frozen;
    std::vector<std::unique_ptr<FakeSubscriber>> healthy;
    for (int i = 0; i < 5; ++i) {
        frozen.push_back(std::make_unique<FakeSubscriber>(
            FakeOptions{.receive_buffer_bytes = 4096, .welcome = welcomes::validate_only()}));
        subscribe(frozen.back()->proxy("frozen" + std::to_string(i) + " -o"));
        healthy.push_back(std::make_unique<FakeSubscriber>());
        subscribe(healthy.back()->proxy("healthy" + std::to_string(i)));
    }
    publish_all(1, 10, {0, kMegabyte, {}});
    auto drain = drain_in_background(hours{1});
    for (const auto& fake : healthy) {
        EXPECT_TRUE(eventually([&] { return fake->received_count() == 10; }));
    }
    pool().cancel_drain();
    ASSERT_TRUE(ends_soon(drain));
    // The last replies of healthy ones may still be under way.
    std::size_t still_frozen = 0;
    for (const pool::Undelivered& row : drain.get()) {
        still_frozen += row.identity.starts_with("frozen") ? 1U : 0U;
        EXPECT_GT(row.events, 0U);
    }
    EXPECT_EQ(still_frozen, 5U);
}

TEST_F(PoolDrainTest, FlushesBatchesOfSubscribersThatComeLate) {
    FakeSubscriber fake(FakeOptions{.open = false});
    options.queue.flush_timeout = hours{1};
    start();
    subscribe(fake.proxy("s -O"));
    publish_all(1, 10);
    const auto drain = drain_in_background(kPatience);
    fake.open();
    ASSERT_TRUE(ends_soon(drain));
    EXPECT_TRUE(eventually([&] { return fake.received_count() == 10; }));
}

}  // namespace
}  // namespace squall::test
