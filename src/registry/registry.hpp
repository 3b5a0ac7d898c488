#pragma once

#include <functional>

#include "registry/commit.hpp"
#include "registry/entry.hpp"

namespace squall::registry {

/// Hears of every change, whoever made it: the one way in which a broker's topics change.
class Listener {
public:
    virtual ~Listener() = default;

    /// One commit. Revisions rise without gap and without repeat. Must not throw, nor call the
    /// registry.
    virtual void apply(const Batch& batch) = 0;

    /// Everything there is: at start, and whenever the changes since the last call are not known.
    /// Must not throw, nor call the registry.
    virtual void reset(const Snapshot& snapshot) = 0;
};

/// What survives a restart: topics, subscriptions and links. Never used to publish.
/// Threads: all calls come from one thread, and all call-backs are made on it, one at a time,
/// before or after the call that caused them returns.
class Registry {
public:
    using Completion = std::function<void(CommitResult)>;

    virtual ~Registry() = default;

    /// Opens the store and hands its content to listener.reset(). Call once, first. The listener
    /// must outlive the registry or its close().
    virtual void start(Listener& listener) = 0;

    /// Asks for a change. `completion` is called once, after the change has been applied; it may
    /// call commit() again.
    virtual void commit(Commit commit, Completion completion) = 0;

    /// Ends everything: later commits complete with kClosed. Idempotent.
    virtual void close() = 0;
};

}  // namespace squall::registry
