#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "integration/ingress_fixture.hpp"
#include "publisher_pool/inbox.hpp"

// Publishers that are faster than a shard that must take their events.

namespace squall::test {
namespace {

using std::chrono::milliseconds;

/// Two shards. The first one, which a test holds, has the subscriber "slow"; the second one has the
/// subscriber "witness" and all publishers that the tests use.
class IngressPressureTest : public IngressTest {
protected:
    static constexpr int kFlood = 40'000;
    /// The inbox of the first shard, and what one publisher's connection may read at a time.
    static constexpr std::size_t kMostOnTheWay = pool::Inbox::kCapacity + 2000;
    static constexpr int kSmallBuffer = 16 * 1024;

    void serve_two_shards() {
        options.shards = 2;
        options.network.receive_buffer = kSmallBuffer;
        serve();
        ASSERT_EQ(shard_of(subscribe(slow_.proxy("slow -o"))), 0U);
        ASSERT_EQ(shard_of(subscribe(witness_.proxy("witness -o"))), 1U);
    }

    /// One in each shard, the first of them unused.
    std::unique_ptr<FakePublisher> publisher_in_second_shard() {
        fillers_.push_back(connect());
        return connect();
    }

    std::unique_ptr<FakePublisher> connect() {
        auto publisher = std::make_unique<FakePublisher>(
            address(), FakePublisherOptions{.send_buffer_bytes = kSmallBuffer});
        EXPECT_EQ(publisher->ask(request(1, numbered_to_quiet(1))).id, 1);
        return publisher;
    }

    static std::future<bool> flood(FakePublisher& publisher, int first, int last) {
        return std::async(std::launch::async, [&publisher, first, last] {
            constexpr int kBatch = 100;
            bool sent = true;
            for (int number = first; sent && number <= last; number += kBatch) {
                sent = publisher.send(numbered_batch(number, number + kBatch - 1));
            }
            return sent;
        });
    }

    /// The flood has filled the inbox and comes no further.
    void expect_flood_to_stand() {
        EXPECT_TRUE(
            eventually([&] { return witness_.received_count() >= pool::Inbox::kCapacity; }));
        EXPECT_FALSE(eventually(milliseconds{300},
                                [&] { return witness_.received_count() > kMostOnTheWay; }));
        EXPECT_LE(pool().ledger().events(), kMostOnTheWay);
    }

    void expect_all(int last) {
        for (const FakeSubscriber* fake : {&slow_, &witness_}) {
            EXPECT_TRUE(eventually(
                [&] { return fake->received_count() >= static_cast<std::size_t>(last); }));
            EXPECT_EQ(fake->numbers(), numbers_from_to(1, last));
        }
    }

    void close_fillers() { fillers_.clear(); }

    const FakeSubscriber& slow() const { return slow_; }
    const FakeSubscriber& witness() const { return witness_; }

    void TearDown() override {
        close_fillers();
        IngressTest::TearDown();
    }

private:
    FakeSubscriber slow_;
    FakeSubscriber witness_;
    std::vector<std::unique_ptr<FakePublisher>> fillers_;
};

TEST_F(IngressPressureTest, FullInboxStopsThePublisherAndLosesNothing) {
    serve_two_shards();
    const auto publisher = publisher_in_second_shard();
    HeldShard held(*this);
    ASSERT_EQ(held.shard(), 0U);
    std::future<bool> sending = flood(*publisher, 1, kFlood);
    expect_flood_to_stand();
    EXPECT_NE(sending.wait_for(milliseconds{0}), std::future_status::ready);
    EXPECT_EQ(slow().received_count(), 0U);
    held.release();
    EXPECT_TRUE(sending.get());
    expect_all(kFlood);
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressPressureTest, PublisherIsAnsweredWhenItsEventsAreHandedOver) {
    serve_two_shards();
    const auto flooder = publisher_in_second_shard();
    const auto caller = publisher_in_second_shard();
    HeldShard held(*this);
    ASSERT_EQ(held.shard(), 0U);
    // While there is room in the inbox nobody waits for the shard that is held.
    EXPECT_EQ(caller->ask(request(2, numbered(1))).id, 2);
    std::future<bool> sending = flood(*flooder, 2, kFlood + 1);
    expect_flood_to_stand();
    ASSERT_TRUE(caller->send(request(3, numbered(kFlood + 2))));
    EXPECT_FALSE(eventually(milliseconds{100}, [&] { return caller->can_read(); }));
    held.release();
    EXPECT_EQ(caller->read_reply().id, 3);
    EXPECT_TRUE(sending.get());
    EXPECT_TRUE(eventually([&] { return slow().received_count() == kFlood + 2; }));
    EXPECT_TRUE(eventually([&] { return witness().received_count() == kFlood + 2; }));
    EXPECT_EQ(slow().numbers(), witness().numbers());
}

TEST_F(IngressPressureTest, EveryPublisherOfTheShardGoesOnAfterwards) {
    constexpr int kPublishers = 5;
    serve_two_shards();
    std::vector<std::unique_ptr<FakePublisher>> publishers;
    for (int i = 0; i < kPublishers; ++i) {
        publishers.push_back(publisher_in_second_shard());
    }
    HeldShard held(*this);
    ASSERT_EQ(held.shard(), 0U);
    std::vector<std::future<bool>> sending;
    for (int i = 0; i < kPublishers; ++i) {
        sending.push_back(flood(*publishers.at(static_cast<std::size_t>(i)), i * kFlood + 1,
                                i * kFlood + kFlood / 2));
    }
    EXPECT_TRUE(eventually([&] { return witness().received_count() >= pool::Inbox::kCapacity; }));
    EXPECT_FALSE(eventually(milliseconds{300}, [&] {
        return witness().received_count() > kPublishers * kMostOnTheWay;
    }));
    held.release();
    for (std::future<bool>& one : sending) {
        EXPECT_TRUE(one.get());
    }
    constexpr std::size_t kAll = std::size_t{kPublishers} * kFlood / 2;
    for (const FakeSubscriber* fake : {&slow(), &witness()}) {
        EXPECT_TRUE(eventually([&] { return fake->received_count() == kAll; }));
        std::vector<int> next(kPublishers, 1);
        for (const int number : fake->numbers()) {
            int& expected = next.at(static_cast<std::size_t>((number - 1) / kFlood));
            ASSERT_EQ((number - 1) % kFlood + 1, expected++);
        }
    }
}

TEST_F(IngressPressureTest, ShardsThatFloodEachOtherDoNotWaitForEachOther) {
    serve_two_shards();
    const auto first = connect();
    const auto second = connect();
    std::future<bool> from_first = flood(*first, 1, kFlood);
    std::future<bool> from_second = flood(*second, kFlood + 1, 2 * kFlood);
    EXPECT_TRUE(from_first.get());
    EXPECT_TRUE(from_second.get());
    for (const FakeSubscriber* fake : {&slow(), &witness()}) {
        EXPECT_TRUE(eventually([&] { return fake->received_count() == 2 * kFlood; }));
        std::vector<int> numbers = fake->numbers();
        std::stable_partition(numbers.begin(), numbers.end(),
                              [](int number) { return number <= kFlood; });
        EXPECT_EQ(numbers, numbers_from_to(1, 2 * kFlood));
    }
}

TEST_F(IngressPressureTest, StopUnderPressureDeliversAllThatWasExecuted) {
    serve_two_shards();
    const auto publisher = publisher_in_second_shard();
    HeldShard held(*this);
    ASSERT_EQ(held.shard(), 0U);
    std::future<bool> sending = flood(*publisher, 1, kFlood);
    expect_flood_to_stand();
    std::future<void> stop = stop_intake_in_background();
    held.release();
    close_fillers();
    EXPECT_TRUE(publisher->read_goodbye());
    sending.get();  // in full or not: what comes after the goodbye is not executed
    publisher->close();
    EXPECT_EQ(stop.wait_for(kPatience), std::future_status::ready);
    EXPECT_TRUE(eventually([&] { return pool().ledger().events() == 0; }));
    EXPECT_TRUE(eventually([&] { return slow().received_count() == witness().received_count(); }));
    EXPECT_GE(witness().received_count(), pool::Inbox::kCapacity);
    expect_all(static_cast<int>(witness().received_count()));
}

}  // namespace
}  // namespace squall::test
