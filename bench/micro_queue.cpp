// What the subscriber queue itself costs for one event and one subscriber, with nothing sent:
// push, take and the report of the outcome, for queues that share their events.
//
// Arguments: how many queues, and how many events each holds before it is emptied. One item is one
// event delivered to one queue.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "event_store/event.hpp"
#include "event_store/ledger.hpp"
#include "subscriber_queue/subscriber_queue.hpp"

namespace squall::queue {
namespace {

constexpr std::size_t kPayloadBytes = 100;

/// One shard's queues for one topic, and a moment at which everything happens.
class Subscribers {
public:
    Subscribers(DeliveryMode mode, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            queues_.emplace_back(mode, 0, options_);
        }
    }

    void push(const event::EventPtr& event) {
        for (SubscriberQueue& queue : queues_) {
            benchmark::DoNotOptimize(queue.push(event, now_));
        }
    }

    /// As a link does after one write: all that was taken is reported at once.
    void take_and_send() {
        for (SubscriberQueue& queue : queues_) {
            std::size_t taken = 0;
            while (const std::optional<Issued> issued = queue.take(now_)) {
                benchmark::DoNotOptimize(issued->event);
                ++taken;
            }
            queue.sent(taken);
        }
    }

    /// As a link does with replies: one by one, window after window.
    void take_and_reply() {
        for (SubscriberQueue& queue : queues_) {
            while (const std::optional<Issued> issued = queue.take(now_)) {
                tickets_.push_back(issued->ticket);
                if (!queue.has_work(now_)) {
                    reply(queue);
                }
            }
        }
    }

private:
    void reply(SubscriberQueue& queue) {
        queue.written(tickets_.size());
        for (const std::uint32_t ticket : tickets_) {
            queue.completed(ticket, Reply::kSuccess, now_);
        }
        tickets_.clear();
    }

    QueueOptions options_{.flush_timeout = std::chrono::milliseconds{0}};
    std::deque<SubscriberQueue> queues_;
    std::vector<std::uint32_t> tickets_;
    TimePoint now_{std::chrono::hours{1}};
};

event::EventPtr make_event(event::Ledger& ledger) {
    std::vector<std::uint8_t> encapsulation(6 + kPayloadBytes);
    encapsulation[0] = static_cast<std::uint8_t>(encapsulation.size());
    encapsulation[4] = encapsulation[5] = 1;
    return event::Event::make(ledger, "event", 0, {}, encapsulation);
}

void run(benchmark::State& state, DeliveryMode mode, void (Subscribers::*empty)()) {
    const auto queues = static_cast<std::size_t>(state.range(0));
    const std::int64_t burst = state.range(1);
    event::Ledger ledger;
    const event::EventPtr original = make_event(ledger);
    Subscribers subscribers(mode, queues);
    for (auto _ : state) {
        for (std::int64_t i = 0; i < burst; ++i) {
            // Each event is an allocation of its own, as if it had just arrived.
            subscribers.push(event::Event::copy(ledger, original->tail(), original->mode()));
        }
        (subscribers.*empty)();
    }
    state.SetItemsProcessed(state.iterations() * burst * state.range(0));
}

void oneway(benchmark::State& state) {
    run(state, DeliveryMode::kOneway, &Subscribers::take_and_send);
}

void batch(benchmark::State& state) {
    run(state, DeliveryMode::kBatch, &Subscribers::take_and_send);
}

void twoway(benchmark::State& state) {
    run(state, DeliveryMode::kTwoway, &Subscribers::take_and_reply);
}

void ordered(benchmark::State& state) {
    run(state, DeliveryMode::kOrdered, &Subscribers::take_and_reply);
}

void with_queues_and_bursts(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"queues", "burst"})->ArgsProduct({{1, 10, 100}, {1, 64}});
}

BENCHMARK(oneway)->Apply(with_queues_and_bursts);
BENCHMARK(batch)->Apply(with_queues_and_bursts);
BENCHMARK(twoway)->Apply(with_queues_and_bursts);
BENCHMARK(ordered)->Apply(with_queues_and_bursts);

}  // namespace
}  // namespace squall::queue
