#include "wire/header.hpp"

#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"

namespace squall::wire {
namespace {

Buffer request_header(std::int32_t size) {
    Buffer out{'I', 'c', 'e', 'P', 1, 0, 1, 0, 0, 0};
    put_i32(out, size);
    return out;
}

WireError parse(const Buffer& bytes, std::uint32_t max_size = 0) {
    Header header;
    return parse_header(bytes, max_size, header);
}

WireError parse_with(std::size_t offset, std::uint8_t value) {
    Buffer bytes = request_header(100);
    bytes[offset] = value;
    return parse(bytes);
}

TEST(HeaderTest, ReadsFields) {
    const Buffer bytes{'I', 'c', 'e', 'P', 1, 0, 1, 0, 2, 1, 0x10, 0x20, 0x03, 0x00};
    Header header;
    ASSERT_EQ(parse_header(bytes, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kReply);
    EXPECT_EQ(header.compression, Compression::kSupported);
    EXPECT_EQ(header.size, 0x32010U);
}

TEST(HeaderTest, StoredHeaderReadsBack) {
    Buffer bytes(kHeaderSize);
    store_header(bytes.data(), MessageType::kBatchRequest, Compression::kCompressed, 70000);
    Header header;
    ASSERT_EQ(parse_header(bytes, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kBatchRequest);
    EXPECT_EQ(header.compression, Compression::kCompressed);
    EXPECT_EQ(header.size, 70000U);
    store_compression(bytes.data(), Compression::kNone);
    ASSERT_EQ(parse_header(bytes, 0, header), WireError::kNone);
    EXPECT_EQ(header.compression, Compression::kNone);
}

TEST(HeaderTest, RejectsEachWrongField) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
        EXPECT_EQ(parse_with(offset, 'x'), WireError::kBadMagic);
    }
    EXPECT_EQ(parse_with(4, 2), WireError::kBadProtocol);
    EXPECT_EQ(parse_with(5, 1), WireError::kBadProtocol);
    EXPECT_EQ(parse_with(6, 0), WireError::kBadEncoding);
    EXPECT_EQ(parse_with(7, 1), WireError::kBadEncoding);
    EXPECT_EQ(parse_with(8, 5), WireError::kBadType);
    EXPECT_EQ(parse_with(9, 3), WireError::kBadCompression);
}

TEST(HeaderTest, RejectsTruncationAtEveryByte) {
    const Buffer whole = request_header(14);
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_EQ(parse(test::cut(whole, given)), WireError::kTruncated) << given;
    }
}

TEST(HeaderTest, RejectsSizesThatCannotHoldTheHeader) {
    for (const std::int32_t size : {13, 0, -1, -2147483647 - 1}) {
        EXPECT_EQ(parse(request_header(size)), WireError::kBadSize) << size;
    }
    EXPECT_EQ(parse(request_header(14)), WireError::kNone);
}

TEST(HeaderTest, ChecksSizeAgainstTheLimitAndReportsIt) {
    EXPECT_EQ(parse(request_header(1000), 1000), WireError::kNone);
    EXPECT_EQ(parse(request_header(2147483647), 0), WireError::kNone);
    Header header;
    EXPECT_EQ(parse_header(request_header(1001), 1000, header), WireError::kTooLarge);
    EXPECT_EQ(header.size, 1001U);
}

TEST(HeaderTest, ReadsConstantMessages) {
    Header header;
    ASSERT_EQ(parse_header(kValidateMessage, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kValidateConnection);
    EXPECT_EQ(header.size, kHeaderSize);
    ASSERT_EQ(parse_header(kCloseMessage, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kCloseConnection);
    EXPECT_EQ(header.compression, Compression::kNone);
}

TEST(HeaderTest, AcceptsCloseMessageWithCompressionByteOfIce37) {
    Buffer close(kCloseMessage.begin(), kCloseMessage.end());
    store_compression(close.data(), Compression::kSupported);
    EXPECT_EQ(parse(close), WireError::kNone);
}

TEST(HeaderTest, RejectsValidateAndCloseMessagesWithBody) {
    for (const auto& message : {kValidateMessage, kCloseMessage}) {
        Buffer bytes(message.begin(), message.end());
        store_i32(bytes.data() + 10, 15);
        EXPECT_EQ(parse(bytes), WireError::kBadSize);
    }
}

}  // namespace
}  // namespace squall::wire
