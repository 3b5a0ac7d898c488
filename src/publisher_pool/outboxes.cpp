#include "publisher_pool/outboxes.hpp"

#include <bit>
#include <utility>

#include "publisher_pool/shard.hpp"

namespace squall::pool {

void Outboxes::add(unsigned shard, Delivery delivery) {
    if (outboxes_.size() <= shard) {
        outboxes_.resize(shard + 1);
    }
    outboxes_[shard].deliveries.push_back(std::move(delivery));
    filled_ |= Route::bit(shard);
}

bool Outboxes::hand_over() {
    for (std::uint64_t rest = filled_; rest != 0; rest &= rest - 1) {
        const auto shard = static_cast<unsigned>(std::countr_zero(rest));
        if (hand_over(shard)) {
            filled_ &= ~Route::bit(shard);
        }
    }
    return empty();
}

bool Outboxes::hand_over(unsigned shard) {
    auto& [deliveries, handed_over] = outboxes_[shard];
    handed_over += shards_[shard]->take_over(std::span(deliveries).subspan(handed_over), own_);
    if (handed_over < deliveries.size()) {
        return false;
    }
    deliveries.clear();
    handed_over = 0;
    return true;
}

}  // namespace squall::pool
