#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "integration/ingress_fixture.hpp"

// Which shard a connection belongs to, and that it makes no difference.

namespace squall::test {
namespace {

using Publishers = std::vector<std::unique_ptr<FakePublisher>>;

bool machine_has_ipv6() {
    try {
        boost::asio::io_context io;
        boost::asio::ip::tcp::acceptor(io, {boost::asio::ip::address_v6::loopback(), 0});
        return true;
    } catch (const boost::system::system_error&) {
        return false;
    }
}

class IngressShardsTest : public IngressTest {
protected:
    void connect(Publishers& publishers, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            publishers.push_back(std::make_unique<FakePublisher>(address()));
            // Only now is it in its shard for sure.
            EXPECT_EQ(publishers.back()->ask(request(1, numbered_to_quiet(1))).id, 1);
        }
    }

    /// Those of the publishers whose requests wait for the held shard. All others are answered.
    std::vector<bool> in_held_shard(const Publishers& publishers) {
        HeldShard held(*this);
        for (const auto& publisher : publishers) {
            EXPECT_TRUE(publisher->send(request(2, numbered_to_quiet(2))));
        }
        const auto answered = [&] {
            return static_cast<std::size_t>(
                std::count_if(publishers.begin(), publishers.end(),
                              [](const auto& publisher) { return publisher->can_read(); }));
        };
        EXPECT_TRUE(eventually([&] { return answered() >= publishers.size() / 2; }));
        std::vector<bool> waiting;
        for (const auto& publisher : publishers) {
            waiting.push_back(!publisher->can_read());
        }
        held.release();
        for (const auto& publisher : publishers) {
            EXPECT_EQ(publisher->read_reply().id, 2);
        }
        return waiting;
    }

    static long count(const std::vector<bool>& flags) {
        return std::count(flags.begin(), flags.end(), true);
    }
};

TEST_F(IngressShardsTest, ConnectionsAreSpreadEvenly) {
    options.shards = 2;
    serve();
    Publishers publishers;
    connect(publishers, 12);
    EXPECT_EQ(count(in_held_shard(publishers)), 6);
}

TEST_F(IngressShardsTest, ShardThatPublishersHaveLeftIsFilledAgain) {
    options.shards = 2;
    serve();
    Publishers publishers;
    connect(publishers, 8);
    const std::vector<bool> waiting = in_held_shard(publishers);
    ASSERT_EQ(count(waiting), 4);
    Publishers others;
    for (std::size_t i = 0; i < publishers.size(); ++i) {
        if (waiting[i]) {
            // The answer to the goodbye shows that the broker has counted it off.
            ASSERT_TRUE(publishers[i]->send(wire::kCloseMessage));
            EXPECT_TRUE(publishers[i]->read_to_end());
        } else {
            others.push_back(std::move(publishers[i]));
        }
    }
    connect(others, 4);
    EXPECT_EQ(count(in_held_shard(others)), 4);
}

TEST_F(IngressShardsTest, EventsReachSubscribersOfEveryShardFromEveryShard) {
    constexpr int kEach = 300;
    options.shards = 3;
    serve();
    std::vector<std::unique_ptr<FakeSubscriber>> fakes;
    std::vector<unsigned> shards;
    for (int i = 0; i < 3; ++i) {
        fakes.push_back(std::make_unique<FakeSubscriber>());
        shards.push_back(shard_of(subscribe(fakes.back()->proxy("s -o"))));
    }
    EXPECT_EQ(shards, (std::vector{0U, 1U, 2U}));
    Publishers publishers;
    connect(publishers, 3);
    int number = 0;
    for (int i = 0; i < kEach; ++i) {
        // Each waits for its answer, so there is one order for all.
        for (const auto& publisher : publishers) {
            ++number;
            ASSERT_EQ(publisher->ask(request(number, numbered(number))).id, number);
        }
    }
    for (const auto& fake : fakes) {
        EXPECT_TRUE(eventually([&] { return fake->received_count() == 3 * kEach; }));
        EXPECT_EQ(fake->numbers(), numbers_from_to(1, 3 * kEach));
    }
}

TEST_F(IngressShardsTest, EventAfterSubscribeIsSeenAndAfterUnsubscribeIsNot) {
    options.shards = 2;
    serve();
    Publishers publishers;
    connect(publishers, 2);
    for (int round = 0; round < 20; ++round) {
        FakeSubscriber fake;
        const auto id = subscribe(fake.proxy("s -o"));
        for (const auto& publisher : publishers) {
            ASSERT_TRUE(publisher->send(oneways(round, round)));
        }
        ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
        pool().unsubscribe(id);
        for (const auto& publisher : publishers) {
            ASSERT_EQ(publisher->ask(request(1, numbered(1000))).id, 1);
        }
        EXPECT_EQ(fake.numbers(), (std::vector{round, round}));
    }
}

TEST_F(IngressShardsTest, ListensOnSeveralAddresses) {
    FakeSubscriber fake;
    options.shards = 2;
    serve({"127.0.0.1", "127.0.0.2"});
    subscribe(fake.proxy("s -o"));
    EXPECT_EQ(address(0).address().to_string(), "127.0.0.1");
    EXPECT_EQ(address(1).address().to_string(), "127.0.0.2");
    FakePublisher one(address(0));
    FakePublisher two(address(1));
    EXPECT_EQ(one.ask(request(1, numbered(1))).id, 1);
    EXPECT_EQ(two.ask(request(1, numbered(2))).id, 1);
    EXPECT_EQ(one.ask(request(2, numbered(3))).id, 2);
    EXPECT_TRUE(eventually([&] { return fake.received_count() == 3; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, 3));
}

TEST_F(IngressShardsTest, ServesIpv6) {
    if (!machine_has_ipv6()) {
        GTEST_SKIP() << "this machine has no IPv6 loopback";
    }
    FakeSubscriber fake(FakeOptions{.address = "::1"});
    serve({"::1"});
    subscribe(fake.proxy("s -o"));
    FakePublisher publisher(address());
    EXPECT_EQ(publisher.ask(request(1, numbered(1))).id, 1);
    EXPECT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    ASSERT_TRUE(publisher.send(wire::Buffer(14, 0x5a)));
    EXPECT_TRUE(publisher.read_to_end());
    ASSERT_TRUE(eventually([&] { return lost_lines().size() == 1; }));
    EXPECT_NE(lost_lines().front().find("peer=\"[::1]:"), std::string::npos);
}

TEST_F(IngressShardsTest, WildcardOfIpv6ServesBothFamilies) {
    if (!machine_has_ipv6()) {
        GTEST_SKIP() << "this machine has no IPv6 loopback";
    }
    serve({"::"});
    for (const char* host : {"::1", "127.0.0.1"}) {
        FakePublisher publisher({boost::asio::ip::make_address(host), address().port()});
        EXPECT_EQ(publisher.ask(request(1, numbered(1))).id, 1);
    }
}

TEST_F(IngressShardsTest, AddressInUseIsReported) {
    serve();
    FakePublisher publisher(address());
    pool::PublisherPool second(options, [](auto, auto) {});
    EXPECT_THROW(second.listen(address()), boost::system::system_error);
}

TEST_F(IngressShardsTest, PublishersMayConnectBeforeTheyAreServed) {
    boost::asio::ip::tcp::endpoint at;
    start([&](pool::PublisherPool& pool) {
        at = pool.listen({boost::asio::ip::address_v4::loopback(), 0});
    });
    FakePublisher publisher(at, {.await_validation = false});
    ASSERT_TRUE(publisher.send(request(1, numbered(1))));
    EXPECT_FALSE(publisher.can_read());
    pool().serve(
        pool::served_object("publish", "topic", pool::ServedObject::Kind::kPublisher, topic()));
    pool().accept();
    EXPECT_EQ(publisher.read_reply().status, wire::ReplyStatus::kOk);
}

}  // namespace
}  // namespace squall::test
