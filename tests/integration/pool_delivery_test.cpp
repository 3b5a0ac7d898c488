#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

class PoolDeliveryTest : public PoolTest {};

TEST_F(PoolDeliveryTest, PassesOperationModeContextAndParametersUntouched) {
    FakeSubscriber fake;
    start();
    for (const char* identity : {"oneway -o", "twoway", "batch -O"}) {
        subscribe(fake.proxy(std::string("cat/") + identity + " -f facet"));
    }
    const EventParts parts{2, 500, {{"b", "2"}, {"a", "1"}, {"cost", "7"}}};
    publish(42, parts);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3; }));
    for (const Received& request : fake.received()) {
        EXPECT_EQ(request.identity.substr(0, 4), "cat/");
        EXPECT_EQ(request.facet, "facet");
        EXPECT_EQ(request.operation, "event");
        EXPECT_EQ(request.mode, 2);
        EXPECT_EQ(request.context, parts.context);
        EXPECT_EQ(request.encapsulation, numbered_encapsulation(42, 500));
        EXPECT_EQ(request.id > 0, request.identity == "cat/twoway");
        EXPECT_EQ(request.batch, request.identity == "cat/batch");
    }
}

TEST_F(PoolDeliveryTest, SubscribersWithEqualEndpointsShareAConnection) {
    FakeSubscriber fake;
    options.shards = 4;
    start();
    for (int i = 0; i < 8; ++i) {
        subscribe(fake.proxy("s" + std::to_string(i) + (i % 2 == 0 ? " -o" : "")));
    }
    publish_all(1, 20);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 8 * 20; }));
    EXPECT_EQ(fake.connections(), 1U);
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(fake.numbers("s" + std::to_string(i)), numbers_from_to(1, 20));
    }
}

TEST_F(PoolDeliveryTest, SubscribersWithDifferentEndpointsDoNotShareAConnection) {
    FakeSubscriber fake;
    DeadPort dead;
    start();
    subscribe(fake.proxy("plain -o"));
    subscribe(fake.proxy("compressed -o") + " -z");
    subscribe(fake.proxy("two -o") + ":" + dead.endpoint());
    publish_all(1, 5);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3 * 5; }));
    EXPECT_EQ(fake.connections(), 3U);
}

TEST_F(PoolDeliveryTest, ADirectRouteReachesItsSubscriberAlone) {
    FakeSubscriber fake;
    start();
    const auto direct = pool().open_route();
    pool::SubscriberSpec spec{"topic", parse(fake.proxy("mine -o")), {}};
    spec.qos.mode = queue::DeliveryMode::kOneway;
    pool().subscribe(spec, topic(), direct);
    subscribe(fake.proxy("other -o"));
    publish(1);
    direct->publish(event(2));
    publish(3);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 5; }));
    EXPECT_EQ(fake.numbers("mine"), numbers_from_to(1, 3));
    EXPECT_EQ(fake.numbers("other"), (std::vector<int>{1, 3}));
}

TEST_F(PoolDeliveryTest, ARouteKnowsWhetherItHasSubscribers) {
    FakeSubscriber fake;
    options.shards = 4;
    start();
    EXPECT_FALSE(topic()->has_subscribers());
    const auto one = subscribe(fake.proxy("one -o"));
    const auto two = subscribe("two -o:" + DeadPort().endpoint());
    EXPECT_TRUE(topic()->has_subscribers());
    pool().unsubscribe(one);
    EXPECT_TRUE(topic()->has_subscribers());
    pool().unsubscribe(two);
    EXPECT_FALSE(topic()->has_subscribers());
}

TEST_F(PoolDeliveryTest, AnEventPublishedBeforeTheSubscriptionDoesNotArrive) {
    FakeSubscriber fake;
    options.shards = 4;
    start();
    subscribe(fake.proxy("early -o"));
    publish_all(1, 10);
    subscribe(fake.proxy("late -o"));
    publish_all(11, 20);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 20 + 10; }));
    EXPECT_EQ(fake.numbers("early"), numbers_from_to(1, 20));
    EXPECT_EQ(fake.numbers("late"), numbers_from_to(11, 20));
}

/// Several producers, several subscribers, over as many shards as the parameter says.
class PoolOrderTest : public PoolTest, public ::testing::WithParamInterface<unsigned> {
protected:
    static constexpr int kProducers = 3;
    static constexpr int kEach = 3000;
    static constexpr int kStride = 1'000'000;

    void produce() {
        std::vector<std::thread> producers;
        for (int producer = 0; producer < kProducers; ++producer) {
            producers.emplace_back(
                [this, first = producer * kStride] { publish_all(first, first + kEach - 1); });
        }
        for (std::thread& producer : producers) {
            producer.join();
        }
    }

    static void expect_complete_and_in_order(const std::vector<int>& numbers) {
        EXPECT_EQ(numbers.size(), static_cast<std::size_t>(kProducers * kEach));
        std::vector<int> next(kProducers);
        for (const int number : numbers) {
            int& expected = next.at(static_cast<std::size_t>(number / kStride));
            ASSERT_EQ(number % kStride, expected++);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Shards, PoolOrderTest, ::testing::Values(1U, 4U));

TEST_P(PoolOrderTest, EverySubscriberGetsEachProducersEventsCompletelyAndInOrder) {
    options.shards = GetParam();
    start();
    std::vector<std::unique_ptr<FakeSubscriber>> fakes;
    for (const char* identity : {"oneway1 -o", "oneway2 -o", "batch -O", "ordered"}) {
        fakes.push_back(std::make_unique<FakeSubscriber>());
        const bool ordered = std::string(identity) == "ordered";
        subscribe(fakes.back()->proxy(identity),
                  ordered ? std::map<std::string, std::string>{{"reliability", "ordered"}}
                          : std::map<std::string, std::string>{});
    }
    produce();
    for (const auto& fake : fakes) {
        EXPECT_TRUE(eventually([&] { return fake->received_count() == kProducers * kEach; }));
        expect_complete_and_in_order(fake->numbers());
        EXPECT_EQ(fake->connections(), 1U);
    }
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

}  // namespace
}  // namespace squall::test
