#include "publisher_pool/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace squall::pool {
namespace {

TEST(PlacementTest, SpreadsSubscribersEvenly) {
    Placement placement(4);
    std::vector<int> counts(4);
    for (int i = 0; i < 40; ++i) {
        ++counts.at(placement.place("endpoint " + std::to_string(i)));
    }
    EXPECT_EQ(counts, (std::vector{10, 10, 10, 10}));
}

TEST(PlacementTest, SubscribersThatShareNoConnectionAreSpreadToo) {
    Placement placement(3);
    std::vector<int> counts(3);
    for (int i = 0; i < 9; ++i) {
        ++counts.at(placement.place(""));
    }
    EXPECT_EQ(counts, (std::vector{3, 3, 3}));
}

TEST(PlacementTest, EqualKeysShareAShard) {
    Placement placement(4);
    const unsigned shard = placement.place("shared");
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(placement.place("shared"), shard);
    }
}

TEST(PlacementTest, LargeGroupKeepsOthersAwayFromItsShard) {
    Placement placement(2);
    const unsigned crowded = placement.place("shared");
    for (int i = 0; i < 9; ++i) {
        placement.place("shared");
    }
    for (int i = 0; i < 10; ++i) {
        EXPECT_NE(placement.place(""), crowded) << i;
    }
}

TEST(PlacementTest, ShardThatWasLeftIsFilledAgain) {
    Placement placement(2);
    const unsigned left = placement.place("");
    const unsigned other = placement.place("");
    ASSERT_NE(left, other);
    placement.leave(other, "");
    EXPECT_EQ(placement.place(""), other);
    placement.leave(left, "");
    EXPECT_EQ(placement.place(""), left);
}

TEST(PlacementTest, GroupStaysTogetherUntilItsLastHasLeft) {
    Placement placement(2);
    const unsigned shard = placement.place("shared");
    placement.place("shared");
    placement.leave(shard, "shared");
    const unsigned emptier = placement.place("");
    ASSERT_NE(emptier, shard);
    placement.leave(emptier, "");
    EXPECT_EQ(placement.place("shared"), shard);
}

TEST(PlacementTest, GroupThatEndedIsPlacedAnew) {
    Placement placement(2);
    const unsigned shard = placement.place("shared");
    placement.place("");
    placement.leave(shard, "shared");
    EXPECT_EQ(placement.place(""), shard);
    EXPECT_EQ(placement.place(""), 0U);
    EXPECT_EQ(placement.place("shared"), 1U);
    EXPECT_EQ(placement.place("shared"), 1U);
}

TEST(PlacementTest, OneShardTakesAll) {
    Placement placement(1);
    EXPECT_EQ(placement.place("a"), 0U);
    EXPECT_EQ(placement.place(""), 0U);
    placement.leave(0, "a");
    EXPECT_EQ(placement.place("b"), 0U);
}

TEST(PlacementTest, CountsRightWhenAskedFromManyThreads) {
    constexpr int kEach = 1000;
    Placement placement(2);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&placement, key = "key " + std::to_string(i % 2)] {
            for (int round = 0; round < kEach; ++round) {
                placement.leave(placement.place(key), key);
                placement.leave(placement.place(""), "");
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    // Empty again: the next ones are spread as the first ones are.
    EXPECT_EQ(placement.place("key 0"), 0U);
    EXPECT_EQ(placement.place("key 1"), 1U);
    EXPECT_EQ(placement.place(""), 0U);
    EXPECT_EQ(placement.place(""), 1U);
}

}  // namespace
}  // namespace squall::pool
