#include "wire/writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "wire/reader.hpp"

namespace squall::wire {
namespace {

constexpr std::array<std::size_t, 6> kSizeEdges{0, 1, 254, 255, 256, 70000};

TEST(WriterTest, SizesUseTheShortFormBelow255) {
    Buffer out;
    put_size(out, 254);
    EXPECT_EQ(out, (Buffer{254}));
    out.clear();
    put_size(out, 255);
    EXPECT_EQ(out, (Buffer{255, 255, 0, 0, 0}));
}

TEST(WriterTest, SizesReadBack) {
    for (const std::size_t size : kSizeEdges) {
        Buffer out;
        put_size(out, size);
        EXPECT_EQ(out.size(), size_of_size(size));
        Reader reader(out);
        EXPECT_EQ(reader.size(), size);
        EXPECT_EQ(reader.finish(), WireError::kNone);
    }
}

TEST(WriterTest, StringsReadBackFromBothForms) {
    for (const std::size_t size : kSizeEdges) {
        const std::string text(size, 'x');
        Buffer put;
        put_string(put, text);
        Buffer stored(size_of_string(text));
        EXPECT_EQ(store_string(stored.data(), text), stored.data() + stored.size());
        EXPECT_EQ(put, stored);
        Reader reader(put);
        EXPECT_EQ(reader.string(), text);
        EXPECT_EQ(reader.finish(), WireError::kNone);
    }
}

TEST(WriterTest, IntegersAreLittleEndian) {
    Buffer out;
    put_u8(out, 200);
    put_i32(out, -2);
    put_i32(out, 0x01020304);
    EXPECT_EQ(out, (Buffer{200, 0xfe, 0xff, 0xff, 0xff, 4, 3, 2, 1}));
    std::array<std::uint8_t, 4> stored{};
    EXPECT_EQ(store_i32(stored.data(), std::numeric_limits<std::int32_t>::min()),
              stored.data() + 4);
    EXPECT_EQ(stored, (std::array<std::uint8_t, 4>{0, 0, 0, 0x80}));
}

}  // namespace
}  // namespace squall::wire
