#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace squall::queue {

/// What happens when an event arrives at a full queue (behaviour reference 6.6).
enum class OverflowPolicy : std::uint8_t { kRemoveSubscriber, kDropEvents };

/// What all subscriber queues of a broker share. The names in brackets are the properties,
/// without the service's prefix.
/// Threads: immutable once the broker runs.
struct QueueOptions {
    /// Delay between the first queued event and the flush of a batch subscriber; 0 or less
    /// flushes at once. [Flush.Timeout, milliseconds]
    std::chrono::milliseconds flush_timeout{1000};
    /// How long a subscriber stays offline after a soft failure; 0 or less retries with the next
    /// event. [Discard.Interval, seconds]
    std::chrono::seconds discard_interval{60};
    /// Most events that may wait for one subscriber, those in flight not counted; negative is
    /// unlimited. [Send.QueueSizeMax, events]
    std::int64_t queue_size_max{-1};
    /// [Send.QueueSizeMaxPolicy]
    OverflowPolicy overflow_policy{OverflowPolicy::kRemoveSubscriber};
    /// A batch is flushed early, and split, when it reaches this size; 0 is unlimited.
    /// [Ice.BatchAutoFlushSize, which counts KiB]
    std::size_t batch_bytes_max{std::size_t{1024} * 1024};
};

}  // namespace squall::queue
