#include <gtest/gtest.h>

#include <boost/system/system_error.hpp>
#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "integration/ingress_fixture.hpp"

// What the end of the intake means for publishers.

namespace squall::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class IngressStopTest : public IngressTest {
protected:
    void expect_numbers(const FakeSubscriber& fake, int first, int last) {
        const std::vector<int> expected = numbers_from_to(first, last);
        EXPECT_TRUE(eventually([&] { return fake.received_count() >= expected.size(); }));
        EXPECT_EQ(fake.numbers(), expected);
    }

    static bool over(const std::future<void>& future, milliseconds most = kPatience) {
        return future.wait_for(most) == std::future_status::ready;
    }
};

TEST_F(IngressStopTest, SaysGoodbyeAndWaitsUntilPublishersHaveGone) {
    options.shards = 2;
    serve();
    FakePublisher one(address());
    FakePublisher two(address());
    std::future<void> stop = stop_intake_in_background();
    EXPECT_TRUE(one.read_goodbye());
    EXPECT_TRUE(two.read_goodbye());
    one.close();
    EXPECT_FALSE(over(stop, milliseconds{20}));
    two.close();
    EXPECT_TRUE(over(stop));
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressStopTest, IsOverAtOnceWithoutPublishers) {
    options.shards = 2;
    serve();
    EXPECT_TRUE(over(stop_intake_in_background()));
}

TEST_F(IngressStopTest, ExecutesAndAnswersWhatWasWrittenBefore) {
    FakeSubscriber fake;
    options.shards = 2;
    serve();
    ASSERT_EQ(shard_of(subscribe(fake.proxy("s -o"))), 0U);
    FakePublisher idle(address());
    EXPECT_EQ(idle.ask(request(1, numbered_to_quiet(1))).id, 1);
    FakePublisher publisher(address());
    EXPECT_EQ(publisher.ask(request(1, numbered_to_quiet(1))).id, 1);
    HeldShard held(*this);
    ASSERT_EQ(held.shard(), 1U);  // the publisher's
    ASSERT_TRUE(publisher.send(joined({oneways(1, 500), request(7, numbered(501)),
                                       numbered_batch(502, 2000), request(8, numbered(2001))})));
    ASSERT_TRUE(eventually([&] { return publisher.unsent_bytes() == 0; }));
    std::future<void> stop = stop_intake_in_background();
    // The other shard has got the order, so the one that is held finds it before it reads.
    EXPECT_TRUE(idle.read_goodbye());
    idle.close();
    held.release();
    EXPECT_EQ(publisher.read_reply().id, 7);
    EXPECT_EQ(publisher.read_reply().id, 8);
    EXPECT_TRUE(publisher.read_goodbye());
    publisher.close();
    EXPECT_TRUE(over(stop));
    expect_numbers(fake, 1, 2001);
}

TEST_F(IngressStopTest, RequestsAfterTheGoodbyeAreNotExecuted) {
    // Behaviour reference 12.6: the publisher's Ice run time sends them again elsewhere.
    FakeSubscriber fake;
    serve();
    subscribe(fake.proxy("s -o"));
    FakePublisher publisher(address());
    EXPECT_EQ(publisher.ask(request(1, numbered(1))).id, 1);
    std::future<void> stop = stop_intake_in_background();
    EXPECT_TRUE(publisher.read_goodbye());
    publisher.send(joined({oneways(2, 10), request(2, numbered(11))}));
    publisher.close();
    EXPECT_TRUE(over(stop));
    publish(12);
    EXPECT_TRUE(eventually([&] { return fake.received_count() >= 2; }));
    EXPECT_EQ(fake.numbers(), (std::vector{1, 12}));
}

TEST_F(IngressStopTest, MessageInPiecesAtTheEndIsDropped) {
    FakeSubscriber fake;
    serve();
    subscribe(fake.proxy("s -o"));
    FakePublisher publisher(address());
    const wire::Buffer half = request(2, numbered(2, 50'000));
    wire::Buffer bytes = request(1, numbered(1));
    wire::put_bytes(bytes, wire::ByteView(half).first(20'000));
    EXPECT_EQ(publisher.ask(bytes).id, 1);
    std::future<void> stop = stop_intake_in_background();
    EXPECT_TRUE(publisher.read_goodbye());
    publisher.close();
    EXPECT_TRUE(over(stop));
    expect_numbers(fake, 1, 1);
}

TEST_F(IngressStopTest, ListensNoMore) {
    serve();
    pool().stop_intake(steady_clock::now() + kPatience);
    EXPECT_THROW(FakePublisher(address(), {.await_validation = false}),
                 boost::system::system_error);
}

TEST_F(IngressStopTest, EndsAtItsDeadlineWhenAPublisherDoesNotClose) {
    serve();
    FakePublisher stays(address());
    std::future<void> stop = stop_intake_in_background(milliseconds{50});
    EXPECT_TRUE(over(stop, milliseconds{10'000}));
    EXPECT_TRUE(stays.read_goodbye());
}

TEST_F(IngressStopTest, PublisherThatDoesNotCloseIsCutOffBeforeALateDeadline) {
    serve();
    FakePublisher stays(address());
    const auto begin = steady_clock::now();
    std::future<void> stop = stop_intake_in_background();
    EXPECT_TRUE(stays.read_goodbye());
    EXPECT_TRUE(stays.read_to_end());
    EXPECT_TRUE(over(stop));
    EXPECT_LT(steady_clock::now() - begin, kPatience);
}

TEST_F(IngressStopTest, PublisherThatReadsNothingIsCutOffToo) {
    options.network.send_buffer = 4096;
    serve();
    FakePublisher stays(address(), {.receive_buffer_bytes = 4096});
    wire::Buffer requests;
    for (int number = 1; number <= 10'000; ++number) {
        wire::put_bytes(requests, request(number, numbered_to_quiet(number)));
    }
    // Blocks when nobody reads the replies, and ends with the connection.
    std::future<void> sending = std::async(std::launch::async, [&] { stays.send(requests); });
    EXPECT_TRUE(over(stop_intake_in_background()));
    EXPECT_TRUE(over(sending));
}

TEST_F(IngressStopTest, StopOfThePoolWithoutOneOfTheIntakeIsClean) {
    // Each acceptor waits with a socket that is meant for another shard.
    options.shards = 3;
    serve({"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"});
    FakePublisher one(address(0));
    FakePublisher two(address(3));
    EXPECT_EQ(one.ask(request(1, numbered(1))).id, 1);
    EXPECT_EQ(two.ask(request(1, numbered(1))).id, 1);
    const wire::Buffer half = request(2, numbered(2, 50'000));
    ASSERT_TRUE(one.send(wire::ByteView(half).first(20'000)));
    one.close();
    two.close();
}

}  // namespace
}  // namespace squall::test
