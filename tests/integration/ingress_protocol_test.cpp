#include <gtest/gtest.h>

#include <string>

#include "integration/ingress_fixture.hpp"

// What a publisher's connection carries: requests of all kinds, and their answers.

namespace squall::test {
namespace {

using wire::Compression;
using wire::ReplyStatus;

constexpr std::size_t kMegabyte = 1024 * 1024;

/// A topic with one oneway subscriber.
class IngressProtocolTest : public IngressTest {
protected:
    void serve_with_subscriber() {
        serve();
        subscribe(fake_.proxy("s -o"));
    }

    void expect_numbers(int first, int last) {
        const std::vector<int> expected = numbers_from_to(first, last);
        EXPECT_TRUE(eventually([&] { return fake_.received_count() >= expected.size(); }));
        EXPECT_EQ(fake_.numbers(), expected);
    }

    const FakeSubscriber& fake() const { return fake_; }

private:
    FakeSubscriber fake_;
};

TEST_F(IngressProtocolTest, ServerSpeaksFirst) {
    serve();
    FakePublisher publisher(address(), {.await_validation = false});
    const auto first = publisher.read_message();
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, wire::Buffer(wire::kValidateMessage.begin(), wire::kValidateMessage.end()));
}

TEST_F(IngressProtocolTest, PublisherThatDoesNotWaitForTheValidationIsServedToo) {
    serve_with_subscriber();
    FakePublisher publisher(address(), {.await_validation = false});
    ASSERT_TRUE(publisher.send(oneways(1, 3)));
    expect_numbers(1, 3);
}

TEST_F(IngressProtocolTest, OnewayEventsArriveAsTheyWereSent) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    Record record = numbered(1, 100);
    record.operation = "tick";
    record.mode = 2;
    record.context = {{"a", "1"}, {"b", "2"}};
    ASSERT_TRUE(publisher.send(request(0, record)));
    expect_numbers(1, 1);
    const Received got = fake().received().front();
    EXPECT_EQ(got.identity, "s");
    EXPECT_EQ(got.operation, "tick");
    EXPECT_EQ(got.mode, 2);
    EXPECT_EQ(got.context, record.context);
    EXPECT_EQ(got.encapsulation, record.params);
}

TEST_F(IngressProtocolTest, TwowayEventsAreAnswered) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    for (const int number : numbers_from_to(1, 20)) {
        const Reply reply = publisher.ask(request(number + 100, numbered(number)));
        EXPECT_EQ(reply.id, number + 100);
        EXPECT_EQ(reply.status, ReplyStatus::kOk);
        EXPECT_EQ(reply.rest, wire::test::encapsulation(wire::kEncoding11, ""));
    }
    expect_numbers(1, 20);
}

TEST_F(IngressProtocolTest, BatchesArriveInOrder) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(
        publisher.send(joined({numbered_batch(1, 100), oneways(101, 101), numbered_batch(102, 102),
                               batch({}), numbered_batch(103, 5000)})));
    expect_numbers(1, 5000);
}

TEST_F(IngressProtocolTest, CompressedMessagesAreExecuted) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(compressed(numbered_batch(1, 500))));
    const Reply reply = publisher.ask(compressed(request(7, numbered(501, 5000))));
    EXPECT_EQ(reply.id, 7);
    EXPECT_EQ(reply.status, ReplyStatus::kOk);
    EXPECT_EQ(reply.compression, Compression::kSupported);
    ASSERT_TRUE(publisher.send(oneways(502, 502)));
    expect_numbers(1, 502);
}

TEST_F(IngressProtocolTest, MessagesThatSwellAreExecutedInSeveralTurnsAndInOrder) {
    // Each stands for more than half of what a turn decompresses; all of them fit in one read.
    constexpr int kSwelling = 12;
    serve_with_subscriber();
    FakePublisher publisher(address());
    std::vector<wire::Buffer> messages;
    for (int number = 1; number <= kSwelling; ++number) {
        messages.push_back(compressed(request(0, numbered(number, 700'000))));
    }
    messages.push_back(oneways(kSwelling + 1, kSwelling + 1));
    messages.push_back(request(9, numbered(kSwelling + 2)));
    const Reply reply = publisher.ask(joined(messages));
    EXPECT_EQ(reply.id, 9);
    EXPECT_EQ(reply.status, ReplyStatus::kOk);
    expect_numbers(1, kSwelling + 2);
}

TEST_F(IngressProtocolTest, ReplyThatIsDueIsWrittenBeforeABrokenConnectionEnds) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const wire::Buffer garbage(wire::kHeaderSize, 'x');
    EXPECT_EQ(publisher.ask(joined({request(5, numbered(1)), garbage})).id, 5);
    expect_numbers(1, 1);
}

TEST_F(IngressProtocolTest, LargeRepliesAreCompressedForPeersThatDo) {
    serve();
    FakePublisher publisher(address());
    Record record = numbered(1);
    record.name = std::string(300'000, 'n');
    const Reply reply = publisher.ask(compressed(request(7, record)));
    EXPECT_EQ(reply.compression, Compression::kCompressed);
    EXPECT_EQ(reply.status, ReplyStatus::kObjectNotExist);
    EXPECT_GT(reply.rest.size(), 300'000U);
}

TEST_F(IngressProtocolTest, UnknownObjectsAndFacetsAreAnswered) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    Record record = numbered(1);
    record.facet = "side";
    EXPECT_EQ(publisher.ask(request(1, record)).status, ReplyStatus::kFacetNotExist);
    record.name = "unknown";
    EXPECT_EQ(publisher.ask(request(2, record)).status, ReplyStatus::kObjectNotExist);
    EXPECT_EQ(publisher.ask(request(3, numbered(1))).status, ReplyStatus::kOk);
    expect_numbers(1, 1);
}

TEST_F(IngressProtocolTest, WithdrawnObjectDoesNotExistAnyMoreOnAnyShard) {
    options.shards = 3;
    serve();
    std::vector<std::unique_ptr<FakePublisher>> publishers;
    for (int i = 0; i < 6; ++i) {
        publishers.push_back(std::make_unique<FakePublisher>(address()));
        EXPECT_EQ(publishers.back()->ask(request(1, numbered(1))).status, ReplyStatus::kOk);
    }
    pool().withdraw(std::vector{Ice::Identity{"publish", "topic"}});
    for (const auto& publisher : publishers) {
        EXPECT_EQ(publisher->ask(request(2, numbered(2))).status, ReplyStatus::kObjectNotExist);
        EXPECT_EQ(publisher->ask(request(3, numbered_to_quiet(3))).status, ReplyStatus::kOk);
    }
    pool().serve(
        pool::served_object("publish", "topic", pool::ServedObject::Kind::kPublisher, topic()));
    for (const auto& publisher : publishers) {
        EXPECT_EQ(publisher->ask(request(4, numbered(4))).status, ReplyStatus::kOk);
    }
}

TEST_F(IngressProtocolTest, LinkForwardsToTheTopic) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    Record record = numbered(0);
    record.name = "link";
    record.operation = "forward";
    record.params = forward_parameters({numbered(1), numbered(2), numbered(3)});
    EXPECT_EQ(publisher.ask(request(1, record)).status, ReplyStatus::kOk);
    record.params = forward_parameters({numbered(4)});
    ASSERT_TRUE(publisher.send(batch({record})));
    expect_numbers(1, 4);
}

TEST_F(IngressProtocolTest, HeartbeatsOfThePublisherAreIgnored) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    for (const int number : numbers_from_to(1, 5)) {
        ASSERT_TRUE(publisher.send(wire::kValidateMessage));
        ASSERT_TRUE(publisher.send(oneways(number, number)));
    }
    expect_numbers(1, 5);
}

/// After each part the broker has read all that was sent so far: it has answered the request in
/// front of the cut.
TEST_F(IngressProtocolTest, MessagesMayBeCutAnywhere) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const std::size_t size = request(1, numbered(1, 40)).size();
    int number = 0;
    for (std::size_t cut = 1; cut < size; ++cut) {
        const wire::Buffer whole = request(1, numbered(++number, 40));
        const wire::Buffer in_parts = request(2, numbered(++number, 40));
        wire::Buffer first = whole;
        wire::put_bytes(first, wire::ByteView(in_parts).first(cut));
        ASSERT_EQ(publisher.ask(first).id, 1) << cut;
        ASSERT_EQ(publisher.ask(wire::ByteView(in_parts).subspan(cut)).id, 2) << cut;
    }
    expect_numbers(1, number);
    for (const Received& got : fake().received()) {
        EXPECT_EQ(got.encapsulation, numbered_encapsulation(got.number(), 40));
    }
}

TEST_F(IngressProtocolTest, BytesOneByOneMakeMessages) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const wire::Buffer stream = joined({oneways(1, 2), numbered_batch(3, 5), oneways(6, 6)});
    for (std::size_t i = 0; i < stream.size(); ++i) {
        ASSERT_TRUE(publisher.send(wire::ByteView(stream).subspan(i, 1)));
    }
    expect_numbers(1, 6);
}

TEST_F(IngressProtocolTest, ManySizesInARowArriveByteForByte) {
    // On both sides of what one read takes: 4 KiB alone, 64 KiB more when much has arrived.
    serve_with_subscriber();
    FakePublisher publisher(address());
    wire::Buffer stream;
    int number = 0;
    for (const std::size_t around : {4096U, 65536U, 69632U, 135168U}) {
        for (const int off : {-150, -100, -60, -1, 0, 1, 60}) {
            const auto bytes = static_cast<std::size_t>(static_cast<int>(around) + off);
            wire::put_bytes(stream, request(0, numbered(++number, bytes)));
            wire::put_bytes(stream, request(0, numbered(++number)));
        }
    }
    ASSERT_TRUE(publisher.send(stream));
    expect_numbers(1, number);
    for (const Received& got : fake().received()) {
        EXPECT_EQ(got.encapsulation,
                  numbered_encapsulation(got.number(), got.encapsulation.size() - 10));
    }
}

TEST_F(IngressProtocolTest, LargeEventInManyPiecesArrivesByteForByte) {
    constexpr std::size_t kPiece = 70'001;
    options.publisher_message_size_max = 4 * kMegabyte;
    serve_with_subscriber();
    FakePublisher publisher(address());
    const Record record = numbered(1, 2 * kMegabyte);
    const wire::Buffer bytes = request(9, record);
    ASSERT_TRUE(publisher.send(wire::ByteView(bytes).first(kPiece)));
    // Its memory is taken once, in full.
    EXPECT_TRUE(eventually([&] { return pool().ledger().bytes() == bytes.size(); }));
    EXPECT_EQ(pool().ledger().events(), 1U);
    for (wire::ByteView rest = wire::ByteView(bytes).subspan(kPiece); !rest.empty();) {
        const std::size_t piece = std::min(kPiece, rest.size());
        ASSERT_TRUE(publisher.send(rest.first(piece)));
        rest = rest.subspan(piece);
    }
    EXPECT_EQ(publisher.read_reply().id, 9);
    expect_numbers(1, 1);
    EXPECT_EQ(fake().received().front().encapsulation, record.params);
}

}  // namespace
}  // namespace squall::test
