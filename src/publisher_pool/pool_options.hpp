#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "subscriber_queue/queue_options.hpp"

namespace squall::pool {

/// Most shards a pool may have: a route keeps one bit for each.
inline constexpr unsigned kShardsMax = 64;

/// What concerns the connections as such. Threads: immutable once the pool runs.
struct NetworkOptions {
    /// Connections that the kernel accepts ahead of us. [Ice.TCP.Backlog]
    int backlog{4096};
    /// Sizes of the kernel's buffers of each connection in bytes; empty is the system's default.
    /// [Ice.TCP.RcvSize, Ice.TCP.SndSize]
    std::optional<int> receive_buffer;
    std::optional<int> send_buffer;
    /// Whether publishers' connections are logged as they come and go. [Ice.Trace.Network >= 1]
    bool trace{false};
    /// Whether one that ends with an error leaves a line in the log. [Ice.Warn.Connections]
    bool warn{true};
};

/// How the publish pool runs. The names in brackets are the properties.
/// Threads: immutable once the pool runs.
struct PoolOptions {
    /// Shards, each one thread. [Publish.ThreadPool.Size, 1 to kShardsMax; default: the cores]
    unsigned shards{1};
    /// Longest that connecting, or a write without progress, may take; empty is no limit.
    /// [Send.Timeout, milliseconds, -1 is no limit]
    std::optional<std::chrono::milliseconds> send_timeout{std::chrono::milliseconds{60000}};
    /// Write silence after which a connection gets a heartbeat: peers of Ice 3.8 end one that is
    /// silent for 60 s (behaviour reference 12.7). No property sets it.
    std::chrono::milliseconds heartbeat_interval{30000};
    /// With requests unanswered and nothing heard of a peer for so long, heartbeats included, it
    /// counts as dead: what IceStorm's active connection management does (behaviour reference
    /// 6.10). No property sets it.
    std::chrono::milliseconds reply_silence_max{60000};
    /// Largest message accepted from a subscriber, in bytes; 0 is unlimited.
    /// [Ice.MessageSizeMax, which counts KiB]
    std::uint32_t message_size_max{1024 * 1024};
    /// The same for publishers. [Publish.MessageSizeMax, by default Ice.MessageSizeMax; KiB]
    std::uint32_t publisher_message_size_max{1024 * 1024};
    NetworkOptions network;
    queue::QueueOptions queue;
};

}  // namespace squall::pool
