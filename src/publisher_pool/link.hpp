#pragma once

#include <chrono>
#include <string>

namespace squall::pool {

class Subscriber;

/// A way to subscribers: takes events from their queues when it can send, and tells the subscriber
/// what became of them.
/// Threads: confined to the owning shard's.
class Link {
public:
    Link() = default;
    virtual ~Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    virtual void attach(Subscriber& subscriber) = 0;
    /// The subscriber is not touched any more.
    virtual void detach(Subscriber& subscriber) = 0;

    /// The subscriber has work; flush() is called before the shard goes on.
    virtual void ready(Subscriber& subscriber) = 0;

    /// Sends what the ready subscribers have, as far as it can be sent now.
    virtual void flush() = 0;

    /// Called a few times in each timeout: the place for heartbeats and stalls.
    virtual void tick(std::chrono::steady_clock::time_point now) = 0;

    /// Closes gracefully; closed() tells when that is over.
    virtual void close() = 0;
    virtual bool closed() const = 0;
    virtual bool unused() const = 0;

    /// Equal for subscribers that may share the link; empty where none may.
    virtual const std::string& key() const = 0;

    /// Where events go, for logs.
    virtual std::string describe() const = 0;
};

}  // namespace squall::pool
