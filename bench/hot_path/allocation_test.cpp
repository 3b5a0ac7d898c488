// What the hot path may allocate: the event itself, once, whatever the number of subscribers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "hot_path.hpp"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
    ++allocations;
    void* memory = std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate(size);
}

void* operator new[](std::size_t size) {
    return allocate(size);
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete[](void* memory) noexcept {
    std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace squall::bench {
namespace {

constexpr int kBursts = 50;

std::size_t allocations_of(HotPath& path, int bursts) {
    const std::size_t before = allocations;
    for (int i = 0; i < bursts; ++i) {
        path.pass_burst();
    }
    return allocations - before;
}

/// Queues, buffers and lists reach their size in the first bursts.
std::size_t steady_allocations(HotPath& path) {
    allocations_of(path, kBursts);
    return allocations_of(path, kBursts);
}

class AllocationTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(AllocationTest, SingleEventsAreAllocatedOnceEach) {
    HotPath path(Traffic::kSingle, GetParam(), 100);
    EXPECT_EQ(steady_allocations(path), kBursts * HotPath::kBurst);
    EXPECT_EQ(path.ledger().events(), 0U);
}

TEST_P(AllocationTest, BatchedEventsAreAllocatedOnceEachAndTheirMessageOnce) {
    HotPath path(Traffic::kBatch, GetParam(), 100);
    EXPECT_LE(steady_allocations(path), kBursts * (HotPath::kBurst + 1));
    EXPECT_EQ(path.ledger().events(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Subscribers, AllocationTest, ::testing::Values(1, 10, 40));

}  // namespace
}  // namespace squall::bench
