#include "subscriber_queue/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

namespace squall::queue {
namespace {

template <typename T>
std::vector<T> contents(const Ring<T>& ring) {
    std::vector<T> values;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        values.push_back(ring[i]);
    }
    return values;
}

/// Holds 0 to size - 1 with its first element `offset` slots into the block.
Ring<int> ring_at_offset(std::size_t offset, int size) {
    Ring<int> ring;
    for (std::size_t i = 0; i < offset; ++i) {
        ring.push_back(-1);
        ring.pop_front();
    }
    for (int i = 0; i < size; ++i) {
        ring.push_back(i);
    }
    return ring;
}

TEST(RingTest, HoldsNoMemoryBeforeTheFirstPush) {
    Ring<int> ring;
    EXPECT_TRUE(ring.empty());
    EXPECT_EQ(ring.size(), 0U);
    EXPECT_EQ(ring.capacity(), 0U);
    ring.push_back(1);
    EXPECT_FALSE(ring.empty());
    EXPECT_GE(ring.capacity(), 1U);
}

TEST(RingTest, GivesElementsInTheOrderOfTheirPush) {
    for (std::size_t offset = 0; offset < 8; ++offset) {
        for (const int size : {1, 7, 8, 9, 16, 17, 100}) {
            Ring<int> ring = ring_at_offset(offset, size);
            ASSERT_EQ(ring.size(), static_cast<std::size_t>(size));
            for (int i = 0; i < size; ++i) {
                ASSERT_EQ(ring.front(), i);
                ASSERT_EQ(ring.pop_front(), i) << "offset " << offset << " size " << size;
            }
            EXPECT_TRUE(ring.empty());
        }
    }
}

TEST(RingTest, RemovesAnyElementAndKeepsTheOrderOfTheOthers) {
    for (std::size_t offset = 0; offset < 8; ++offset) {
        for (int size = 1; size <= 9; ++size) {
            for (int index = 0; index < size; ++index) {
                Ring<int> ring = ring_at_offset(offset, size);
                std::vector<int> expected = contents(ring);
                expected.erase(expected.begin() + index);
                ASSERT_EQ(ring.remove(static_cast<std::size_t>(index)), index);
                ASSERT_EQ(contents(ring), expected) << "offset " << offset << " size " << size;
            }
        }
    }
}

TEST(RingTest, TruncatesFromTheBack) {
    Ring<int> ring = ring_at_offset(5, 8);
    ring.truncate(9);
    ring.truncate(8);
    EXPECT_EQ(ring.size(), 8U);
    ring.truncate(3);
    EXPECT_EQ(contents(ring), (std::vector{0, 1, 2}));
    ring.push_back(7);
    EXPECT_EQ(contents(ring), (std::vector{0, 1, 2, 7}));
}

TEST(RingTest, TruncatingToNothingFreesTheBlock) {
    Ring<int> ring = ring_at_offset(5, 8);
    ring.truncate(0);
    EXPECT_TRUE(ring.empty());
    EXPECT_EQ(ring.capacity(), 0U);
    ring.truncate(0);
    ring.push_back(3);
    EXPECT_EQ(contents(ring), std::vector{3});
}

TEST(RingTest, IsUsableAfterClear) {
    Ring<int> ring = ring_at_offset(3, 20);
    ring.clear();
    EXPECT_EQ(ring.capacity(), 0U);
    ring.push_back(1);
    ring.push_back(2);
    EXPECT_EQ(contents(ring), (std::vector{1, 2}));
}

TEST(RingTest, GivesBackALargeBlockWhenItRunsEmpty) {
    Ring<int> ring = ring_at_offset(0, 1025);
    EXPECT_EQ(ring.capacity(), 2048U);
    for (int i = 0; i < 1024; ++i) {
        ring.pop_front();
    }
    EXPECT_EQ(ring.capacity(), 2048U);
    EXPECT_EQ(ring.remove(0), 1024);
    EXPECT_EQ(ring.capacity(), 0U);
}

TEST(RingTest, KeepsASmallBlockWhenItRunsEmpty) {
    Ring<int> ring = ring_at_offset(0, 1024);
    while (!ring.empty()) {
        ring.pop_front();
    }
    EXPECT_EQ(ring.capacity(), 1024U);
}

TEST(RingTest, LetsGoOfEveryElementThatLeaves) {
    const auto element = std::make_shared<int>(1);
    Ring<std::shared_ptr<int>> ring;
    for (int i = 0; i < 6; ++i) {
        ring.push_back(element);
    }
    EXPECT_EQ(element.use_count(), 7);
    ring.pop_front();
    EXPECT_EQ(element.use_count(), 6);
    ring.remove(2);
    EXPECT_EQ(element.use_count(), 5);
    ring.truncate(2);
    EXPECT_EQ(element.use_count(), 3);
    ring.clear();
    EXPECT_EQ(element.use_count(), 1);
}

TEST(RingTest, HoldsElementsThatOnlyMove) {
    Ring<std::unique_ptr<int>> ring;
    for (int i = 0; i < 20; ++i) {
        ring.push_back(std::make_unique<int>(i));
    }
    EXPECT_EQ(*ring.remove(10), 10);
    EXPECT_EQ(*ring.pop_front(), 0);
    EXPECT_EQ(*ring[9], 11);
}

TEST(RingTest, BehavesAsADequeOverRandomSteps) {
    constexpr std::uint32_t kSeed = 20231;
    std::cout << "seed " << kSeed << '\n';
    std::mt19937 random(kSeed);
    Ring<int> ring;
    std::deque<int> model;
    for (int step = 0; step < 20000; ++step) {
        const std::size_t choice = random() % 100;
        if (choice < 55) {
            ring.push_back(step);
            model.push_back(step);
        } else if (choice < 90 && !model.empty()) {
            ASSERT_EQ(ring.pop_front(), model.front());
            model.pop_front();
        } else if (choice < 98 && !model.empty()) {
            const std::size_t index = random() % model.size();
            ASSERT_EQ(ring.remove(index), model[index]);
            model.erase(model.begin() + static_cast<std::ptrdiff_t>(index));
        } else if (choice == 98) {
            const std::size_t size = random() % (model.size() + 2);
            ring.truncate(size);
            model.resize(std::min(size, model.size()));
        }
        ASSERT_EQ(contents(ring), std::vector<int>(model.begin(), model.end())) << "step " << step;
    }
}

}  // namespace
}  // namespace squall::queue
