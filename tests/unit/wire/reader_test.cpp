#include "wire/reader.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/wire/samples.hpp"

namespace squall::wire {
namespace {

TEST(ReaderTest, ReadsLittleEndianIntegers) {
    const Buffer bytes{0x7f, 0x34, 0x12, 0xfe, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 0x81};
    Reader reader(bytes);
    EXPECT_EQ(reader.u8(), 0x7f);
    EXPECT_EQ(reader.i16(), 0x1234);
    EXPECT_EQ(reader.i32(), -2);
    EXPECT_EQ(reader.i64(), static_cast<std::int64_t>(0x8102030405060708ULL));
    EXPECT_EQ(reader.position(), bytes.size());
    EXPECT_EQ(reader.finish(), WireError::kNone);
}

TEST(ReaderTest, ReadsSizesOfOneAndFiveBytes) {
    const Buffer bytes{0, 254, 255, 255, 0, 0, 0, 255, 0, 1, 0, 0};
    Reader reader(bytes);
    EXPECT_EQ(reader.size(), 0U);
    EXPECT_EQ(reader.size(), 254U);
    EXPECT_EQ(reader.size(), 255U);
    EXPECT_EQ(reader.size(), 256U);
    EXPECT_EQ(reader.finish(), WireError::kNone);
}

TEST(ReaderTest, AcceptsLongFormOfSmallSize) {
    const Buffer bytes{255, 2, 0, 0, 0, 'h', 'i'};
    Reader reader(bytes);
    EXPECT_EQ(reader.string(), "hi");
}

TEST(ReaderTest, RejectsNegativeSize) {
    const Buffer bytes{255, 0xff, 0xff, 0xff, 0xff, 1, 2, 3};
    Reader reader(bytes);
    EXPECT_EQ(reader.size(), 0U);
    EXPECT_EQ(reader.error(), WireError::kBadSize);
}

TEST(ReaderTest, RejectsSizeCutInItsLongForm) {
    for (std::size_t given = 1; given < 5; ++given) {
        const Buffer bytes = test::cut({255, 1, 0, 0, 0}, given);
        Reader reader(bytes);
        EXPECT_EQ(reader.size(), 0U);
        EXPECT_EQ(reader.error(), WireError::kTruncated) << given;
    }
}

TEST(ReaderTest, RejectsStringLongerThanRest) {
    const Buffer one_short{3, 'a', 'b'};
    const Buffer huge{255, 0xff, 0xff, 0xff, 0x7f, 'a'};
    for (const Buffer& bytes : {one_short, huge}) {
        Reader reader(bytes);
        EXPECT_TRUE(reader.string().empty());
        EXPECT_EQ(reader.error(), WireError::kBadString);
    }
}

TEST(ReaderTest, RejectsMoreBytesThanRemain) {
    const Buffer bytes{1, 2, 3};
    Reader reader(bytes);
    EXPECT_EQ(reader.bytes(3).size(), 3U);
    EXPECT_TRUE(reader.bytes(0).empty());
    EXPECT_TRUE(reader.ok());
    reader.skip(std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(reader.error(), WireError::kTruncated);
}

TEST(ReaderTest, KeepsFirstErrorAndPositionAndReadsNothingMore) {
    const Buffer bytes{9, 1, 2, 3};
    Reader reader(bytes);
    reader.u8();
    reader.fail(WireError::kBadCount);
    reader.fail(WireError::kBadFacet);
    EXPECT_EQ(reader.u8(), 0);
    EXPECT_EQ(reader.i64(), 0);
    EXPECT_EQ(reader.error(), WireError::kBadCount);
    EXPECT_EQ(reader.remaining(), 0U);
    EXPECT_EQ(reader.position(), 1U);
}

TEST(ReaderTest, DoesNotConsumeValueThatIsCut) {
    const Buffer bytes{1, 2, 3};
    Reader reader(bytes);
    EXPECT_EQ(reader.i32(), 0);
    EXPECT_EQ(reader.error(), WireError::kTruncated);
    EXPECT_EQ(reader.position(), 0U);
}

TEST(ReaderTest, FinishRejectsLeftoverBytes) {
    const Buffer bytes{1, 2};
    Reader reader(bytes);
    reader.u8();
    EXPECT_EQ(reader.finish(), WireError::kTrailingBytes);
}

TEST(ReaderTest, ReadsNothingFromEmptySpan) {
    Reader reader(ByteView{});
    EXPECT_TRUE(reader.bytes(0).empty());
    EXPECT_EQ(reader.finish(), WireError::kNone);
    EXPECT_TRUE(reader.string().empty());
    EXPECT_EQ(reader.error(), WireError::kTruncated);
}

TEST(ReaderTest, ViewsPointIntoTheSpan) {
    const Buffer bytes{2, 'o', 'k', 7};
    Reader reader(bytes);
    const std::string_view text = reader.string();
    EXPECT_EQ(static_cast<const void*>(text.data()), bytes.data() + 1);
    reader.u8();
    EXPECT_EQ(reader.since(1).data(), bytes.data() + 1);
    EXPECT_EQ(reader.since(1).size(), 3U);
}

TEST(WireErrorTest, EveryErrorHasItsOwnPhrase) {
    std::map<std::string_view, int> phrases;
    const int last = static_cast<int>(WireError::kBadCompressedData);
    for (int error = 0; error <= last; ++error) {
        ++phrases[to_string(static_cast<WireError>(error))];
    }
    EXPECT_EQ(phrases.size(), static_cast<std::size_t>(last + 1));
    EXPECT_FALSE(phrases.contains("unknown wire error"));
    EXPECT_EQ(to_string(static_cast<WireError>(last + 1)), "unknown wire error");
}

}  // namespace
}  // namespace squall::wire
