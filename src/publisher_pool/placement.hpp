#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace squall::pool {

/// Which shard a subscriber lives in: that of the others with its endpoints, whose connection it
/// shares, else the one with the fewest subscribers.
/// Threads: any; `mutex_` guards all, and is never held for long.
class Placement {
public:
    explicit Placement(unsigned shards) : subscribers_(shards) {}

    /// `key` is equal for subscribers that share a connection; with an empty one it shares none.
    /// Returns the shard's index.
    unsigned place(const std::string& key);

    /// A subscriber with this key has left its shard.
    void leave(unsigned shard, const std::string& key);

private:
    struct Group {
        unsigned shard;
        std::size_t subscribers;
    };

    unsigned emptiest_shard() const;

    std::mutex mutex_;
    std::unordered_map<std::string, Group> groups_;
    std::vector<std::size_t> subscribers_;
};

}  // namespace squall::pool
