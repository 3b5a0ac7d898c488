#include "wire/compression.hpp"

#include <gtest/gtest.h>

#include <random>

#include "unit/wire/samples.hpp"
#include "wire/header.hpp"

namespace squall::wire {
namespace {

constexpr std::size_t kUncompressedSizeOffset = kHeaderSize;

/// A request message of `size` bytes whose body repeats itself.
Buffer message_of(std::size_t size) {
    Buffer out(kHeaderSize);
    for (std::size_t i = kHeaderSize; i < size; ++i) {
        out.push_back(static_cast<std::uint8_t>(i % 7));
    }
    store_header(out.data(), MessageType::kBatchRequest, Compression::kSupported,
                 static_cast<std::uint32_t>(size));
    return out;
}

Buffer compressed(std::size_t size) {
    Buffer out;
    EXPECT_TRUE(compress_message(message_of(size), out));
    return out;
}

WireError error_of(const Buffer& message, std::uint32_t max_size = 0) {
    Buffer out;
    return decompress_message(message, max_size, out);
}

TEST(CompressionTest, RoundTripGivesTheSameMessage) {
    Buffer packed{1, 2, 3};
    Buffer unpacked{1, 2, 3};
    for (const std::size_t size : {200U, 65536U, 65550U, 65551U, 131072U, 3000000U}) {
        const Buffer message = message_of(size);
        ASSERT_TRUE(compress_message(message, packed)) << size;
        EXPECT_LT(packed.size(), message.size());
        EXPECT_EQ(decompress_message(packed, 0, unpacked), WireError::kNone) << size;
        EXPECT_TRUE(unpacked == message) << size;
    }
}

TEST(CompressionTest, CompressedMessageHasItsOwnHeaderAndTheUncompressedSize) {
    const Buffer packed = compressed(1000);
    Header header;
    ASSERT_EQ(parse_header(packed, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kBatchRequest);
    EXPECT_EQ(header.compression, Compression::kCompressed);
    EXPECT_EQ(header.size, packed.size());
    EXPECT_EQ(Reader(ByteView(packed).subspan(kUncompressedSizeOffset)).i32(), 1000);
    EXPECT_EQ(test::text_of(ByteView(packed).subspan(18, 4)), "BZh1");
}

TEST(CompressionTest, LeavesMessagesBelow100BytesAlone) {
    Buffer out;
    EXPECT_FALSE(compress_message(message_of(99), out));
    EXPECT_TRUE(compress_message(message_of(100), out));
}

TEST(CompressionTest, LeavesMessagesAloneThatWouldNotShrink) {
    std::mt19937 random(1);
    Buffer message = message_of(5000);
    for (std::size_t i = kHeaderSize; i < message.size(); ++i) {
        message[i] = static_cast<std::uint8_t>(random());
    }
    Buffer out;
    EXPECT_FALSE(compress_message(message, out));
}

TEST(CompressionTest, DecompressedMessageAllowsACompressedAnswer) {
    Buffer out;
    ASSERT_EQ(decompress_message(compressed(1000), 1000, out), WireError::kNone);
    Header header;
    ASSERT_EQ(parse_header(out, 0, header), WireError::kNone);
    EXPECT_EQ(header.compression, Compression::kSupported);
    EXPECT_EQ(header.size, 1000U);
}

TEST(CompressionTest, RejectsDeclaredSizeBeyondTheLimit) {
    EXPECT_EQ(error_of(compressed(1000), 999), WireError::kTooLarge);
    EXPECT_EQ(error_of(compressed(1000), 1000), WireError::kNone);
}

TEST(CompressionTest, RejectsContentThatYieldsMoreThanDeclared) {
    Buffer bomb = compressed(3000000);
    store_i32(bomb.data() + kUncompressedSizeOffset, 1000);
    EXPECT_EQ(error_of(bomb, 1000), WireError::kBadCompressedData);
    Buffer by_one = compressed(1000);
    store_i32(by_one.data() + kUncompressedSizeOffset, 999);
    EXPECT_EQ(error_of(by_one), WireError::kBadCompressedData);
}

TEST(CompressionTest, TakesNoMemoryForAClaimThatTheContentDoesNotMeet) {
    Buffer liar = compressed(1000);
    store_i32(liar.data() + kUncompressedSizeOffset, 2147483647);
    Buffer out;
    EXPECT_EQ(decompress_message(liar, 0, out), WireError::kBadCompressedData);
    EXPECT_LT(out.capacity(), 1U << 20);
}

TEST(CompressionTest, RejectsDeclaredSizesThatCannotHoldTheHeader) {
    for (const std::int32_t size : {13, 0, -1, -2147483647 - 1}) {
        Buffer message = compressed(1000);
        store_i32(message.data() + kUncompressedSizeOffset, size);
        EXPECT_EQ(error_of(message), WireError::kBadSize) << size;
    }
}

TEST(CompressionTest, RejectsTruncationAtEveryByte) {
    const Buffer whole = compressed(1000);
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_NE(error_of(test::cut(whole, given)), WireError::kNone) << given;
    }
}

TEST(CompressionTest, RejectsDamageToEveryByteOfTheContent) {
    const Buffer whole = compressed(300);
    for (std::size_t at = kUncompressedSizeOffset; at < whole.size(); ++at) {
        Buffer damaged = whole;
        damaged[at] ^= 0x10;
        Buffer out;
        const WireError error = decompress_message(damaged, 1 << 20, out);
        // A few bits of a bzip2 stream have no meaning; then the content must still be right.
        EXPECT_TRUE(error != WireError::kNone || out == message_of(300)) << at;
    }
}

TEST(CompressionTest, RejectsBytesBehindTheContent) {
    Buffer message = compressed(1000);
    message.push_back(0);
    EXPECT_EQ(error_of(message), WireError::kBadCompressedData);
}

TEST(CompressionTest, RejectsMessageThatIsNotMarkedCompressed) {
    Buffer message = compressed(1000);
    store_compression(message.data(), Compression::kSupported);
    EXPECT_EQ(error_of(message), WireError::kBadCompression);
}

TEST(CompressionTest, UncompressedSizeIsWhatTheMessageSays) {
    Buffer packed = compressed(1000);
    EXPECT_EQ(uncompressed_size(packed), 1000U);
    store_i32(packed.data() + kUncompressedSizeOffset, 0x7fffffff);
    EXPECT_EQ(uncompressed_size(packed), 0x7fffffffU);
    store_i32(packed.data() + kUncompressedSizeOffset, -1);
    EXPECT_EQ(uncompressed_size(packed), 0U);
    EXPECT_EQ(uncompressed_size(test::cut(packed, kUncompressedSizeOffset + 3)), 0U);
    EXPECT_EQ(uncompressed_size({}), 0U);
}

}  // namespace
}  // namespace squall::wire
