#pragma once

#include <map>
#include <string>

#include "registry/registry.hpp"

namespace squall::registry {

/// A registry that forgets everything when the broker ends. Revisions start at 1 and keys may have
/// any length. commit() has called the listener and the completion when it returns.
/// Threads: confined to one, as any Registry.
class MemoryRegistry final : public Registry {
public:
    void start(Listener& listener) override;
    void commit(Commit commit, Completion completion) override;
    void close() override;

private:
    /// An Entry without its key.
    struct Record {
        Value value;
        Revision created{0};
        Revision modified{0};
    };
    using Entries = std::map<Key, Record>;

    bool holds(const Guard& guard) const;
    void put(Put operation, Batch& batch);
    void erase(const Key& key, Batch& batch);
    void erase_under(const std::string& topic, Batch& batch);

    Entries entries_;
    Revision revision_{0};
    /// Null before start() and after close().
    Listener* listener_{nullptr};
};

}  // namespace squall::registry
