#include "publisher_pool/publisher_pool.hpp"

#include <algorithm>
#include <functional>
#include <latch>
#include <utility>

#include "publisher_pool/shard.hpp"
#include "publisher_pool/wire_target.hpp"

namespace squall::pool {
namespace {

/// How long the graceful close of all links may take at a stop.
constexpr std::chrono::seconds kCloseMax{2};

std::size_t shard_hash(const SubscriberSpec& spec) {
    const auto target = wire_target(spec.proxy, spec.qos.connection_cached);
    return std::hash<std::string>()(target ? target->key : spec.proxy->ice_toString());
}

}  // namespace

PublisherPool::PublisherPool(const PoolOptions& options, RemovalHandler on_removed)
    : options_(options) {
    for (unsigned i = 0; i < options_.shards; ++i) {
        shards_.push_back(std::make_unique<Shard>(i, options_, on_removed));
    }
}

PublisherPool::~PublisherPool() {
    stop();
}

void PublisherPool::start() {
    for (const auto& shard : shards_) {
        shard->start();
    }
}

std::shared_ptr<Route> PublisherPool::open_route() {
    return std::make_shared<Route>(next_route_.fetch_add(1), shards_);
}

void PublisherPool::run(Shard& shard, std::function<void()> task) {
    std::latch done(1);
    shard.post([&] {
        task();
        done.count_down();
    });
    done.wait();
}

void PublisherPool::run_everywhere(const std::function<void(Shard&)>& task) {
    std::latch done(static_cast<std::ptrdiff_t>(shards_.size()));
    for (const auto& shard : shards_) {
        shard->post([&task, &done, &target = *shard] {
            task(target);
            done.count_down();
        });
    }
    done.wait();
}

void PublisherPool::close_route(const std::shared_ptr<Route>& route) {
    run_everywhere([&](Shard& shard) { shard.close_route(route->id()); });
}

SubscriptionId PublisherPool::subscribe(const SubscriberSpec& spec,
                                        const std::shared_ptr<Route>& topic,
                                        const std::shared_ptr<Route>& direct) {
    const std::size_t index = shard_hash(spec) % shards_.size();
    const SubscriptionId id = next_subscription_.fetch_add(1) * kShardsMax + index;
    Shard& shard = *shards_[index];
    run(shard, [&] { shard.subscribe(id, spec, topic, direct); });
    return id;
}

void PublisherPool::unsubscribe(SubscriptionId id) {
    Shard& shard = *shards_[id % kShardsMax];
    run(shard, [&] { shard.unsubscribe(id); });
}

std::vector<Undelivered> PublisherPool::drain(std::chrono::steady_clock::time_point deadline) {
    const bool drained = wait_for_all(
        [](Shard& shard, std::function<void()> done) { shard.drain(std::move(done)); }, deadline);
    std::vector<Undelivered> all;
    if (!drained) {
        std::mutex all_mutex;
        run_everywhere([&](Shard& shard) {
            auto rows = shard.undelivered();
            const std::lock_guard lock(all_mutex);
            std::move(rows.begin(), rows.end(), std::back_inserter(all));
        });
    }
    wait_for_all(
        [](Shard& shard, std::function<void()> done) { shard.close_links(std::move(done)); },
        std::min(deadline, std::chrono::steady_clock::now() + kCloseMax));
    return all;
}

bool PublisherPool::wait_for_all(const std::function<void(Shard&, std::function<void()>)>& begin,
                                 std::chrono::steady_clock::time_point deadline) {
    const auto missing = std::make_shared<std::size_t>(shards_.size());
    run_everywhere([&](Shard& shard) {
        begin(shard, [this, missing] {
            const std::lock_guard lock(drain_mutex_);
            --*missing;
            drain_changed_.notify_all();
        });
    });
    std::unique_lock lock(drain_mutex_);
    drain_changed_.wait_until(lock, deadline, [&] { return *missing == 0 || drain_cancelled_; });
    return *missing == 0;
}

void PublisherPool::cancel_drain() {
    const std::lock_guard lock(drain_mutex_);
    drain_cancelled_ = true;
    drain_changed_.notify_all();
}

void PublisherPool::stop() {
    for (const auto& shard : shards_) {
        shard->stop();
    }
}

}  // namespace squall::pool
