#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace squall::event {

/// Counts the events alive in a broker and the bytes they hold, each event once however many
/// queues point to it.
/// Threads: any; the counters are relaxed and pair with nothing.
class Ledger {
public:
    void added(std::size_t bytes) {
        events_.fetch_add(1, std::memory_order_relaxed);
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
    }

    void removed(std::size_t bytes) {
        events_.fetch_sub(1, std::memory_order_relaxed);
        bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    }

    std::uint64_t events() const { return events_.load(std::memory_order_relaxed); }
    std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> events_{0};
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace squall::event
