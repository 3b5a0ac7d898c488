#include "publisher_pool/route.hpp"

#include <bit>

#include "publisher_pool/shard.hpp"

namespace squall::pool {

void Route::publish(const event::EventPtr& event) const {
    std::uint64_t shards = listening();
    while (shards != 0) {
        const auto index = static_cast<unsigned>(std::countr_zero(shards));
        shards &= shards - 1;
        all_shards_[index]->deliver({id_, event});
    }
}

}  // namespace squall::pool
