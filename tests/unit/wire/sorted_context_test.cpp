#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"
#include "wire/tail.hpp"

namespace squall::wire {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

Buffer encoded_context(const Entries& entries) {
    Buffer out;
    put_size(out, entries.size());
    for (const auto& [key, value] : entries) {
        put_string(out, key);
        put_string(out, value);
    }
    return out;
}

bool sorted(const Entries& entries) {
    return is_sorted_context(encoded_context(entries));
}

TEST(SortedContextTest, AcceptsNoneAndOne) {
    EXPECT_TRUE(sorted({}));
    EXPECT_TRUE(sorted({{"", ""}}));
    EXPECT_TRUE(sorted({{"key", "value"}}));
}

TEST(SortedContextTest, LooksAtEveryPairOfNeighbours) {
    EXPECT_TRUE(sorted({{"a", "9"}, {"b", "1"}, {"c", "5"}}));
    EXPECT_FALSE(sorted({{"b", ""}, {"a", ""}, {"c", ""}}));
    EXPECT_FALSE(sorted({{"a", ""}, {"c", ""}, {"b", ""}}));
}

TEST(SortedContextTest, RefusesAKeyThatComesTwice) {
    EXPECT_FALSE(sorted({{"a", "1"}, {"a", "2"}}));
    EXPECT_FALSE(sorted({{"", "1"}, {"", "1"}}));
}

TEST(SortedContextTest, ComparesBytesAsTheContextMapDoes) {
    EXPECT_TRUE(sorted({{"", ""}, {"A", ""}, {"B", ""}, {"a", ""}}));
    EXPECT_FALSE(sorted({{"a", ""}, {"B", ""}}));
    EXPECT_TRUE(sorted({{"a", ""}, {"aa", ""}, {"b", ""}}));
    EXPECT_FALSE(sorted({{"aa", ""}, {"a", ""}}));
    EXPECT_TRUE(sorted({{"z", ""}, {"\xc3\xa4", ""}}));  // bytes above 127 come last
    EXPECT_TRUE(sorted({{std::string("a\0", 2), ""}, {std::string("a\1", 2), ""}}));
}

TEST(SortedContextTest, LongKeysAndManyEntriesAreReadToTheEnd) {
    Entries entries;
    for (int i = 100; i < 400; ++i) {
        entries.emplace_back(std::string(300, 'k') + std::to_string(i), std::string(300, 'v'));
    }
    EXPECT_TRUE(sorted(entries));
    std::swap(entries.back(), entries[entries.size() - 2]);
    EXPECT_FALSE(sorted(entries));
}

TEST(SortedContextTest, WhatIsSortedIsWrittenAgainAsTheSameBytes) {
    test::Record record;
    record.context = {{"a", "1"}, {std::string(300, 'b'), "2"}, {"c", std::string(300, '3')}};
    const Buffer tail = test::encoded_tail(record);
    TailView view;
    ASSERT_EQ(parse_tail(tail, view), WireError::kNone);
    ASSERT_TRUE(is_sorted_context(view.context));
    Context context;
    ASSERT_EQ(read_context(view.context, context), WireError::kNone);
    record.context = context;
    EXPECT_EQ(test::encoded_tail(record), tail);
}

}  // namespace
}  // namespace squall::wire
