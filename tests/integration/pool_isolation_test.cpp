#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"
#include "wire/compression.hpp"
#include "wire/header.hpp"
#include "wire/writer.hpp"

namespace squall::test {
namespace {

using std::chrono::milliseconds;
using Rows = std::vector<Removals::Row>;

/// Whatever one peer does, the others do not notice (issue 2, "Bad input").
class PoolIsolationTest : public PoolTest {
protected:
    /// Two good subscribers on the same shard as whatever else a test adds.
    void subscribe_good_ones() {
        subscribe(oneway_.proxy("oneway -o"));
        subscribe(twoway_.proxy("twoway"));
    }

    void expect_good_ones_to_get(int first, int last) {
        const std::vector<int> expected = numbers_from_to(first, last);
        for (const FakeSubscriber* fake : {&oneway_, &twoway_}) {
            EXPECT_TRUE(eventually([&] { return fake->received_count() >= expected.size(); }));
            EXPECT_EQ(fake->numbers(), expected);
            EXPECT_EQ(fake->connections(), 1U);
        }
    }

private:
    FakeSubscriber oneway_;
    FakeSubscriber twoway_;
};

/// A script that answers the first requests, then goes wrong.
struct BadPeer {
    std::string name;
    Script misbehave;
};

Script send(wire::Buffer bytes) {
    return [bytes = std::move(bytes)](FakeConnection& connection, const Received&) {
        connection.send(bytes);
    };
}

wire::Buffer header(wire::MessageType type, std::uint32_t size) {
    wire::Buffer bytes(wire::kHeaderSize);
    wire::store_header(bytes.data(), type, wire::Compression::kNone, size);
    return bytes;
}

wire::Buffer with_byte(std::size_t at, std::uint8_t value) {
    wire::Buffer bytes = reply_message(1, 0);
    bytes[at] = value;
    return bytes;
}

wire::Buffer reply_without_body() {
    return header(wire::MessageType::kReply, wire::kHeaderSize);
}

/// An Ok whose encapsulation claims more bytes than there are.
wire::Buffer reply_with_bad_encapsulation() {
    return with_byte(wire::kHeaderSize + 5, 200);
}

wire::Buffer damaged_compressed_reply() {
    wire::Buffer plain;
    wire::append_unknown(plain, 1, wire::ReplyStatus::kUnknown, std::string(5000, 'x'));
    wire::Buffer compressed;
    EXPECT_TRUE(wire::compress_message(plain, compressed));
    compressed[compressed.size() / 2] ^= 0xff;
    return compressed;
}

/// A compressed reply that claims to become a gigabyte.
wire::Buffer compressed_reply_that_explodes() {
    wire::Buffer bytes = damaged_compressed_reply();
    wire::store_i32(bytes.data() + wire::kHeaderSize, 1 << 30);
    return bytes;
}

std::vector<BadPeer> bad_peers() {
    return {
        {"SendsGarbage", send(wire::Buffer(1000, 0x5a))},
        {"SendsAWrongMagic", send(with_byte(0, 'i'))},
        {"SendsAWrongProtocol", send(with_byte(4, 2))},
        {"SendsAWrongEncoding", send(with_byte(6, 2))},
        {"SendsAnUnknownMessageType", send(with_byte(8, 5))},
        {"SendsAnUnknownCompression", send(with_byte(9, 3))},
        {"SendsAHugeSize", send(header(wire::MessageType::kReply, 0x7fffffff))},
        {"SendsANegativeSize", send(header(wire::MessageType::kReply, 0x80000000))},
        {"SendsATinySize", send(header(wire::MessageType::kReply, 13))},
        {"SendsMoreThanMessageSizeMax", send(header(wire::MessageType::kReply, 1024 * 1024 + 1))},
        {"SendsAGoodbyeWithABody", send(header(wire::MessageType::kCloseConnection, 15))},
        {"SendsAReplyWithoutABody", send(reply_without_body())},
        {"SendsAReplyWithABadEncapsulation", send(reply_with_bad_encapsulation())},
        {"SendsDamagedCompressedData", send(damaged_compressed_reply())},
        {"SendsACompressionBomb", send(compressed_reply_that_explodes())},
        {"ClosesInTheMiddleOfAFrame",
         [](FakeConnection& connection, const Received& request) {
             const wire::Buffer reply = reply_message(request.id, 0);
             connection.send(wire::ByteView(reply).first(20));
             connection.cut();
         }},
        {"Dies", [](FakeConnection& connection, const Received&) { connection.cut(); }},
    };
}

class PoolBadPeerTest : public PoolIsolationTest, public ::testing::WithParamInterface<BadPeer> {};

INSTANTIATE_TEST_SUITE_P(Peers, PoolBadPeerTest, ::testing::ValuesIn(bad_peers()),
                         [](const auto& peer) { return peer.param.name; });

TEST_P(PoolBadPeerTest, OnlyItsOwnSubscriptionEnds) {
    FakeSubscriber bad(
        [misbehave = GetParam().misbehave](FakeConnection& connection, const Received& request) {
            if (request.number() < 5) {
                connection.reply(request.id);
            } else {
                misbehave(connection, request);
            }
        });
    start();
    const auto id = subscribe(bad.proxy("bad"));
    subscribe_good_ones();
    publish_all(1, 200);
    expect_good_ones_to_get(1, 200);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_TRUE(eventually([&] { return bad.open_connections() == 0; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolIsolationTest, OnewaySubscriberThatNeverReadsFailsAfterSendTimeout) {
    // Reported fault B15: each new connection's empty buffers must not save it.
    constexpr std::size_t kMegabyte = 1024 * 1024;
    FakeSubscriber frozen(
        FakeOptions{.receive_buffer_bytes = 4096, .welcome = welcomes::validate_only()});
    options.send_timeout = milliseconds{300};
    start();
    const auto id = subscribe(frozen.proxy("frozen -o"));
    subscribe_good_ones();
    publish_all(1, 30, {0, kMegabyte, {}});
    publish_all(31, 100);
    expect_good_ones_to_get(1, 100);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_EQ(frozen.connections(), 1U);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolIsolationTest, TwowaySubscriberThatNeverReadsFailsAfterSendTimeout) {
    constexpr std::size_t kTooMuchForBuffers = 16 * 1024 * 1024;
    FakeSubscriber frozen(FakeOptions{.welcome = welcomes::validate_only()});
    options.send_timeout = milliseconds{300};
    start();
    const auto id = subscribe(frozen.proxy("frozen"));
    subscribe_good_ones();
    publish(1, {2, kTooMuchForBuffers, {}});
    publish_all(2, 100);
    expect_good_ones_to_get(1, 100);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolIsolationTest, AStallConcernsOnlySubscribersThatHaveSomethingPending) {
    constexpr std::size_t kTooMuchForBuffers = 16 * 1024 * 1024;
    FakeSubscriber frozen(FakeOptions{.welcome = welcomes::validate_only()});
    options.send_timeout = milliseconds{200};
    start();
    subscribe(frozen.proxy("idle -o"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    const auto other = pool().open_route();
    const auto id = subscribe_to(other, frozen.proxy("busy -o"));
    other->publish(event(2, {0, kTooMuchForBuffers, {}}));
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
}

TEST_F(PoolIsolationTest, SlowReaderThatMakesProgressDoesNotFail) {
    constexpr std::size_t kMegabyte = 1024 * 1024;
    FakeSubscriber slow(FakeOptions{.receive_buffer_bytes = 4096});
    options.send_timeout = milliseconds{500};
    start();
    subscribe(slow.proxy("slow -o"));
    publish_all(1, 40, {0, kMegabyte, {}});
    ASSERT_TRUE(eventually([&] { return slow.received_count() == 40; }));
    EXPECT_EQ(slow.connections(), 1U);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIsolationTest, SubscriberThatNeverAnswersHoldsUpNobody) {
    FakeSubscriber mute(scripts::never_answer());
    start();
    subscribe(mute.proxy("mute"));
    // On the same connection, even.
    subscribe(mute.proxy("neighbour -o"));
    subscribe_good_ones();
    publish_all(1, 2000);
    expect_good_ones_to_get(1, 2000);
    EXPECT_TRUE(eventually([&] { return mute.numbers("neighbour").size() == 2000; }));
    EXPECT_EQ(mute.numbers("mute"), numbers_from_to(1, 5));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIsolationTest, SubscriberThatNeverAnswersFailsAfterTheSilence) {
    FakeSubscriber mute(scripts::never_answer());
    options.reply_silence_max = milliseconds{200};
    options.send_timeout = milliseconds{2000};
    start();
    const auto id = subscribe(mute.proxy("mute"));
    publish_all(1, 20);
    EXPECT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_EQ(mute.numbers("mute"), numbers_from_to(1, 5));
}

TEST_F(PoolIsolationTest, NameThatDoesNotResolveLeavesOtherNamesAlone) {
    FakeSubscriber named;
    start();
    subscribe("nowhere -o:tcp -h no-such-host.invalid -p 1", {{"retryCount", "-1"}});
    subscribe("here -o:tcp -h localhost -p " + std::to_string(named.port()));
    publish_all(1, 50);
    EXPECT_TRUE(eventually([&] { return named.received_count() == 50; }));
    EXPECT_EQ(named.numbers("here"), numbers_from_to(1, 50));
}

TEST_F(PoolIsolationTest, TwentyBadSubscribersDoNotHoldUpARecorder) {
    // Reported fault B09.
    FakeSubscriber silent(FakeOptions{.welcome = welcomes::stay_silent()});
    DeadPort dead;
    options.shards = 2;
    options.send_timeout = milliseconds{300};
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    const std::vector<std::string> endpoints{"tcp -h no-such-host.invalid -p 1",
                                             "tcp -h 127.0.0.1 -p 1", dead.endpoint(),
                                             silent.endpoint(), "opaque -t 42 -e 1.1 -v AAAA"};
    for (int i = 0; i < 20; ++i) {
        const std::string name = "bad" + std::to_string(i) + (i % 2 == 0 ? " -o" : "");
        subscribe(name + ":" + endpoints[static_cast<std::size_t>(i) % endpoints.size()],
                  {{"retryCount", i < 10 ? "0" : "3"}});
    }
    subscribe_good_ones();
    publish_all(1, 1000);
    expect_good_ones_to_get(1, 1000);
    ASSERT_TRUE(eventually([&] {
        publish(0);
        return removals().count() == 20;
    }));
    for (const auto& [id, reason] : removals().rows()) {
        EXPECT_EQ(reason, queue::RemovalReason::kRetriesExhausted);
    }
}

}  // namespace
}  // namespace squall::test
