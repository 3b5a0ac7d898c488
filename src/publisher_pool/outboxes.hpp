#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "publisher_pool/inbox.hpp"
#include "publisher_pool/route.hpp"

namespace squall::pool {

/// What one shard has for the others: events gather here during a burst and are handed over
/// together at its end, with one wake-up for each shard. A shard whose inbox is full gets the rest
/// later; until then the owner reads no more from its publishers.
/// Threads: confined to the owning shard's.
class Outboxes {
public:
    /// `own` is the index of the owning shard. The shards must outlive this.
    Outboxes(const Route::Shards& shards, unsigned own) : shards_(shards), own_(own) {}

    void add(unsigned shard, Delivery delivery);

    /// Hands over as much as the inboxes take; true when nothing is left. Shards with a full inbox
    /// will call Shard::room_in_inbox() on the owner.
    bool hand_over();

    bool empty() const { return filled_ == 0; }

private:
    struct Outbox {
        std::vector<Delivery> deliveries;
        std::size_t handed_over{0};  ///< from the front
    };

    bool hand_over(unsigned shard);

    const Route::Shards& shards_;
    const unsigned own_;
    std::vector<Outbox> outboxes_;
    /// A bit for each shard that something waits for.
    std::uint64_t filled_{0};
};

}  // namespace squall::pool
