#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a registry keeps, and how it tells about changes (design, "The registry's contract").

namespace squall::registry {

/// Number of a commit; it grows with every one and is never 0.
using Revision = std::uint64_t;

enum class Kind : std::uint8_t { kTopic, kSubscriber, kLink };

/// Names an entry. Topics sort before subscribers and links: a snapshot can be read in order.
struct Key {
    Kind kind{Kind::kTopic};
    std::string topic;
    /// The subscriber's or link's identity as a string; empty for a topic.
    std::string member;

    friend auto operator<=>(const Key&, const Key&) = default;
};

/// Bytes that only the broker understands.
using Value = std::vector<std::uint8_t>;

struct Entry {
    Key key;
    Value value;
    /// The commit that put the key when it was absent.
    Revision created{0};
    /// The last commit that put the key.
    Revision modified{0};
};

/// One key put (`entry` holds its new state) or erased (`entry` is empty).
struct Change {
    Key key;
    std::optional<Entry> entry;
};

/// All that one commit changed, in the order of its operations; empty if it changed nothing.
struct Batch {
    Revision revision{0};
    std::vector<Change> changes;
};

/// Everything there is at a revision, in the order of the keys.
struct Snapshot {
    Revision revision{0};
    std::vector<Entry> entries;
};

}  // namespace squall::registry
