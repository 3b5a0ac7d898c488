#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using Rows = std::vector<Removals::Row>;

/// Send.QueueSizeMax (behaviour reference 6.6) with a subscriber whose server accepts late, and
/// the offline window (6.4).
class PoolOverflowTest : public PoolTest {
protected:
    PoolOverflowTest() { options.queue.queue_size_max = 3; }

    void drop_events() { options.queue.overflow_policy = queue::OverflowPolicy::kDropEvents; }

    /// All that was published has reached the queues of the one shard.
    void settle() { pool().unsubscribe(0); }

    void expect_after_late_accept(const std::string& flags,
                                  const std::map<std::string, std::string>& qos,
                                  const std::vector<int>& expected) {
        FakeSubscriber fake(FakeOptions{.open = false});
        drop_events();
        start();
        subscribe(fake.proxy("s" + flags), qos);
        publish_all(0, 12);
        settle();
        fake.open();
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
        ASSERT_TRUE(eventually([&] { return fake.received_count() == expected.size(); }));
        EXPECT_EQ(fake.numbers(), expected);
        EXPECT_EQ(removals().count(), 0U);
    }
};

TEST_F(PoolOverflowTest, DropEventsKeepsTheOneInFlightAndTheLastWhenOrdered) {
    expect_after_late_accept("", {{"reliability", "ordered"}}, {0, 10, 11, 12});
}

TEST_F(PoolOverflowTest, DropEventsKeepsTheFiveInFlightAndTheLastWhenTwoway) {
    expect_after_late_accept("", {}, {0, 1, 2, 3, 4, 10, 11, 12});
}

TEST_F(PoolOverflowTest, DropEventsKeepsTheFiveInFlightAndTheLastWhenOneway) {
    expect_after_late_accept(" -o", {}, {0, 1, 2, 3, 4, 10, 11, 12});
}

TEST_F(PoolOverflowTest, DropEventsKeepsTheLastOfABatch) {
    options.queue.flush_timeout = std::chrono::milliseconds{20};
    expect_after_late_accept(" -O", {}, {10, 11, 12});
}

TEST_F(PoolOverflowTest, RemoveSubscriberRemovesAtOnceWhateverTheRetryCount) {
    FakeSubscriber fake(FakeOptions{.open = false});
    FakeSubscriber recorder;
    start();
    const auto id = subscribe(fake.proxy("s"), {{"reliability", "ordered"}, {"retryCount", "-1"}});
    subscribe(recorder.proxy("recorder -o"));
    publish_all(0, 3);
    settle();
    EXPECT_EQ(removals().count(), 0U);
    publish(4);
    settle();
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kQueueOverflow}}));
    ASSERT_TRUE(eventually([&] { return recorder.received_count() == 5; }));
    publish_all(5, 9);
    ASSERT_TRUE(eventually([&] { return recorder.received_count() == 10; }));
    EXPECT_EQ(removals().count(), 1U);
    fake.open();
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_LE(fake.received_count(), 1U);  // the one in flight may arrive
}

TEST_F(PoolOverflowTest, ABurstDoesNotRemoveASubscriberThatKeepsUp) {
    // What the socket would take at once does not wait, so it does not count.
    FakeSubscriber fake;
    options.queue.queue_size_max = 10;
    start();
    subscribe(fake.proxy("s -o"));
    publish(0);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    publish_all(1, 3000);
    ASSERT_TRUE(
        eventually([&] { return fake.received_count() == 3001 || removals().count() != 0; }));
    EXPECT_EQ(removals().count(), 0U);
    EXPECT_EQ(fake.numbers(), numbers_from_to(0, 3000));
}

TEST_F(PoolOverflowTest, NothingArrivesInTheOfflineWindow) {
    FakeSubscriber fake(scripts::answer(wire::ReplyStatus::kUnknown));
    options.queue.queue_size_max = -1;
    options.queue.discard_interval = std::chrono::hours{1};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "1"}});
    publish(1);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    publish_all(2, 50);
    settle();
    EXPECT_EQ(ledger().events(), 0U);
    EXPECT_EQ(fake.numbers(), std::vector<int>{1});
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolOverflowTest, TheFirstEventBehindTheOfflineWindowIsTheProbe) {
    FakeSubscriber fake([first = true](FakeConnection& connection,
                                       const Received& request) mutable {
        connection.reply(request.id, first ? wire::ReplyStatus::kUnknown : wire::ReplyStatus::kOk);
        first = false;
    });
    options.queue.queue_size_max = -1;
    options.queue.discard_interval = std::chrono::seconds{1};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "1"}});
    const auto before_failure = std::chrono::steady_clock::now();
    publish(1);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    int last = 1;
    ASSERT_TRUE(eventually([&] {
        publish(++last);
        return fake.received_count() > 1;
    }));
    EXPECT_GE(std::chrono::steady_clock::now() - before_failure, options.queue.discard_interval);
    EXPECT_GT(fake.numbers()[1], 2);
    // From the probe on, nothing is missing.
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    const std::vector<int> numbers = fake.numbers();
    EXPECT_EQ(std::vector<int>(numbers.begin() + 1, numbers.end()),
              numbers_from_to(numbers[1], last));
}

}  // namespace
}  // namespace squall::test
