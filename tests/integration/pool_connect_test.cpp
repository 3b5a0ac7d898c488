#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"
#include "wire/header.hpp"

namespace squall::test {
namespace {

using std::chrono::milliseconds;
using Rows = std::vector<Removals::Row>;

/// How a connection comes about (behaviour reference 12.5) and is kept.
class PoolConnectTest : public PoolTest {
protected:
    /// One event makes the subscriber fail for good.
    void expect_soft_failure(const std::string& proxy) {
        const auto id = subscribe(proxy);
        publish(1);
        ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
        EXPECT_EQ(removals().rows(), (Rows{{id, queue::RemovalReason::kRetriesExhausted}}));
        EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
        EXPECT_TRUE(eventually([&] { return !topic()->has_subscribers(); }));
    }

    void expect_delivery(FakeSubscriber& fake, const std::string& proxy) {
        subscribe(proxy);
        publish_all(1, 10);
        ASSERT_TRUE(eventually([&] { return fake.received_count() == 10; }));
        EXPECT_EQ(fake.numbers(), numbers_from_to(1, 10));
        EXPECT_EQ(removals().count(), 0U);
    }
};

TEST_F(PoolConnectTest, SubscribingContactsNobody) {
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("s"));
    subscribe("unresolvable:tcp -h no-such-host.invalid -p 1");
    EXPECT_TRUE(pool().drain(std::chrono::steady_clock::now() + kPatience).empty());
    EXPECT_EQ(fake.connections(), 0U);
}

TEST_F(PoolConnectTest, ARefusedConnectionIsASoftFailure) {
    DeadPort dead;
    start();
    expect_soft_failure("s -o:" + dead.endpoint());
}

TEST_F(PoolConnectTest, AnUnresolvableNameIsASoftFailure) {
    options.send_timeout = milliseconds{2000};
    start();
    expect_soft_failure("s -o:tcp -h no-such-host.invalid -p 1");
}

TEST_F(PoolConnectTest, TheSecondEndpointIsUsedWhenTheFirstIsDead) {
    DeadPort dead;
    FakeSubscriber fake;
    start();
    expect_delivery(fake, "s -o:" + dead.endpoint() + ":" + fake.endpoint());
}

TEST_F(PoolConnectTest, TheSecondEndpointIsUsedWhenTheFirstCannotBeResolved) {
    FakeSubscriber fake;
    options.send_timeout = milliseconds{2000};
    start();
    expect_delivery(fake, "s:tcp -h no-such-host.invalid -p 1:" + fake.endpoint());
}

TEST_F(PoolConnectTest, TheSecondEndpointIsUsedWhenTheFirstDoesNotValidate) {
    FakeSubscriber silent(FakeOptions{.welcome = welcomes::stay_silent()});
    FakeSubscriber fake;
    options.send_timeout = milliseconds{200};
    start();
    expect_delivery(fake, "s:" + silent.endpoint() + ":" + fake.endpoint());
}

TEST_F(PoolConnectTest, NamesAreResolved) {
    FakeSubscriber fake;
    start();
    expect_delivery(fake, "s -o:tcp -h localhost -p " + std::to_string(fake.port()));
}

TEST_F(PoolConnectTest, Ipv6IsSpoken) {
    FakeSubscriber fake(FakeOptions{.address = "::1"});
    start();
    expect_delivery(fake, fake.proxy("s -o"));
}

TEST_F(PoolConnectTest, AnEndpointsOwnTimeoutChangesNothing) {
    FakeSubscriber fake;
    start();
    expect_delivery(fake, fake.proxy("s") + " -t 1");
}

TEST_F(PoolConnectTest, APeerThatNeverValidatesFailsAfterTwoTimeouts) {
    FakeSubscriber fake(FakeOptions{.welcome = welcomes::stay_silent()});
    options.send_timeout = milliseconds{100};
    start();
    const auto begun = std::chrono::steady_clock::now();
    expect_soft_failure(fake.proxy("s"));
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 2 * *options.send_timeout);
    EXPECT_EQ(fake.connections(), 2U);
    EXPECT_EQ(fake.received_count(), 0U);
}

TEST_F(PoolConnectTest, APeerThatNeverAcceptsFailsToo) {
    FakeSubscriber fake(FakeOptions{.open = false});
    options.send_timeout = milliseconds{100};
    start();
    expect_soft_failure(fake.proxy("s"));
}

TEST_F(PoolConnectTest, APeerThatGreetsWithSomethingElseFails) {
    wire::Buffer goodbye(wire::kCloseMessage.begin(), wire::kCloseMessage.end());
    const std::vector<wire::Buffer> greetings{
        wire::Buffer(14, 'x'), reply_message(1, 0), goodbye,
        wire::Buffer{'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '4', '0', '0', ' ', 'B', 'a'}};
    start();
    for (const wire::Buffer& greeting : greetings) {
        FakeSubscriber fake(FakeOptions{.welcome = welcomes::send_instead(greeting)});
        const std::size_t before = removals().count();
        subscribe(fake.proxy("s"));
        publish(1);
        ASSERT_TRUE(eventually([&] { return removals().count() == before + 1; }));
        EXPECT_EQ(fake.received_count(), 0U);
    }
}

TEST_F(PoolConnectTest, APeerThatClosesInTheMiddleOfItsGreetingFails) {
    FakeSubscriber fake(FakeOptions{.welcome = [](FakeConnection& connection) {
        connection.send(wire::ByteView(wire::kValidateMessage).first(7));
        connection.cut();
    }});
    start();
    expect_soft_failure(fake.proxy("s"));
}

TEST_F(PoolConnectTest, AGreetingMayArriveByteByByteWithMoreBehindIt) {
    FakeSubscriber fake(FakeOptions{.welcome = [](FakeConnection& connection) {
        connection.send_bytewise(wire::kValidateMessage);
        connection.send_bytewise(wire::kValidateMessage);  // already a heartbeat
        connection.start_reading();
    }});
    start();
    expect_delivery(fake, fake.proxy("s"));
    EXPECT_EQ(fake.connections(), 1U);
}

TEST_F(PoolConnectTest, NothingIsSentBeforeThePeerHasValidated) {
    FakeSubscriber fake(FakeOptions{.welcome = welcomes::stay_silent()});
    start();
    subscribe(fake.proxy("s -o"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.connections() == 1; }));
    pool().unsubscribe(0);  // the shard has come past
    EXPECT_EQ(fake.received_count(), 0U);
    fake.for_each_connection([](FakeConnection& connection) { connection.validate(); });
    EXPECT_TRUE(eventually([&] { return fake.received_count() == 1; }));
}

TEST_F(PoolConnectTest, ARestartedSubscriberGetsTheNextEventWhenThereIsNoOfflineWindow) {
    // Reported fault B31.
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    auto dead = std::make_unique<DeadPort>();
    FakeOptions reborn;
    reborn.port = dead->port();
    subscribe("s -o:" + dead->endpoint(), {{"retryCount", "-1"}});
    for (int number = 1; number <= 20; ++number) {
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    dead.reset();
    FakeSubscriber fake(reborn);
    publish(21);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    EXPECT_EQ(fake.numbers(), std::vector<int>{21});
}

TEST_F(PoolConnectTest, ASilentConnectionIsKeptAliveByHeartbeats) {
    FakeSubscriber fake;
    options.heartbeat_interval = milliseconds{20};
    options.send_timeout = milliseconds{1000};
    start();
    subscribe(fake.proxy("s -o"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return fake.heartbeats() >= 3; }));
    publish(2);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
    EXPECT_EQ(fake.connections(), 1U);
}

TEST_F(PoolConnectTest, HeartbeatsComeHalfAMinuteApart) {
    EXPECT_EQ(options.heartbeat_interval, std::chrono::seconds{30});
}

}  // namespace
}  // namespace squall::test
