#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "registry/entry.hpp"

namespace squall::registry {

/// What must hold for a commit to happen.
struct Guard {
    enum class Condition : std::uint8_t { kAbsent, kExists, kCreatedAt, kModifiedAt };

    static Guard absent(Key key) { return {Condition::kAbsent, std::move(key), 0}; }
    static Guard exists(Key key) { return {Condition::kExists, std::move(key), 0}; }
    static Guard created_at(Key key, Revision revision) {
        return {Condition::kCreatedAt, std::move(key), revision};
    }
    static Guard modified_at(Key key, Revision revision) {
        return {Condition::kModifiedAt, std::move(key), revision};
    }

    Condition condition;
    Key key;
    Revision revision;
};

/// Sets a key's value, whether it is there or not.
struct Put {
    Key key;
    Value value;
};

/// Removes a key; an absent one is no error.
struct Erase {
    Key key;
};

/// Removes all subscribers and links of a topic, but not the topic.
struct EraseUnder {
    std::string topic;
};

using Operation = std::variant<Put, Erase, EraseUnder>;

/// All guards hold, and then all operations happen in order; or nothing happens.
struct Commit {
    std::vector<Guard> guards;
    std::vector<Operation> operations;
};

enum class Outcome : std::uint8_t {
    kOk,
    kGuardFailed,
    kUnknown,      ///< it may or may not happen; apply() will tell
    kUnavailable,  ///< the store cannot be reached or written
    kKeyTooLong,
    kFull,  ///< the store has no room
    kClosed,
};

std::string_view to_string(Outcome outcome);

struct CommitResult {
    Outcome outcome{Outcome::kOk};
    /// The commit's revision when the outcome is kOk, else 0.
    Revision revision{0};
};

}  // namespace squall::registry
