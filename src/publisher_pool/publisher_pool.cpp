#include "publisher_pool/publisher_pool.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <utility>

#include "publisher_pool/acceptor.hpp"
#include "publisher_pool/shard.hpp"
#include "publisher_pool/wire_target.hpp"

namespace squall::pool {
namespace {

/// How long the graceful close of all links may take at a stop.
constexpr std::chrono::seconds kCloseMax{2};

/// Equal for subscribers that may share a connection; empty where none may.
std::string connection_key(const SubscriberSpec& spec) {
    const auto target = wire_target(spec.proxy, spec.qos.connection_cached);
    return target ? target->key : std::string();
}

}  // namespace

PublisherPool::PublisherPool(const PoolOptions& options, RemovalHandler on_removed)
    : options_(options), placement_(options.shards) {
    const Shard::Surroundings surroundings{
        options_, shards_, ledger_,
        [this](unsigned shard, const std::string& key) { placement_.leave(shard, key); },
        std::move(on_removed)};
    for (unsigned i = 0; i < options_.shards; ++i) {
        shards_.push_back(std::make_unique<Shard>(i, surroundings));
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

boost::asio::ip::tcp::endpoint PublisherPool::listen(const boost::asio::ip::tcp::endpoint& address,
                                                     bool dual_stack) {
    Shard& home = *shards_[acceptors_.size() % shards_.size()];
    acceptors_.push_back(std::make_unique<Acceptor>(home, shards_, options_, address, dual_stack));
    return acceptors_.back()->address();
}

void PublisherPool::accept() {
    for (const auto& acceptor : acceptors_) {
        run(acceptor->home(), [&] { acceptor->start(); });
    }
}

void PublisherPool::serve(const ServedObjectPtr& object) {
    run_everywhere([&](Shard& shard) { shard.ingress().serve(object); });
}

void PublisherPool::withdraw(const std::vector<Ice::Identity>& identities) {
    run_everywhere([&](Shard& shard) {
        for (const Ice::Identity& identity : identities) {
            shard.ingress().withdraw(identity.name, identity.category);
        }
    });
}

void PublisherPool::stop_intake(std::chrono::steady_clock::time_point deadline) {
    for (const auto& acceptor : acceptors_) {
        run(acceptor->home(), [&] { acceptor->stop(); });
    }
    const bool closed = wait_for_all(
        [&](Shard& shard, std::function<void()> done) {
            shard.close_ingress(deadline, std::move(done));
        },
        deadline);
    if (!closed) {
        run_everywhere([](Shard& shard) { shard.ingress().close_at_once(); });
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
    const unsigned index = placement_.place(connection_key(spec));
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
    bool drained = false;
    do {
        drained = wait_for_all(
            [](Shard& shard, std::function<void()> done) { shard.drain(std::move(done)); },
            deadline);
        // One that was idle early may have got something from another one since.
    } while (drained && !all_idle());
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

bool PublisherPool::all_idle() {
    std::atomic<bool> idle{true};
    run_everywhere([&](Shard& shard) {
        if (!shard.idle()) {
            idle = false;
        }
    });
    return idle;
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
