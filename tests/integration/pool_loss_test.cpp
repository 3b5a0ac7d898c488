#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using Rows = std::vector<Removals::Row>;

constexpr std::uint8_t kNormal = 0;
constexpr std::uint8_t kIdempotent = 2;

std::vector<int> numbers_on(const FakeSubscriber& fake, std::size_t connection) {
    std::vector<int> numbers;
    for (const Received& request : fake.received()) {
        if (request.connection == connection) {
            numbers.push_back(request.number());
        }
    }
    return numbers;
}

/// Script for the first connection only; later ones answer.
Script only_first(Script first) {
    return [first = std::move(first), later = scripts::answer()](FakeConnection& connection,
                                                                 const Received& request) {
        (connection.index() == 0 ? first : later)(connection, request);
    };
}

/// How a connection ends and what becomes of the requests on it (behaviour reference 12.6).
class PoolLossTest : public PoolTest {};

TEST_F(PoolLossTest, AGracefulCloseResendsAllThatHasNoReplyInOrder) {
    FakeSubscriber fake(
        only_first([seen = 0](FakeConnection& connection, const Received& request) mutable {
            if (request.number() == 2) {
                connection.reply(request.id);
            }
            if (++seen == 5) {
                connection.close_gracefully();
            }
        }));
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 20);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    std::vector<int> expected{1};
    for (int number = 3; number <= 20; ++number) {
        expected.push_back(number);
    }
    EXPECT_EQ(numbers_on(fake, 1), expected);
    EXPECT_EQ(fake.connections(), 2U);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, ACloseAfterEveryEventLosesNothing) {
    // Reported fault: a subscriber that closes after each dispatch must not be taken for a bad one.
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        connection.reply(request.id);
        connection.close_gracefully();
    });
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 50);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 50));
    EXPECT_EQ(fake.connections(), 50U);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, AGoodbyeWithoutAnyReplyIsNotAnsweredForEver) {
    FakeSubscriber fake(scripts::say_goodbye_after(0));
    start();
    const auto id = subscribe(fake.proxy("s"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_GE(fake.received_count(), 2U);
    EXPECT_LE(fake.received_count(), 3U);
}

TEST_F(PoolLossTest, AnAbruptLossOfNormalRequestsIsASoftFailure) {
    FakeSubscriber fake(scripts::cut_after(0));
    start();
    const auto id = subscribe(fake.proxy("s"));
    publish(1, {kNormal, 0, {}});
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
    EXPECT_EQ(fake.received_count(), 1U);
}

TEST_F(PoolLossTest, AnAbruptLossResendsIdempotentRequestsOnce) {
    FakeSubscriber fake(scripts::cut_after(0));
    start();
    subscribe(fake.proxy("s"));
    publish(1, {kIdempotent, 0, {}});
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(fake.numbers(), (std::vector<int>{1, 1}));
}

TEST_F(PoolLossTest, AnAbruptLossKeepsIdempotentRequestsInOrder) {
    FakeSubscriber fake(only_first([seen = 0](FakeConnection& connection, const Received&) mutable {
        if (++seen == 5) {
            connection.cut();
        }
    }));
    start();
    subscribe(fake.proxy("s"));
    publish_all(1, 20, {kIdempotent, 0, {}});
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(numbers_on(fake, 1), numbers_from_to(1, 20));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, ALossWithNothingInFlightIsNoFailure) {
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("s"));
    for (int number = 1; number <= 5; ++number) {
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
        fake.cut_all();
        // Another connection shows that the pool has seen the end of this one.
        FakeSubscriber other;
        const auto route = pool().open_route();
        subscribe_to(route, other.proxy("other"));
        route->publish(event(100 + number));
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, AReconnectNeverRepeatsWrittenOnewayEvents) {
    FakeSubscriber fake;
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    subscribe(fake.proxy("s -o"), {{"retryCount", "-1"}});
    int last = 0;
    for (std::size_t round = 1; round <= 10; ++round) {
        // The first events after a cut may be lost: the kernel took them before it knew.
        ASSERT_TRUE(eventually([&] {
            publish(++last);
            return fake.connections() >= round;
        }));
        const std::size_t before = fake.received_count();
        publish_all(last + 1, last + 10);
        last += 10;
        ASSERT_TRUE(eventually([&] { return fake.received_count() > before; }));
        fake.cut_all();
    }
    const std::vector<int> numbers = fake.numbers();
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
}

TEST_F(PoolLossTest, AnOrderedSubscriberSeesStrictlyRisingNumbersAcrossCuts) {
    // Reported fault B50.
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        if (request.number() % 7 == 3) {
            connection.cut();
            return;
        }
        connection.reply(request.id);
    });
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    subscribe(fake.proxy("s"), {{"retryCount", "-1"}, {"reliability", "ordered"}});
    for (int number = 1; number <= 300; ++number) {
        publish(number);
        if (number % 10 == 0) {
            ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
        }
    }
    const std::vector<int> numbers = fake.numbers();
    EXPECT_GE(numbers.size(), 30U);
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, WhatWasOnlyPartlyWrittenIsSentAgainWhole) {
    constexpr std::size_t kTooMuchForBuffers = 16 * 1024 * 1024;
    FakeOptions stubborn;
    stubborn.welcome = [](FakeConnection& connection) {
        connection.validate();
        if (connection.index() > 0) {
            connection.start_reading();
        }
    };
    FakeSubscriber fake(stubborn);
    start();
    subscribe(fake.proxy("s -o"));
    publish_all(1, 3);
    publish(4, {kNormal, kTooMuchForBuffers, {}});
    publish(5);
    ASSERT_TRUE(eventually([&] {
        std::size_t unread = 0;
        fake.for_each_connection([&](FakeConnection& c) { unread = c.unread_bytes(); });
        return unread > 1000;
    }));
    fake.cut_all();
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    // The small ones were written, so they are not repeated though they never were read.
    EXPECT_EQ(fake.numbers(), (std::vector<int>{4, 5}));
    EXPECT_EQ(fake.received()[0].encapsulation, numbered_encapsulation(4, kTooMuchForBuffers));
    EXPECT_EQ(removals().count(), 0U);
}

/// For modes that keep several events under way.
class PoolPartingTest : public PoolTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Modes, PoolPartingTest, ::testing::Values("", " -o", " -O"));

TEST_P(PoolPartingTest, AGoodbyeInTheMiddleOfAWriteSendsTheRestOnANewConnection) {
    constexpr std::size_t kTooMuchForBuffers = 16 * 1024 * 1024;
    FakeOptions parting;
    parting.welcome = [](FakeConnection& connection) {
        connection.validate();
        if (connection.index() > 0) {
            connection.start_reading();
        }
    };
    FakeSubscriber fake(parting);
    options.queue.flush_timeout = std::chrono::milliseconds{5};
    start();
    subscribe(fake.proxy(std::string("s") + GetParam()));
    publish(1, {kNormal, kTooMuchForBuffers, {}});
    publish_all(2, 9);
    ASSERT_TRUE(eventually([&] {
        std::size_t unread = 0;
        fake.for_each_connection([&](FakeConnection& c) { unread = c.unread_bytes(); });
        return unread > 1000;
    }));
    fake.for_each_connection([](FakeConnection& c) { c.close_gracefully(); });
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 9; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 9));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolLossTest, ALossHitsAllSubscribersOfTheConnectionEachByItsOwnRules) {
    FakeSubscriber fake([](FakeConnection& connection, const Received& request) {
        if (request.identity == "killer" && connection.index() == 0) {
            connection.cut();
        } else if (connection.index() > 0 && request.id != 0) {
            connection.reply(request.id);
        }
    });
    options.queue.discard_interval = std::chrono::hours{1};
    start();
    const auto gone = subscribe(fake.proxy("gone"));
    subscribe(fake.proxy("patient"), {{"retryCount", "1"}});
    subscribe(fake.proxy("oneway -o"));
    const auto killers = pool().open_route();
    subscribe_to(killers, fake.proxy("killer"), {{"retryCount", "-1"}});
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3; }));
    killers->publish(event(2));
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows(), (Rows{{gone, queue::RemovalReason::kRetriesExhausted}}));
    publish(3);
    ASSERT_TRUE(eventually([&] { return fake.numbers("oneway").size() == 2; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(fake.numbers("patient"), std::vector<int>{1});
}

}  // namespace
}  // namespace squall::test
