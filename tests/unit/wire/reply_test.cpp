#include "wire/reply.hpp"

#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"
#include "wire/header.hpp"

namespace squall::wire {
namespace {

/// The body of the one message in `message`, whose header must be that of a plain reply.
Buffer body_of(const Buffer& message) {
    Header header;
    EXPECT_EQ(parse_header(message, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kReply);
    EXPECT_EQ(header.size, message.size());
    return {message.begin() + kHeaderSize, message.end()};
}

Buffer reply_body(std::uint8_t status, const Buffer& rest) {
    Buffer out{9, 0, 0, 0, status};
    put_bytes(out, rest);
    return out;
}

WireError error_of(const Buffer& body) {
    ReplyView view;
    return parse_reply(body, view);
}

std::string described(const Buffer& body) {
    ReplyView view;
    EXPECT_EQ(parse_reply(body, view), WireError::kNone);
    return describe_reply(view);
}

TEST(ReplyTest, WritesEmptyOkInBothEncodings) {
    Buffer out{0xaa};
    append_reply(out, 3, kEncoding10);
    EXPECT_EQ(out, (Buffer{0xaa, 'I', 'c', 'e', 'P', 1, 0, 1, 0, 2, 0, 25, 0,
                           0,    0,   3,   0,   0,   0, 0, 6, 0, 0, 0, 1,  0}));
    out.clear();
    append_reply(out, 3, kEncoding11);
    ReplyView view;
    const Buffer body = body_of(out);
    ASSERT_EQ(parse_reply(body, view), WireError::kNone);
    EXPECT_EQ(view.id, 3);
    EXPECT_EQ(view.status, static_cast<std::uint8_t>(ReplyStatus::kOk));
    EXPECT_EQ(encoding_of(view.rest), kEncoding11);
    EXPECT_EQ(describe_reply(view), "Ok");
}

TEST(ReplyTest, RejectsOkAndUserExceptionWithoutWholeEncapsulation) {
    for (const std::uint8_t status : {std::uint8_t{0}, std::uint8_t{1}}) {
        EXPECT_EQ(error_of(reply_body(status, {})), WireError::kTruncated);
        EXPECT_EQ(error_of(reply_body(status, {5, 0, 0, 0, 1, 1})), WireError::kBadEncapsulation);
        EXPECT_EQ(error_of(reply_body(status, {7, 0, 0, 0, 1, 1})), WireError::kBadEncapsulation);
        EXPECT_EQ(error_of(reply_body(status, {6, 0, 0, 0, 1, 1, 0})), WireError::kTrailingBytes);
        EXPECT_EQ(error_of(reply_body(status, {6, 0, 0, 0, 1, 1})), WireError::kNone);
    }
}

TEST(ReplyTest, KeepsIdWhenTheRestIsBroken) {
    ReplyView view;
    EXPECT_EQ(parse_reply(reply_body(0, {}), view), WireError::kTruncated);
    EXPECT_EQ(view.id, 9);
    EXPECT_EQ(parse_reply(Buffer{9, 0, 0}, view), WireError::kTruncated);
    EXPECT_EQ(view.id, 0);
}

TEST(ReplyTest, KeepsUnknownStatusAndItsBytes) {
    const Buffer body = reply_body(99, {1, 2, 3});
    ReplyView view;
    ASSERT_EQ(parse_reply(body, view), WireError::kNone);
    EXPECT_EQ(view.status, 99);
    EXPECT_EQ(view.rest.size(), 3U);
    EXPECT_EQ(describe_reply(view), "unknown reply status 99");
}

TEST(ReplyTest, NotExistReadsBackAndIsDescribed) {
    Buffer out;
    append_not_exist(out, 5, ReplyStatus::kObjectNotExist, "name", "cat", "", "event");
    EXPECT_EQ(described(body_of(out)), "ObjectNotExist cat/name operation event");
    out.clear();
    append_not_exist(out, 5, ReplyStatus::kFacetNotExist, "name", "", "side", "event");
    EXPECT_EQ(described(body_of(out)), "FacetNotExist name facet side operation event");
    out.clear();
    append_not_exist(out, 5, ReplyStatus::kOperationNotExist, "n", "", "", "e");
    EXPECT_EQ(described(body_of(out)), "OperationNotExist n operation e");
}

TEST(ReplyTest, UnknownExceptionsReadBackAndAreDescribed) {
    Buffer out;
    append_unknown(out, 5, ReplyStatus::kUnknownLocal, "no such encoding");
    EXPECT_EQ(described(body_of(out)), "UnknownLocalException no such encoding");
    EXPECT_EQ(described(reply_body(6, {1, 'x'})), "UnknownUserException x");
    EXPECT_EQ(described(reply_body(7, {1, 'x'})), "UnknownException x");
    EXPECT_EQ(described(reply_body(8, {1, 'x'})), "InvalidData x");
    EXPECT_EQ(described(reply_body(9, {1, 'x'})), "Unauthorized x");
    EXPECT_EQ(described(reply_body(10, {1, 'x'})), "NotSupported x");
}

TEST(ReplyTest, DescriptionCannotForgeOrFloodALog) {
    EXPECT_EQ(described(reply_body(7, {3, 'a', '\n', 'b'})), "UnknownException a\\x0ab");
    Buffer out;
    append_unknown(out, 1, ReplyStatus::kUnknown, std::string(100000, 'x'));
    EXPECT_EQ(described(body_of(out)), "UnknownException " + std::string(200, 'x') + "...");
}

TEST(ReplyTest, DescribesRepliesThatDoNotHoldWhatTheyPromise) {
    EXPECT_EQ(describe_reply({1, 2, {}}), "ObjectNotExist  operation ");
    EXPECT_EQ(describe_reply({1, 7, {}}), "UnknownException ");
}

TEST(ReplyTest, RejectsTruncationAtEveryByte) {
    std::vector<Buffer> replies(3);
    append_reply(replies[0], 1, kEncoding11);
    append_not_exist(replies[1], 1, ReplyStatus::kFacetNotExist, "name", "cat", "side", "event");
    append_unknown(replies[2], 1, ReplyStatus::kUnknownUser, std::string(256, 'm'));
    for (const Buffer& reply : replies) {
        const Buffer whole = body_of(reply);
        ASSERT_EQ(error_of(whole), WireError::kNone);
        for (std::size_t given = 0; given < whole.size(); ++given) {
            EXPECT_NE(error_of(test::cut(whole, given)), WireError::kNone) << given;
        }
    }
}

}  // namespace
}  // namespace squall::wire
