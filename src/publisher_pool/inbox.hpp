#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "event_store/event.hpp"

namespace squall::pool {

/// An event on its way to a shard, with the route it was published on.
struct Delivery {
    std::uint64_t route{0};
    event::EventPtr event;
};

/// A bounded queue of deliveries without locks or allocations: each slot carries a turn number
/// that says whether it waits for a producer or for the consumer.
/// Threads: try_push() from any, try_pop() and empty() from the owning shard's.
class Inbox {
public:
    static constexpr std::size_t kCapacity = 4096;

    Inbox() : slots_(std::make_unique<Slot[]>(kCapacity)) {
        for (std::size_t i = 0; i < kCapacity; ++i) {
            slots_[i].turn.store(i, std::memory_order_relaxed);
        }
    }

    /// False, and nothing moved, when full.
    bool try_push(Delivery& delivery) {
        std::size_t tail = tail_.load(std::memory_order_relaxed);
        while (true) {
            Slot& slot = slots_[tail % kCapacity];
            const std::size_t turn = slot.turn.load(std::memory_order_acquire);
            if (turn == tail) {
                if (tail_.compare_exchange_weak(tail, tail + 1, std::memory_order_relaxed)) {
                    slot.delivery = std::move(delivery);
                    slot.turn.store(tail + 1, std::memory_order_release);
                    return true;
                }
            } else if (turn < tail) {
                return false;
            } else {
                tail = tail_.load(std::memory_order_relaxed);
            }
        }
    }

    /// False when empty, or when the next producer has not finished yet.
    bool try_pop(Delivery& delivery) {
        Slot& slot = slots_[head_ % kCapacity];
        if (slot.turn.load(std::memory_order_acquire) != head_ + 1) {
            return false;
        }
        delivery = std::move(slot.delivery);
        slot.turn.store(head_ + kCapacity, std::memory_order_release);
        ++head_;
        return true;
    }

    bool empty() const {
        return slots_[head_ % kCapacity].turn.load(std::memory_order_acquire) != head_ + 1;
    }

private:
    struct Slot {
        std::atomic<std::size_t> turn{
            0};  // pairs with itself: release by one side, acquire by the other
        Delivery delivery;
    };

    std::unique_ptr<Slot[]> slots_;
    alignas(64) std::atomic<std::size_t> tail_{0};
    alignas(64) std::size_t head_{0};
};

}  // namespace squall::pool
