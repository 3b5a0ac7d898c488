#include "publisher_pool/shard.hpp"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <boost/asio/post.hpp>
#include <string>
#include <utility>

#include "publisher_pool/ice_link.hpp"
#include "publisher_pool/link.hpp"
#include "publisher_pool/subscriber.hpp"
#include "publisher_pool/wire_link.hpp"
#include "publisher_pool/wire_target.hpp"

namespace squall::pool {
namespace {

/// Events queued between two looks at the links: bounds what waits before it is written.
constexpr std::size_t kBurst = 256;
constexpr std::size_t kReadBufferBytes = 64 * 1024;
constexpr std::chrono::milliseconds kTickMax{1000};
constexpr std::chrono::milliseconds kTickMin{20};
/// How often a drain looks whether it is over.
constexpr std::chrono::milliseconds kPoll{5};

}  // namespace

Shard::Shard(unsigned index, const Surroundings& surroundings)
    : index_(index),
      options_(surroundings.options),
      shards_(surroundings.shards),
      on_left_(surroundings.on_left),
      on_removed_(surroundings.on_removed),
      io_(1),
      work_(boost::asio::make_work_guard(io_)),
      tick_timer_(io_),
      now_(std::chrono::steady_clock::now()),
      routes_(index),
      outboxes_(surroundings.shards, index),
      read_buffer_(kReadBufferBytes),
      ingress_(*this, surroundings.options, surroundings.ledger) {}

Shard::~Shard() {
    stop();
    ingress_.drop();
    subscribers_.clear();
    links_.clear();
}

void Shard::start() {
    schedule_tick();
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), ("shard" + std::to_string(index_)).c_str());
        io_.run();
    });
}

void Shard::stop() {
    if (thread_.joinable()) {
        io_.stop();
        thread_.join();
    }
}

void Shard::deliver(Delivery delivery) {
    while (!inbox_.try_push(delivery)) {
        std::unique_lock lock(room_mutex_);
        ++waiting_;
        wake();
        room_.wait_for(lock, std::chrono::milliseconds(1));
        --waiting_;
    }
    wake();
}

std::size_t Shard::take_over(std::span<Delivery> deliveries, unsigned from) {
    std::size_t count = 0;
    const auto push_all = [&] {
        while (count < deliveries.size() && inbox_.try_push(deliveries[count])) {
            ++count;
        }
    };
    push_all();
    if (count < deliveries.size()) {
        waiting_shards_.fetch_or(Route::bit(from), std::memory_order_acq_rel);
        push_all();  // what was taken out before the bit was set
    }
    wake();
    return count;
}

void Shard::publish(const Route& route, event::EventPtr event) {
    std::uint64_t shards = route.listening();
    if ((shards & Route::bit(index_)) != 0) {
        routes_.fan_out(route.id(), event);
        shards &= ~Route::bit(index_);
    }
    for (; shards != 0; shards &= shards - 1) {
        outboxes_.add(static_cast<unsigned>(std::countr_zero(shards)), {route.id(), event});
    }
}

void Shard::room_in_inbox() {
    if (outboxes_.hand_over()) {
        ingress_.resume_all();
    }
}

void Shard::wake() {
    if (!scheduled_.exchange(true, std::memory_order_acq_rel)) {
        boost::asio::post(io_, [this] { work_off_inbox(); });
    }
}

void Shard::post(std::function<void()> task) {
    boost::asio::post(io_, [this, task = std::move(task)] {
        wrap_up_due_ = true;
        apply_burst(Inbox::kCapacity);
        task();
        wrap_up();
    });
}

void Shard::work_off_inbox() {
    scheduled_.exchange(false, std::memory_order_acq_rel);
    wrap_up_due_ = true;
    if (apply_burst(kBurst) == kBurst) {
        wake();
    }
    wrap_up();
}

std::size_t Shard::apply_burst(std::size_t most) {
    update_time();
    std::size_t count = 0;
    for (Delivery delivery; count < most && inbox_.try_pop(delivery); ++count) {
        // A subscriber that fails is taken out only when the burst is over.
        routes_.fan_out(delivery.route, delivery.event);
    }
    if (count > 0) {
        tell_of_room();
    }
    return count;
}

void Shard::tell_of_room() {
    if (waiting_.load(std::memory_order_relaxed) > 0) {
        const std::lock_guard lock(room_mutex_);
        room_.notify_all();
    }
    for (std::uint64_t rest = waiting_shards_.exchange(0, std::memory_order_acq_rel); rest != 0;
         rest &= rest - 1) {
        Shard& waiting = *shards_[static_cast<std::size_t>(std::countr_zero(rest))];
        boost::asio::post(waiting.io_, [&waiting] { waiting.room_in_inbox(); });
    }
}

void Shard::flush_later(Link& link) {
    if (link.unused()) {
        return;  // has nothing to send, and may be deleted before it would be flushed
    }
    if (to_flush_.empty() || to_flush_.back() != &link) {
        to_flush_.push_back(&link);
    }
    schedule_wrap_up();
}

void Shard::settle_later(Subscriber& subscriber) {
    to_settle_.push_back(subscriber.id());
    schedule_wrap_up();
}

void Shard::schedule_wrap_up() {
    if (!std::exchange(wrap_up_due_, true)) {
        boost::asio::post(io_, [this] { wrap_up(); });
    }
}

void Shard::wrap_up() {
    // Flushing may ask for another flush, also of the same link.
    while (!to_flush_.empty()) {
        flushing_.swap(to_flush_);
        for (Link* link : flushing_) {
            link->flush();
        }
        flushing_.clear();
    }
    settle();
    wrap_up_due_ = false;
    if (!to_flush_.empty() || !to_settle_.empty()) {
        schedule_wrap_up();
    }
}

void Shard::settle() {
    for (const SubscriptionId id : std::exchange(to_settle_, {})) {
        const auto it = subscribers_.find(id);
        if (it == subscribers_.end()) {
            continue;
        }
        Subscriber& subscriber = *it->second;
        if (subscriber.queue().ended()) {
            remove_from_routes(subscriber);
        }
        if (subscriber.over()) {
            const std::shared_ptr<Link> link = subscriber.link();
            subscribers_.erase(it);
            on_left_(index_, link->key());
            release_if_unused(link);
        }
    }
}

Subscriber* Shard::find(SubscriptionId id) const {
    const auto it = subscribers_.find(id);
    return it == subscribers_.end() ? nullptr : it->second.get();
}

void Shard::subscriber_failed(Subscriber& subscriber, queue::RemovalReason reason) {
    settle_later(subscriber);
    on_removed_(subscriber.id(), reason);
}

void Shard::subscribe(SubscriptionId id, const SubscriberSpec& spec,
                      const std::shared_ptr<Route>& topic, const std::shared_ptr<Route>& direct) {
    auto subscriber = std::make_unique<Subscriber>(*this, id, spec, topic->id(), direct->id());
    subscriber->use_link(link_for(spec));
    routes_.add(topic, *subscriber);
    routes_.add(direct, *subscriber);
    if (draining_) {
        subscriber->hurry();
    }
    subscribers_.emplace(id, std::move(subscriber));
}

void Shard::unsubscribe(SubscriptionId id) {
    const auto it = subscribers_.find(id);
    if (it != subscribers_.end()) {
        remove_from_routes(*it->second);
        it->second->close(false);
    }
}

void Shard::close_route(std::uint64_t route) {
    for (Subscriber* subscriber : routes_.subscribers(route)) {
        remove_from_routes(*subscriber);
        subscriber->close(true);
    }
}

void Shard::remove_from_routes(Subscriber& subscriber) {
    routes_.remove(subscriber.topic_route(), subscriber);
    routes_.remove(subscriber.direct_route(), subscriber);
}

std::shared_ptr<Link> Shard::link_for(const SubscriberSpec& spec) {
    std::optional<WireTarget> target = wire_target(spec.proxy, spec.qos.connection_cached);
    if (!target) {
        return links_.emplace_back(std::make_shared<IceLink>(*this, spec));
    }
    std::shared_ptr<WireLink>& shared = wire_links_[target->key];
    if (!shared) {
        shared = std::make_shared<WireLink>(*this, std::move(*target));
        links_.push_back(shared);
    }
    return shared;
}

void Shard::release_if_unused(const std::shared_ptr<Link>& link) {
    if (!link->unused()) {
        return;
    }
    // Closing takes a while; a new subscriber of the same endpoint gets a new link.
    boost::unordered::erase_if(wire_links_,
                               [&](const auto& entry) { return entry.second == link; });
    link->close();
    if (link->closed()) {
        std::erase(links_, link);
    }
}

void Shard::schedule_tick() {
    std::chrono::milliseconds period = kTickMax;
    if (options_.send_timeout) {
        period = std::clamp(*options_.send_timeout / 4, kTickMin, kTickMax);
    }
    tick_timer_.expires_after(period);
    tick_timer_.async_wait([this](const boost::system::error_code& error) {
        if (!error) {
            tick();
            schedule_tick();
        }
    });
}

void Shard::tick() {
    update_time();
    for (const auto& link : std::vector(links_)) {
        link->tick(now_);
    }
    for (const auto& [id, subscriber] : subscribers_) {
        subscriber->tick(now_);
    }
    std::erase_if(links_, [](const auto& link) { return link->unused() && link->closed(); });
    ingress_.tick(now_);
}

void Shard::drain(std::function<void()> on_idle) {
    draining_ = true;
    for (const auto& [id, subscriber] : subscribers_) {
        subscriber->hurry();
    }
    poll([this] { return idle(); }, std::move(on_idle));
}

bool Shard::idle() const {
    return all_handed_over() && inbox_.empty() &&
           std::all_of(subscribers_.begin(), subscribers_.end(),
                       [](const auto& entry) { return entry.second->queue().idle(); });
}

std::vector<Undelivered> Shard::undelivered() const {
    std::vector<Undelivered> rows;
    for (const auto& [id, subscriber] : subscribers_) {
        if (!subscriber->queue().idle()) {
            rows.push_back(
                {subscriber->topic(), subscriber->identity(), subscriber->queue().pending()});
        }
    }
    return rows;
}

void Shard::close_links(std::function<void()> on_closed) {
    for (const auto& link : std::vector(links_)) {
        link->close();
    }
    poll(
        [this] {
            return std::all_of(links_.begin(), links_.end(),
                               [](const auto& link) { return link->closed(); });
        },
        std::move(on_closed));
}

void Shard::close_ingress(TimePoint deadline, std::function<void()> on_closed) {
    ingress_.close(deadline);
    poll([this] { return ingress_.closed() && all_handed_over(); }, std::move(on_closed));
}

void Shard::poll(std::function<bool()> condition, std::function<void()> then) {
    if (condition()) {
        then();
        return;
    }
    auto timer = std::make_shared<boost::asio::steady_timer>(io_, kPoll);
    timer->async_wait([this, timer, condition = std::move(condition),
                       then = std::move(then)](const boost::system::error_code& error) mutable {
        if (!error) {
            poll(std::move(condition), std::move(then));
        }
    });
}

}  // namespace squall::pool
