#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "publisher_pool/inbox.hpp"
#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTooMuchForBuffers = 16 * 1024 * 1024;

/// Things that end while others still point to them. What these tests assert is mostly that
/// nothing breaks; the sanitizers see more.
class PoolUpheavalTest : public PoolTest {
protected:
    /// Holds the one shard's thread until release(), so that what happens meanwhile meets it in a
    /// known order: the tasks posted first, then what sockets and timers have to say.
    class HeldShard {
    public:
        explicit HeldShard(PoolUpheavalTest& test) {
            test.removals().intercept([this] {
                held_.set_value();
                released_.get_future().wait();
            });
            const auto route = test.pool().open_route();
            test.subscribe_to(route, ended_.proxy("ended"));
            route->publish(test.event(0));
            held_.get_future().wait();
        }

        void release() { released_.set_value(); }

    private:
        FakeSubscriber ended_{scripts::answer(wire::ReplyStatus::kObjectNotExist)};
        std::promise<void> held_;
        std::promise<void> released_;
    };

    /// Control calls wait for the shard, so while it is held they need a thread of their own.
    std::future<void> unsubscribe_in_background(pool::SubscriptionId id) {
        return std::async(std::launch::async, [this, id] { pool().unsubscribe(id); });
    }

    /// The shard has done all that it had to do.
    void settle() { pool().unsubscribe(0); }

    static std::size_t unread(FakeSubscriber& fake) {
        std::size_t bytes = 0;
        fake.for_each_connection([&](FakeConnection& c) { bytes += c.unread_bytes(); });
        return bytes;
    }
};

TEST_F(PoolUpheavalTest, APeerThatIgnoresOurGoodbyeIsCutOff) {
    FakeSubscriber fake(FakeOptions{.welcome = [](FakeConnection& connection) {
        connection.validate();
        connection.ignore_goodbye();
        connection.start_reading();
    }});
    options.send_timeout = milliseconds{100};
    start();
    const auto id = subscribe(fake.proxy("s -o"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    pool().unsubscribe(id);
    EXPECT_TRUE(eventually([&] { return fake.goodbyes() == 1; }));
    EXPECT_TRUE(eventually([&] { return fake.open_connections() == 0; }));
    settle();
}

TEST_F(PoolUpheavalTest, AGoodbyeMayMeetAConnectionThatIsDeadAlready) {
    FakeSubscriber fake;
    start();
    for (std::size_t round = 1; round <= 10; ++round) {
        const auto id = subscribe(fake.proxy("s -o"));
        publish(static_cast<int>(round));
        ASSERT_TRUE(eventually([&] { return fake.received_count() == round; }));
        HeldShard held(*this);
        auto unsubscribed = unsubscribe_in_background(id);
        fake.cut_all();
        held.release();
        unsubscribed.get();
        settle();
    }
}

TEST_F(PoolUpheavalTest, AWriteMayFindTheConnectionDead) {
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("oneway -o"));
    subscribe(fake.proxy("twoway"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    HeldShard held(*this);
    publish(2);
    fake.cut_all();
    held.release();
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 4; }));
    EXPECT_EQ(fake.numbers("oneway"), numbers_from_to(1, 2));
    EXPECT_EQ(fake.numbers("twoway"), numbers_from_to(1, 2));
    EXPECT_EQ(fake.connections(), 2U);
    EXPECT_EQ(removals().count(), 1U);  // only the one that held the shard
}

TEST_F(PoolUpheavalTest, AFlushMayFallDueWhenTheSubscriptionEnds) {
    FakeSubscriber fake;
    options.queue.flush_timeout = milliseconds{30};
    start();
    const auto id = subscribe(fake.proxy("s -O"));
    publish(1);
    const auto published = std::chrono::steady_clock::now();
    HeldShard held(*this);
    auto unsubscribed = unsubscribe_in_background(id);
    ASSERT_TRUE(eventually([&] {
        return std::chrono::steady_clock::now() > published + 3 * options.queue.flush_timeout;
    }));
    held.release();
    unsubscribed.get();
    settle();
}

TEST_F(PoolUpheavalTest, ASubscriberMayEndWhileItsFramesAreBeingWritten) {
    // The reply to the first request ends the subscriber, whose large one is half written.
    FakeSubscriber fake(scripts::never_answer());
    start();
    const auto id = subscribe(fake.proxy("s"));
    subscribe(fake.proxy("neighbour -o"), {{"retryCount", "-1"}});
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
    fake.for_each_connection([](FakeConnection& connection) { connection.stop_reading(); });
    publish(2);
    publish(3, {0, kTooMuchForBuffers, {}});
    publish_all(4, 10);
    ASSERT_TRUE(eventually([&] { return unread(fake) > 1000; }));
    for (const Received& request : fake.received()) {
        if (request.id != 0) {
            fake.for_each_connection([&](FakeConnection& connection) {
                connection.reply(request.id, wire::ReplyStatus::kObjectNotExist);
            });
        }
    }
    ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
    EXPECT_EQ(removals().rows()[0].first, id);
    fake.for_each_connection([](FakeConnection& connection) { connection.start_reading(); });
    ASSERT_TRUE(eventually([&] { return fake.numbers("neighbour").size() == 10; }));
    EXPECT_EQ(fake.connections(), 1U);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolUpheavalTest, AReplyMayComeBeforeItsRequestIsWritten) {
    FakeSubscriber fake(FakeOptions{.welcome = welcomes::validate_only()});
    start();
    subscribe(fake.proxy("s"));
    publish(1, {0, kTooMuchForBuffers, {}});
    publish_all(2, 20);
    ASSERT_TRUE(eventually([&] { return unread(fake) > 1000; }));
    fake.for_each_connection([](FakeConnection& connection) {
        for (std::int32_t id = 1; id <= 20; ++id) {
            connection.reply(id);
        }
        connection.start_reading();
    });
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 20; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 20));
    EXPECT_EQ(fake.received()[0].encapsulation, numbered_encapsulation(1, kTooMuchForBuffers));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolUpheavalTest, ASubscriberMayBeGivenUpWhileItsFramesAreBeingWritten) {
    FakeSubscriber fake(FakeOptions{.welcome = welcomes::validate_only()});
    options.send_timeout = milliseconds{200};
    start();
    const auto id = subscribe(fake.proxy("s -o"));
    publish(1, {0, kTooMuchForBuffers, {}});
    ASSERT_TRUE(eventually([&] { return unread(fake) > 1000; }));
    pool().unsubscribe(id);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolUpheavalTest, ALinkMayCloseWhileItConnects) {
    FakeSubscriber fake(FakeOptions{.welcome = welcomes::stay_silent()});
    options.queue.flush_timeout = milliseconds{0};
    start();
    for (int round = 1; round <= 20; ++round) {
        const auto id = subscribe(fake.proxy("s -O"));
        publish(round);
        pool().unsubscribe(id);
    }
    const auto id = subscribe(fake.proxy("s"));
    publish(21);
    pool().unsubscribe(id);
    subscribe(fake.proxy("again"));
    publish(22);
    EXPECT_TRUE(eventually([&] {
        fake.for_each_connection([](FakeConnection& connection) { connection.validate(); });
        return fake.received_count() == 2;
    }));
    EXPECT_EQ(fake.numbers(), (std::vector<int>{21, 22}));
}

TEST_F(PoolUpheavalTest, AShardMayStopInTheMiddleOfEverything) {
    for (int round = 0; round < 6; ++round) {
        FakeSubscriber silent(FakeOptions{.welcome = welcomes::stay_silent()});
        FakeSubscriber frozen(FakeOptions{.welcome = welcomes::validate_only()});
        FakeSubscriber mute(scripts::never_answer());
        FakeSubscriber closing(scripts::say_goodbye_after(3));
        FakeSubscriber good;
        pool::PublisherPool other(options, [](pool::SubscriptionId, queue::RemovalReason) {});
        other.start();
        const auto route = other.open_route();
        const auto add = [&](const std::string& proxy, queue::DeliveryMode mode) {
            pool::SubscriberSpec spec{"topic", parse(proxy), {}};
            spec.qos.mode = mode;
            other.subscribe(spec, route, other.open_route());
        };
        add(silent.proxy("silent -o"), queue::DeliveryMode::kOneway);
        add(frozen.proxy("frozen -o"), queue::DeliveryMode::kOneway);
        add(mute.proxy("mute"), queue::DeliveryMode::kTwoway);
        add(closing.proxy("closing"), queue::DeliveryMode::kTwoway);
        add(good.proxy("batch -O"), queue::DeliveryMode::kBatch);
        add("lost:tcp -h no-such-host.invalid -p 1", queue::DeliveryMode::kTwoway);
        for (int number = 1; number <= 20; ++number) {
            route->publish(event(number, {0, 500'000, {}}));
        }
        if (round % 2 == 0) {
            ASSERT_TRUE(eventually([&] { return mute.received_count() > 0; }));
        }
        other.stop();
        other.stop();
    }
    EXPECT_EQ(ledger().events(), 0U);
}

TEST_F(PoolUpheavalTest, ControlCallsMayComeFromManyThreads) {
    FakeSubscriber one;
    FakeSubscriber two;
    options.shards = 3;
    start();
    subscribe(one.proxy("steady -o"));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&, thread] {
            for (int round = 0; round < 100; ++round) {
                const FakeSubscriber& fake = round % 2 == 0 ? one : two;
                const std::string name = std::to_string(thread) + '-' + std::to_string(round);
                const auto id = subscribe(fake.proxy(name + (round % 3 == 0 ? "" : " -o")));
                publish(thread * 1000 + round);
                pool().unsubscribe(id);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    ASSERT_TRUE(eventually([&] { return one.numbers("steady").size() == 300; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolUpheavalTest, ProducersWaitWhileAShardDoesNotTakeTheirEvents) {
    constexpr int kEach = 3000;
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("s -o"));
    HeldShard held(*this);
    std::vector<std::thread> producers;
    for (int producer = 0; producer < 3; ++producer) {
        producers.emplace_back(
            [this, first = producer * kEach] { publish_all(first, first + kEach - 1); });
    }
    EXPECT_TRUE(eventually([&] { return ledger().events() >= pool::Inbox::kCapacity; }));
    // Those in the inbox, one in each producer's hand, and the one that holds the shard.
    EXPECT_LE(ledger().events(), pool::Inbox::kCapacity + producers.size() + 1);
    held.release();
    for (std::thread& producer : producers) {
        producer.join();
    }
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 3 * kEach; }));
    std::vector<int> next{0, kEach, 2 * kEach};
    for (const int number : fake.numbers()) {
        ASSERT_EQ(number, next.at(static_cast<std::size_t>(number / kEach))++);
    }
}

TEST_F(PoolUpheavalTest, RandomEndsLeaveNothingBehind) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto chance = [&](unsigned one_in) { return random() % one_in == 0; };
    std::vector<std::unique_ptr<FakeSubscriber>> fakes;
    for (unsigned i = 0; i < 4; ++i) {
        fakes.push_back(std::make_unique<FakeSubscriber>(
            [random = std::mt19937(seed + i)](FakeConnection& connection,
                                              const Received& request) mutable {
                switch (random() % 100) {
                    case 0:
                        connection.cut();
                        break;
                    case 1:
                        connection.close_gracefully();
                        break;
                    case 2:
                        connection.reply(request.id, wire::ReplyStatus::kUnknown);
                        break;
                    case 3:
                        connection.reply(request.id, wire::ReplyStatus::kObjectNotExist);
                        break;
                    default:
                        connection.reply(request.id);
                        break;
                }
            }));
    }
    options.shards = 2;
    options.send_timeout = milliseconds{500};
    options.queue.flush_timeout = milliseconds{1};
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    std::vector<pool::SubscriptionId> ids;
    int name = 0;
    for (int number = 1; number <= 1500; ++number) {
        if (chance(10)) {
            const char* flags = std::vector{"", " -o", " -O"}[random() % 3];
            ids.push_back(subscribe(
                fakes[random() % fakes.size()]->proxy("s" + std::to_string(++name) + flags),
                {{"retryCount", chance(2) ? "-1" : "0"}}));
        }
        if (chance(15) && !ids.empty()) {
            pool().unsubscribe(ids[random() % ids.size()]);
        }
        if (chance(50)) {
            fakes[random() % fakes.size()]->cut_all();
        }
        publish(number, {static_cast<std::uint8_t>(random() % 3), random() % 20'000, {}});
    }
    pool().close_route(topic());
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    for (const auto& fake : fakes) {
        EXPECT_TRUE(eventually([&] { return fake->open_connections() == 0; }));
    }
}

}  // namespace
}  // namespace squall::test
