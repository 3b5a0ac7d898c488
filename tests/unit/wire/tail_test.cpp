#include "wire/tail.hpp"

#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"

namespace squall::wire {
namespace {

TailView parsed(const Buffer& tail) {
    TailView view;
    EXPECT_EQ(parse_tail(tail, view), WireError::kNone);
    return view;
}

WireError error_of(const Buffer& tail) {
    TailView view;
    return parse_tail(tail, view);
}

TEST(TailTest, WritesTheDocumentedBytes) {
    const Buffer params = test::encapsulation(kEncoding11, "P");
    const Context context{{"b", "2"}, {"a", "1"}};
    Buffer out(tail_size("op", context, params));
    EXPECT_EQ(store_tail(out.data(), "op", 1, context, params), out.data() + out.size());
    EXPECT_EQ(out,
              (Buffer{2, 'o', 'p', 1, 2, 1, 'a', 1, '1', 1, 'b', 1, '2', 7, 0, 0, 0, 1, 1, 'P'}));
}

TEST(TailTest, ReadsBackEverySizeEdge) {
    for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 70000U}) {
        test::Record record;
        record.operation = std::string(size, 'o');
        record.context = {{std::string(size, 'k'), std::string(size, 'v')}};
        record.params = test::encapsulation(kEncoding10, std::string(size, 'p'));
        const Buffer tail = test::encoded_tail(record);
        const TailView view = parsed(tail);
        EXPECT_EQ(view.operation, record.operation);
        EXPECT_EQ(test::text_of(view.encapsulation), test::text_of(record.params));
        Context context;
        EXPECT_EQ(read_context(view.context, context), WireError::kNone);
        EXPECT_EQ(context, record.context);
    }
}

TEST(TailTest, ReadsBackContextsOfManyEntries) {
    for (const int count : {0, 1, 254, 255, 256}) {
        test::Record record;
        record.context.clear();
        for (int i = 0; i < count; ++i) {
            record.context.emplace("key" + std::to_string(i), "");
        }
        const Buffer tail = test::encoded_tail(record);
        Context context{{"stale", "entry"}};
        EXPECT_EQ(read_context(parsed(tail).context, context), WireError::kNone);
        EXPECT_EQ(context, record.context);
    }
}

TEST(TailTest, PassesAnyModeByte) {
    for (const int mode : {0, 1, 2, 9, 255}) {
        test::Record record;
        record.mode = static_cast<std::uint8_t>(mode);
        const Buffer tail = test::encoded_tail(record);
        EXPECT_EQ(parsed(tail).mode, mode);
    }
}

TEST(TailTest, PassesAnyEncodingVersion) {
    for (const Encoding encoding : {kEncoding10, kEncoding11, Encoding{1, 2}, Encoding{77, 0}}) {
        test::Record record;
        record.params = test::encapsulation(encoding, "x");
        const Buffer tail = test::encoded_tail(record);
        EXPECT_EQ(encoding_of(parsed(tail).encapsulation), encoding);
    }
    EXPECT_TRUE(is_supported(kEncoding10));
    EXPECT_TRUE(is_supported(kEncoding11));
    EXPECT_FALSE(is_supported({1, 2}));
}

TEST(TailTest, RejectsTruncationAtEveryByte) {
    const Buffer whole = test::encoded_tail({});
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_NE(error_of(test::cut(whole, given)), WireError::kNone) << given;
    }
}

TEST(TailTest, RejectsBytesBehindTheEncapsulation) {
    Buffer tail = test::encoded_tail({});
    tail.push_back(0);
    EXPECT_EQ(error_of(tail), WireError::kTrailingBytes);
}

TEST(TailTest, RejectsContextCountThatCannotFit) {
    EXPECT_EQ(error_of({1, 'o', 0, 200, 1, 'a', 1, 'b', 6, 0, 0, 0, 1, 1}), WireError::kBadCount);
    EXPECT_EQ(error_of({1, 'o', 0, 255, 0xff, 0xff, 0xff, 0x7f, 0, 0}), WireError::kBadCount);
    EXPECT_EQ(error_of({1, 'o', 0, 255, 0, 0, 0, 0x80, 0, 0}), WireError::kBadSize);
    Context context;
    EXPECT_EQ(read_context(Buffer{2, 0, 0, 0}, context), WireError::kBadCount);
}

TEST(TailTest, RejectsImpossibleEncapsulationSizesButKeepsTheRest) {
    for (const std::int32_t size : {-1, 0, 5, 14, 2147483647, -2147483647 - 1}) {
        test::Record record;
        store_i32(record.params.data(), size);  // 13 would be right
        const Buffer tail = test::encoded_tail(record);
        TailView view;
        EXPECT_EQ(parse_tail(tail, view), WireError::kBadEncapsulation) << size;
        EXPECT_EQ(view.operation, "report");
        EXPECT_EQ(view.mode, 2);
        Context context;
        EXPECT_EQ(read_context(view.context, context), WireError::kNone);
        EXPECT_EQ(context, record.context);
        EXPECT_TRUE(view.encapsulation.empty());
    }
}

TEST(TailTest, FirstOfDuplicateContextKeysWins) {
    const Buffer encoded{3, 1, 'k', 1, 'x', 1, 'a', 0, 1, 'k', 1, 'y'};
    Context context;
    EXPECT_EQ(read_context(encoded, context), WireError::kNone);
    EXPECT_EQ(context, (Context{{"a", ""}, {"k", "x"}}));
}

TEST(TailTest, ContextMustFillItsBytes) {
    Context context;
    EXPECT_EQ(read_context(Buffer{0, 0}, context), WireError::kTrailingBytes);
    EXPECT_EQ(read_context(Buffer{1, 1, 'k', 2, 'v'}, context), WireError::kBadString);
    EXPECT_EQ(read_context(Buffer{}, context), WireError::kTruncated);
}

}  // namespace
}  // namespace squall::wire
