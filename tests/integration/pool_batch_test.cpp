#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

class PoolBatchTest : public PoolTest {
protected:
    static std::set<std::size_t> messages(const FakeSubscriber& fake) {
        std::set<std::size_t> messages;
        for (const Received& request : fake.received()) {
            messages.insert(request.message);
        }
        return messages;
    }
};

TEST_F(PoolBatchTest, SendsOneMessageWhenTheFlushTimeoutIsOver) {
    FakeSubscriber fake;
    options.queue.flush_timeout = milliseconds{500};
    start();
    subscribe(fake.proxy("s -O"));
    const auto published = std::chrono::steady_clock::now();
    publish_all(1, 50);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 50; }));
    EXPECT_GE(std::chrono::steady_clock::now() - published, options.queue.flush_timeout);
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 50));
    EXPECT_EQ(messages(fake), std::set<std::size_t>{0});
    EXPECT_TRUE(fake.received().front().batch);
}

TEST_F(PoolBatchTest, FlushesAgainAndAgain) {
    FakeSubscriber fake;
    options.queue.flush_timeout = milliseconds{5};
    start();
    subscribe(fake.proxy("s -O"));
    for (int number = 1; number <= 20; ++number) {
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 20; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 20));
    EXPECT_EQ(messages(fake).size(), 20U);
}

TEST_F(PoolBatchTest, FlushesEarlyWhenTheBatchIsLarge) {
    FakeSubscriber fake;
    options.queue.flush_timeout = hours{1};
    options.queue.batch_bytes_max = 10'000;
    start();
    subscribe(fake.proxy("s -O"));
    const EventParts parts{0, 1000, {}};
    publish_all(1, 8, parts);
    publish_all(9, 12, parts);
    EXPECT_TRUE(eventually([&] { return fake.received_count() >= 9; }));
}

TEST_F(PoolBatchTest, SplitsWhatExceedsTheLimit) {
    FakeSubscriber fake;
    options.queue.flush_timeout = milliseconds{50};
    options.queue.batch_bytes_max = 10'000;
    start();
    subscribe(fake.proxy("s -O"));
    publish_all(1, 40, {0, 900, {}});
    publish(41, {0, 50'000, {}});  // alone over the limit
    publish_all(42, 60, {0, 900, {}});
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 60; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 60));
    for (const Received& request : fake.received()) {
        const bool alone = request.number() == 41;
        EXPECT_EQ(request.message_bytes < options.queue.batch_bytes_max, !alone)
            << request.number();
    }
}

TEST_F(PoolBatchTest, IsFlushedAtOnceByADrain) {
    FakeSubscriber fake;
    options.queue.flush_timeout = hours{1};
    start();
    subscribe(fake.proxy("s -O"));
    publish_all(1, 3);
    const auto undelivered = pool().drain(std::chrono::steady_clock::now() + kPatience);
    EXPECT_TRUE(undelivered.empty());
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3; }));
    EXPECT_EQ(messages(fake).size(), 1U);
}

TEST_F(PoolBatchTest, FlushesAgainAfterAFailedFlush) {
    // IceStorm 3.7 never does (behaviour reference 6.8).
    FakeOptions flaky;
    flaky.welcome = [](FakeConnection& connection) {
        if (connection.index() < 2) {  // a connector tries twice
            connection.cut();
        } else {
            welcomes::validate_and_read()(connection);
        }
    };
    FakeSubscriber fake(flaky);
    options.queue.flush_timeout = milliseconds{5};
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    subscribe(fake.proxy("s -O"), {{"retryCount", "1"}});
    publish(0);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(fake.connections(), 2U);
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    EXPECT_EQ(fake.numbers(), std::vector<int>{1});
}

TEST_F(PoolBatchTest, ManySubscribersOfOneEndpointEachGetTheirOwnMessage) {
    FakeSubscriber fake;
    options.queue.flush_timeout = milliseconds{20};
    start();
    for (int i = 0; i < 20; ++i) {
        subscribe(fake.proxy("s" + std::to_string(i) + " -O"));
    }
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 20 * 100; }));
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(fake.numbers("s" + std::to_string(i)), numbers_from_to(1, 100));
    }
    EXPECT_EQ(fake.connections(), 1U);
}

}  // namespace
}  // namespace squall::test
