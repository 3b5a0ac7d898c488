#include "registry/memory_registry.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace squall::registry {

void MemoryRegistry::start(Listener& listener) {
    listener_ = &listener;
    listener.reset(Snapshot{});
}

void MemoryRegistry::commit(Commit commit, Completion completion) {
    if (listener_ == nullptr) {
        completion({Outcome::kClosed, 0});
        return;
    }
    const auto holds_here = [this](const Guard& guard) { return holds(guard); };
    if (!std::all_of(commit.guards.begin(), commit.guards.end(), holds_here)) {
        completion({Outcome::kGuardFailed, 0});
        return;
    }
    Batch batch{++revision_, {}};
    for (Operation& operation : commit.operations) {
        if (auto* const to_put = std::get_if<Put>(&operation)) {
            put(std::move(*to_put), batch);
        } else if (const auto* const to_erase = std::get_if<Erase>(&operation)) {
            erase(to_erase->key, batch);
        } else {
            erase_under(std::get<EraseUnder>(operation).topic, batch);
        }
    }
    listener_->apply(batch);
    completion({Outcome::kOk, batch.revision});
}

void MemoryRegistry::close() {
    listener_ = nullptr;
}

bool MemoryRegistry::holds(const Guard& guard) const {
    const auto it = entries_.find(guard.key);
    const bool found = it != entries_.end();
    switch (guard.condition) {
        case Guard::Condition::kAbsent:
            return !found;
        case Guard::Condition::kExists:
            return found;
        case Guard::Condition::kCreatedAt:
            return found && it->second.created == guard.revision;
        case Guard::Condition::kModifiedAt:
            return found && it->second.modified == guard.revision;
    }
    return false;
}

void MemoryRegistry::put(Put operation, Batch& batch) {
    const auto [it, inserted] = entries_.try_emplace(operation.key);
    Record& record = it->second;
    if (inserted) {
        record.created = batch.revision;
    }
    record.value = std::move(operation.value);
    record.modified = batch.revision;
    Entry entry{operation.key, record.value, record.created, record.modified};
    batch.changes.push_back({std::move(operation.key), std::move(entry)});
}

void MemoryRegistry::erase(const Key& key, Batch& batch) {
    if (entries_.erase(key) != 0) {
        batch.changes.push_back({key, std::nullopt});
    }
}

void MemoryRegistry::erase_under(const std::string& topic, Batch& batch) {
    for (const Kind kind : {Kind::kSubscriber, Kind::kLink}) {
        auto it = entries_.lower_bound(Key{kind, topic, {}});
        while (it != entries_.end() && it->first.kind == kind && it->first.topic == topic) {
            batch.changes.push_back({it->first, std::nullopt});
            it = entries_.erase(it);
        }
    }
}

}  // namespace squall::registry
