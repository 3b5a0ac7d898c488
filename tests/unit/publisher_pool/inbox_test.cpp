#include "publisher_pool/inbox.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "event_store/ledger.hpp"

namespace squall::pool {
namespace {

constexpr std::uint64_t kCapacity = Inbox::kCapacity;

/// A delivery that is told apart by its route.
bool push(Inbox& inbox, std::uint64_t route, event::EventPtr event = {}) {
    Delivery delivery{route, std::move(event)};
    return inbox.try_push(delivery);
}

std::optional<std::uint64_t> pop(Inbox& inbox) {
    Delivery delivery;
    return inbox.try_pop(delivery) ? std::optional(delivery.route) : std::nullopt;
}

event::EventPtr event_in(event::Ledger& ledger) {
    return event::Event::make(ledger, "event", 0, {}, {});
}

TEST(InboxTest, StartsEmpty) {
    Inbox inbox;
    EXPECT_TRUE(inbox.empty());
    EXPECT_EQ(pop(inbox), std::nullopt);
}

TEST(InboxTest, GivesDeliveriesInTheOrderOfArrival) {
    Inbox inbox;
    for (std::uint64_t i = 0; i < 10; ++i) {
        ASSERT_TRUE(push(inbox, i));
    }
    EXPECT_FALSE(inbox.empty());
    for (std::uint64_t i = 0; i < 10; ++i) {
        EXPECT_EQ(pop(inbox), i);
    }
    EXPECT_TRUE(inbox.empty());
}

TEST(InboxTest, RefusesWhenFullAndLeavesTheDeliveryAlone) {
    Inbox inbox;
    for (std::uint64_t i = 0; i < kCapacity; ++i) {
        ASSERT_TRUE(push(inbox, i));
    }
    event::Ledger ledger;
    Delivery one_more{kCapacity, event_in(ledger)};
    EXPECT_FALSE(inbox.try_push(one_more));
    EXPECT_TRUE(one_more.event);

    EXPECT_EQ(pop(inbox), 0U);
    EXPECT_TRUE(inbox.try_push(one_more));
    EXPECT_FALSE(one_more.event);
}

TEST(InboxTest, GoesAroundItsSlotsManyTimes) {
    Inbox inbox;
    std::uint64_t pushed = 0;
    std::uint64_t popped = 0;
    while (pushed < 5 * kCapacity) {
        for (int i = 0; i < 1000; ++i) {
            ASSERT_TRUE(push(inbox, pushed++));
        }
        for (int i = 0; i < 1000; ++i) {
            ASSERT_EQ(pop(inbox), popped++);
        }
        ASSERT_TRUE(inbox.empty());
    }
}

TEST(InboxTest, KeepsNoEventThatWasPopped) {
    event::Ledger ledger;
    Inbox inbox;
    ASSERT_TRUE(push(inbox, 1, event_in(ledger)));
    EXPECT_EQ(ledger.events(), 1U);
    pop(inbox);
    EXPECT_EQ(ledger.events(), 0U);
}

TEST(InboxTest, FreesWhatIsLeftAtItsEnd) {
    event::Ledger ledger;
    {
        Inbox inbox;
        push(inbox, 1, event_in(ledger));
        push(inbox, 2, event_in(ledger));
    }
    EXPECT_EQ(ledger.events(), 0U);
}

TEST(InboxTest, KeepsEachProducersOrderAndLosesNothing) {
    constexpr std::uint64_t kProducers = 4;
    constexpr std::uint64_t kEach = 5 * kCapacity;
    constexpr std::uint64_t kStride = 1'000'000;
    Inbox inbox;
    std::vector<std::thread> producers;
    for (std::uint64_t producer = 0; producer < kProducers; ++producer) {
        producers.emplace_back([&inbox, producer] {
            for (std::uint64_t i = 0; i < kEach; ++i) {
                while (!push(inbox, producer * kStride + i)) {
                    std::this_thread::yield();
                }
            }
        });
    }
    std::map<std::uint64_t, std::uint64_t> next;
    for (std::uint64_t popped = 0; popped < kProducers * kEach;) {
        const auto route = pop(inbox);
        if (!route) {
            std::this_thread::yield();
            continue;
        }
        ++popped;
        // Not ASSERT: the producers must be joined.
        EXPECT_EQ(*route % kStride, next[*route / kStride]++);
    }
    for (std::thread& producer : producers) {
        producer.join();
    }
    EXPECT_TRUE(inbox.empty());
}

}  // namespace
}  // namespace squall::pool
