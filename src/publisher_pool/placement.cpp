#include "publisher_pool/placement.hpp"

#include <algorithm>

namespace squall::pool {

unsigned Placement::emptiest_shard() const {
    const auto emptiest = std::min_element(subscribers_.begin(), subscribers_.end());
    return static_cast<unsigned>(emptiest - subscribers_.begin());
}

unsigned Placement::place(const std::string& key) {
    const std::lock_guard lock(mutex_);
    unsigned shard = emptiest_shard();
    if (!key.empty()) {
        Group& group = groups_.try_emplace(key, Group{shard, 0}).first->second;
        ++group.subscribers;
        shard = group.shard;
    }
    ++subscribers_[shard];
    return shard;
}

void Placement::leave(unsigned shard, const std::string& key) {
    const std::lock_guard lock(mutex_);
    --subscribers_[shard];
    const auto group = groups_.find(key);
    if (group != groups_.end() && --group->second.subscribers == 0) {
        groups_.erase(group);
    }
}

}  // namespace squall::pool
