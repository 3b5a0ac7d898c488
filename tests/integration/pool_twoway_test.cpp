#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"
#include "wire/compression.hpp"
#include "wire/header.hpp"
#include "wire/writer.hpp"

namespace squall::test {
namespace {

using Rows = std::vector<Removals::Row>;

/// A fake that answers only when the test says so.
class HeldFake {
public:
    FakeSubscriber& fake() { return fake_; }

    /// Replies to the oldest request that has no reply.
    void answer_one(wire::ReplyStatus status = wire::ReplyStatus::kOk) {
        fake_.for_each_connection([&](FakeConnection& connection) {
            connection.reply(waiting_.front(), status);
            waiting_.pop_front();
        });
    }

private:
    std::deque<std::int32_t> waiting_;  ///< the fake's thread only
    FakeSubscriber fake_{
        [this](FakeConnection&, const Received& request) { waiting_.push_back(request.id); }};
};

class PoolTwowayTest : public PoolTest {
protected:
    /// The next request goes out when, and only when, one of those in flight is answered.
    void expect_window(std::size_t window, const std::map<std::string, std::string>& qos) {
        constexpr int kEvents = 20;
        HeldFake held;
        FakeSubscriber recorder;
        start();
        subscribe(held.fake().proxy("held"), qos);
        subscribe(recorder.proxy("recorder -o"));
        publish_all(1, kEvents);
        ASSERT_TRUE(eventually([&] { return recorder.received_count() == kEvents; }));
        for (std::size_t arrived = window; arrived <= kEvents; ++arrived) {
            ASSERT_TRUE(eventually([&] { return held.fake().received_count() >= arrived; }));
            ASSERT_EQ(held.fake().received_count(), arrived);
            held.answer_one();
        }
        EXPECT_EQ(held.fake().numbers(), numbers_from_to(1, kEvents));
    }
};

TEST_F(PoolTwowayTest, KeepsFiveRequestsInFlight) {
    expect_window(5, {});
}

TEST_F(PoolTwowayTest, KeepsOneRequestInFlightWhenOrdered) {
    expect_window(1, {{"reliability", "ordered"}});
}

TEST_F(PoolTwowayTest, TakesRepliesInAnyOrder) {
    FakeSubscriber fake(scripts::answer_in_reverse(5));
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 100; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 100));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolTwowayTest, IgnoresDuplicateAndUnknownReplies) {
    std::atomic<std::size_t> most{0};
    FakeSubscriber fake([&, waiting = std::vector<std::int32_t>()](
                            FakeConnection& connection, const Received& request) mutable {
        waiting.push_back(request.id);
        most = std::max(most.load(), waiting.size());
        if (waiting.size() < 5) {
            return;
        }
        for (const std::int32_t id : waiting) {
            for (const std::int32_t answered : {id, id, id + 1000, -id, 0}) {
                connection.reply(answered);
            }
        }
        waiting.clear();
    });
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 100; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 100));
    EXPECT_EQ(most, 5U);
    EXPECT_EQ(fake.connections(), 1U);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolTwowayTest, TakesRepliesByteByByte) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        connection.send_bytewise(reply_message(request.id, 0));
    });
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 30);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 30));
    EXPECT_EQ(fake.connections(), 1U);
}

TEST_F(PoolTwowayTest, IgnoresHeartbeatsAndForeignRequestsBetweenReplies) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        wire::Buffer foreign(wire::kHeaderSize + 4);
        wire::store_header(foreign.data(), wire::MessageType::kRequest, wire::Compression::kNone,
                           static_cast<std::uint32_t>(foreign.size()));
        connection.validate();
        connection.send(foreign);
        connection.reply(request.id);
        connection.validate();
    });
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 30);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(fake.connections(), 1U);
}

TEST_F(PoolTwowayTest, TakesACompressedReply) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        wire::Buffer plain;
        wire::append_unknown(plain, request.id, wire::ReplyStatus::kUnknown,
                             std::string(5000, 'x'));
        wire::Buffer compressed;
        ASSERT_TRUE(wire::compress_message(plain, compressed));
        connection.send(compressed);
    });
    start();
    const auto id = subscribe(fake.proxy("s"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_TRUE(eventually([&] { return fake.goodbyes() == 1; }));  // the reply was no fault
}

TEST_F(PoolTwowayTest, TakesAUserExceptionForSuccess) {
    FakeSubscriber fake(scripts::answer(wire::ReplyStatus::kUserException));
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 50);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 50; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolTwowayTest, RemovesOnceForGoodWhenTheObjectDoesNotExist) {
    // The first reply is final, those behind it change nothing (reported fault B28).
    FakeSubscriber fake(
        [first = true](FakeConnection& connection, const Received& request) mutable {
            connection.reply(request.id,
                             first ? wire::ReplyStatus::kObjectNotExist : wire::ReplyStatus::kOk);
            first = false;
        });
    FakeSubscriber recorder;
    start();
    const auto id = subscribe(fake.proxy("s"), {{"retryCount", "-1"}});
    subscribe(recorder.proxy("recorder -o"));
    publish_all(1, 5);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    publish_all(6, 30);
    ASSERT_TRUE(eventually([&] { return recorder.received_count() == 30; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_LE(fake.received_count(), 5U);
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kObjectNotExist}}));
}

TEST_F(PoolTwowayTest, CountsOnlyFailuresInARow) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        const bool bad = request.number() % 2 == 1;
        connection.reply(request.id, bad ? wire::ReplyStatus::kUnknown : wire::ReplyStatus::kOk);
    });
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "1"}});
    for (int number = 1; number <= 10; ++number) {
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 10));
    EXPECT_EQ(removals().count(), 0U);
    publish(11);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    publish(13);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
}

TEST_F(PoolTwowayTest, OneFailureCountsOnceHoweverManyRequestsFailTogether) {
    FakeSubscriber fake(scripts::answer(wire::ReplyStatus::kUnknown));
    options.queue.discard_interval = std::chrono::hours{1};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "1"}});
    publish_all(1, 5);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    FakeSubscriber recorder;
    subscribe(recorder.proxy("recorder"));
    publish_all(6, 20);
    ASSERT_TRUE(eventually([&] { return recorder.received_count() == 15; }));
    EXPECT_EQ(removals().count(), 0U);
    EXPECT_LE(fake.received_count(), 5U);
}

/// Every reply status but Ok, UserException and ObjectNotExist.
class PoolReplyStatusTest : public PoolTest, public ::testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Statuses, PoolReplyStatusTest,
                         ::testing::Values(3, 4, 5, 6, 7, 8, 9, 10, 99, 255));

TEST_P(PoolReplyStatusTest, IsASoftFailure) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        connection.send(reply_message(request.id, static_cast<std::uint8_t>(GetParam())));
    });
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    const auto id = subscribe(fake.proxy("s"), {{"retryCount", "2"}});
    for (int number = 1; number <= 2; ++number) {
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
        EXPECT_EQ(removals().count(), 0U);
    }
    publish(3);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 3));
}

}  // namespace
}  // namespace squall::test
