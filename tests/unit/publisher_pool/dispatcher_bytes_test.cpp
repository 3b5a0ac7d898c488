#include <gtest/gtest.h>

#include <random>

#include "publisher_pool/dispatcher.hpp"
#include "unit/publisher_pool/dispatcher_fixture.hpp"

// What happens to the bytes of requests and replies: compression, contexts, copies.

namespace squall::test {
namespace {

using wire::Compression;
using wire::ReplyStatus;
using wire::WireError;

/// A request that compresses well.
Record large_record() {
    Record record;
    record.params = wire::test::encapsulation(wire::kEncoding11, std::string(5000, 'x'));
    return record;
}

/// Its ObjectNotExist reply has 100 bytes or more.
Record record_to_nobody_with_a_long_name() {
    Record record;
    record.name = std::string(5000, 'n');
    return record;
}

/// A record whose context is written as it stands here.
wire::Buffer request_with_context(std::int32_t id, const wire::Buffer& context,
                                  std::size_t payload_bytes = 10) {
    wire::Buffer body;
    wire::put_i32(body, id);
    wire::put_target(body, "weather", "topics", "");
    wire::put_string(body, "report");
    wire::put_u8(body, 2);
    wire::put_bytes(body, context);
    wire::put_bytes(body,
                    wire::test::encapsulation(wire::kEncoding11, std::string(payload_bytes, 'p')));
    return message(wire::MessageType::kRequest, body);
}

const wire::Buffer kUnsorted{3, 1, 'k', 1, 'x', 1, 'a', 0, 1, 'k', 1, 'y'};
const wire::Buffer kNormalised{2, 1, 'a', 0, 1, 'k', 1, 'x'};

wire::Buffer context_of(const event::Event& event) {
    wire::TailView view;
    EXPECT_EQ(wire::parse_tail(event.tail(), view), WireError::kNone);
    return {view.context.begin(), view.context.end()};
}

TEST_F(DispatcherTest, CompressedRequestIsTheSameEvent) {
    EXPECT_EQ(dispatch(compressed(request(0, large_record()))), WireError::kNone);
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail(large_record()));
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, CompressedRequestInARoomIsTheSameEvent) {
    dispatch_in_room(compressed(request(0, large_record())));
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail(large_record()));
    EXPECT_EQ(ledger().bytes(), sink().tail(0).size());
}

TEST_F(DispatcherTest, CompressedBatchIsTheSameEvents) {
    const std::vector<Record> records(50);
    EXPECT_EQ(dispatch(compressed(batch(records))), WireError::kNone);
    EXPECT_EQ(sink().count(), 50U);
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, SmallReplyToAPeerThatCompressesSaysSo) {
    // Behaviour reference 12.8.
    EXPECT_EQ(dispatch(joined({compressed(request(1, large_record())),
                               request(2, {}, Compression::kSupported)})),
              WireError::kNone);
    const std::vector<Reply> got = replies();
    ASSERT_EQ(got.size(), 2U);
    for (const Reply& one : got) {
        EXPECT_EQ(one.status, ReplyStatus::kOk);
        EXPECT_EQ(one.compression, Compression::kSupported);
    }
}

TEST_F(DispatcherTest, LargeReplyToAPeerThatCompressesIsCompressed) {
    const Record record = record_to_nobody_with_a_long_name();
    for (const wire::Buffer& sent :
         {compressed(request(3, record)), request(3, record, Compression::kSupported)}) {
        EXPECT_EQ(dispatch(sent), WireError::kNone);
        const Reply got = reply();
        EXPECT_EQ(got.compression, Compression::kCompressed);
        EXPECT_EQ(got.id, 3);
        EXPECT_EQ(got.status, ReplyStatus::kObjectNotExist);
    }
}

TEST_F(DispatcherTest, ReplyToAPeerThatDoesNotCompressIsNeverCompressed) {
    EXPECT_EQ(dispatch(request(3, record_to_nobody_with_a_long_name())), WireError::kNone);
    EXPECT_EQ(reply().compression, Compression::kNone);
}

TEST_F(DispatcherTest, ReplyThatCompressionDoesNotShrinkIsSentAsItIs) {
    std::mt19937 random(4711);
    Record record;
    record.name.clear();
    for (int i = 0; i < 300; ++i) {
        record.name += static_cast<char>(random());
    }
    EXPECT_EQ(dispatch(request(3, record, Compression::kSupported)), WireError::kNone);
    const Reply got = reply();
    EXPECT_EQ(got.compression, Compression::kSupported);
    EXPECT_EQ(got.status, ReplyStatus::kObjectNotExist);
}

TEST_F(DispatcherTest, CompressionLeavesOtherRepliesAlone) {
    const Record nobody = record_to_nobody_with_a_long_name();
    EXPECT_EQ(dispatch(joined({request(1, nobody), compressed(request(2, nobody)),
                               request(3, nobody), request(4, {}, Compression::kSupported)})),
              WireError::kNone);
    const std::vector<Reply> got = replies();
    ASSERT_EQ(got.size(), 4U);
    EXPECT_EQ(got[0].compression, Compression::kNone);
    EXPECT_EQ(got[1].compression, Compression::kCompressed);
    EXPECT_EQ(got[2].compression, Compression::kNone);
    EXPECT_EQ(got[3].compression, Compression::kSupported);
    EXPECT_EQ(got[0].rest, got[1].rest);
}

TEST_F(DispatcherTest, DecompressedMessageMayBeAsLargeAsTheLimit) {
    Record record = large_record();
    const std::size_t others = request(0, record).size() - 5000;
    for (const std::size_t size : {kMessageSizeMax - 1, kMessageSizeMax, kMessageSizeMax + 1}) {
        record.params =
            wire::test::encapsulation(wire::kEncoding11, std::string(size - others, 'x'));
        const wire::Buffer plain = request(0, record);
        ASSERT_EQ(plain.size(), size);
        EXPECT_EQ(dispatch(compressed(plain)),
                  size <= kMessageSizeMax ? WireError::kNone : WireError::kTooLarge);
    }
    EXPECT_EQ(sink().count(), 2U);
}

TEST_F(DispatcherTest, DamagedCompressedMessageEndsTheConnection) {
    wire::Buffer damaged = compressed(request(1, large_record()));
    damaged[damaged.size() / 2] ^= 0xff;
    EXPECT_EQ(dispatch(damaged), WireError::kBadCompressedData);
    EXPECT_EQ(sink().count(), 0U);
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, SortedContextPassesByteForByte) {
    // A size in its long form is no reason to write it anew.
    for (const wire::Buffer& context :
         {wire::Buffer{0}, kNormalised, wire::Buffer{255, 1, 0, 0, 0, 1, 'k', 0}}) {
        const wire::Buffer sent = request_with_context(0, context);
        EXPECT_EQ(dispatch(sent), WireError::kNone);
        const wire::Buffer tail = sink().tail(sink().count() - 1);
        EXPECT_TRUE(std::equal(tail.rbegin(), tail.rend(), sent.rbegin()));
        EXPECT_EQ(context_of(sink().event(sink().count() - 1)), context);
    }
}

TEST_F(DispatcherTest, OtherContextIsSortedAndOfEqualKeysTheFirstStays) {
    // Behaviour reference 5.2.
    EXPECT_EQ(dispatch(request_with_context(0, kUnsorted)), WireError::kNone);
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(context_of(sink().event(0)), kNormalised);
    EXPECT_EQ(sink().event(0).mode(), 2);
}

TEST_F(DispatcherTest, OtherContextInARoomIsSortedToo) {
    dispatch_in_room(request_with_context(0, kUnsorted));
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(context_of(sink().event(0)), kNormalised);
    EXPECT_EQ(ledger().events(), 1U);
    EXPECT_EQ(ledger().bytes(), sink().tail(0).size());
}

TEST_F(DispatcherTest, MessageInARoomBecomesTheEventWithoutACopy) {
    const wire::Buffer sent = request(9, large_record());
    const std::uint8_t* const end = dispatch_in_room(sent);
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().event(0).tail().data() + sink().event(0).tail().size(), end);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail(large_record()));
    EXPECT_EQ(sink().event(0).mode(), Record().mode);
    EXPECT_EQ(ledger().events(), 1U);
    EXPECT_EQ(ledger().bytes(), sent.size());
    EXPECT_EQ(reply().id, 9);
}

TEST_F(DispatcherTest, PeerThatCompressesMayHaveItsRoomBecomeTheEventToo) {
    const std::uint8_t* const end =
        dispatch_in_room(request(9, large_record(), Compression::kSupported));
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().event(0).tail().data() + sink().event(0).tail().size(), end);
    EXPECT_EQ(reply().compression, Compression::kSupported);
}

TEST_F(DispatcherTest, WholeMessageIsCopiedOnceAndPinsNothing) {
    wire::Buffer sent = request(0, large_record());
    EXPECT_EQ(dispatch(sent), WireError::kNone);
    std::fill(sent.begin(), sent.end(), std::uint8_t{0});
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail(large_record()));
    EXPECT_EQ(ledger().bytes(), sink().tail(0).size());
}

TEST_F(DispatcherTest, BatchInARoomPinsNothing) {
    dispatch_in_room(batch({Record{}, large_record()}));
    ASSERT_EQ(sink().count(), 2U);
    EXPECT_EQ(ledger().events(), 2U);
    EXPECT_EQ(ledger().bytes(), sink().tail(0).size() + sink().tail(1).size());
}

TEST_F(DispatcherTest, RoomOfAnEventForNobodyIsGivenBack) {
    Record record = large_record();
    record.name = "quiet";
    dispatch_in_room(request(1, record));
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(ledger().events(), 0U);
}

}  // namespace
}  // namespace squall::test
