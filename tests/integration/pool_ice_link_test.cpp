#include <Ice/Ice.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "support/eventually.hpp"
#include "support/pool_fixture.hpp"
#include "wire/encapsulation.hpp"
#include "wire/reader.hpp"

namespace squall::test {
namespace {

using Rows = std::vector<Removals::Row>;

/// What a Recorder answers.
enum class Answer { kOk, kUserException, kLater };

/// An Ice servant for any operation that remembers the numbers of the events it gets.
class Recorder : public Ice::Blobject {
public:
    explicit Recorder(Answer answer = Answer::kOk) : answer_(answer) {}

    bool ice_invoke(std::vector<Ice::Byte> in, std::vector<Ice::Byte>& out,
                    const Ice::Current& current) override {
        wire::put_empty_encapsulation(out, wire::kEncoding11);
        wire::Reader reader(in);
        reader.skip(wire::kEncapsulationHeaderSize);
        {
            const std::lock_guard lock(mutex_);
            numbers_.push_back(reader.i32());
            last_in_ = std::move(in);
            last_context_ = current.ctx;
        }
        if (answer_ == Answer::kLater) {
            answered_.wait();
        }
        return answer_ != Answer::kUserException;
    }

    /// For Answer::kLater.
    void answer() { may_answer_.set_value(); }

    std::vector<int> numbers() const {
        const std::lock_guard lock(mutex_);
        return numbers_;
    }
    std::vector<Ice::Byte> last_in() const {
        const std::lock_guard lock(mutex_);
        return last_in_;
    }
    Ice::Context last_context() const {
        const std::lock_guard lock(mutex_);
        return last_context_;
    }

private:
    const Answer answer_;
    mutable std::mutex mutex_;
    std::vector<int> numbers_;
    std::vector<Ice::Byte> last_in_;
    Ice::Context last_context_;
    std::promise<void> may_answer_;
    const std::shared_future<void> answered_{may_answer_.get_future()};
};

/// A subscriber process on the Ice run time.
class IceSubscriber {
public:
    explicit IceSubscriber(const std::string& endpoints, Answer answer = Answer::kOk)
        : recorder_(std::make_shared<Recorder>(answer)), communicator_(Ice::initialize()) {
        adapter_ = communicator_->createObjectAdapterWithEndpoints("Subscriber", endpoints);
        adapter_->add(recorder_, Ice::stringToIdentity("s"));
        adapter_->activate();
    }
    ~IceSubscriber() { communicator_->destroy(); }
    IceSubscriber(const IceSubscriber&) = delete;
    IceSubscriber& operator=(const IceSubscriber&) = delete;

    Recorder& recorder() { return *recorder_; }
    std::size_t count() const { return recorder_->numbers().size(); }

    /// `identity` may carry flags.
    std::string proxy(const std::string& identity) const {
        std::string text = identity;
        for (const auto& endpoint : adapter_->getEndpoints()) {
            text += ':' + endpoint->toString();
        }
        return text;
    }

private:
    std::shared_ptr<Recorder> recorder_;
    Ice::CommunicatorPtr communicator_;
    std::shared_ptr<Ice::ObjectAdapter> adapter_;
};

constexpr const char* kUdp = "udp -h 127.0.0.1 -p 0";
constexpr const char* kWs = "ws -h 127.0.0.1 -p 0";
/// More than any datagram holds.
const EventParts kTooLargeForUdp{0, 70'000, {}};

class PoolIceLinkTest : public PoolTest {
protected:
    void expect_all_in_order(IceSubscriber& subscriber, int last) {
        ASSERT_TRUE(
            eventually([&] { return subscriber.count() >= static_cast<std::size_t>(last); }));
        EXPECT_EQ(subscriber.recorder().numbers(), numbers_from_to(1, last));
        EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
        EXPECT_EQ(removals().count(), 0U);
    }

    void expect_removal(pool::SubscriptionId id, queue::RemovalReason reason) {
        ASSERT_TRUE(eventually([&] { return removals().count() == 1; }));
        EXPECT_EQ(removals().rows(), (Rows{{id, reason}}));
        EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }

    /// Datagrams may get lost, so one that matters is sent until it arrives.
    void expect_datagram(IceSubscriber& subscriber, int number) {
        EXPECT_TRUE(eventually([&] {
            publish(number);
            const std::vector<int> numbers = subscriber.recorder().numbers();
            return !numbers.empty() && numbers.back() == number;
        }));
    }
};

TEST_F(PoolIceLinkTest, PassesContextAndParametersUntouched) {
    IceSubscriber subscriber(kWs);
    start();
    subscribe(subscriber.proxy("s"));
    const EventParts parts{0, 5000, {{"a", "1"}, {"b", "2"}}};
    publish(7, parts);
    ASSERT_TRUE(eventually([&] { return subscriber.count() == 1; }));
    EXPECT_EQ(subscriber.recorder().last_in(), numbered_encapsulation(7, 5000));
    EXPECT_EQ(subscriber.recorder().last_context(), parts.context);
}

TEST_F(PoolIceLinkTest, DeliversDatagrams) {
    IceSubscriber subscriber(kUdp);
    start();
    subscribe(subscriber.proxy("s -d"));
    expect_datagram(subscriber, 1);
    expect_datagram(subscriber, 2);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIceLinkTest, DeliversBatchDatagrams) {
    IceSubscriber subscriber(kUdp);
    options.queue.flush_timeout = std::chrono::milliseconds{5};
    start();
    subscribe(subscriber.proxy("s -D"));
    expect_datagram(subscriber, 1);
    expect_datagram(subscriber, 2);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIceLinkTest, ADatagramSubscriberSurvivesAnEventThatIsTooLarge) {
    IceSubscriber subscriber(kUdp);
    start();
    subscribe(subscriber.proxy("s -d"));
    publish(1, kTooLargeForUdp);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    expect_datagram(subscriber, 2);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIceLinkTest, ABatchDatagramSubscriberSurvivesAnEventThatIsTooLarge) {
    IceSubscriber subscriber(kUdp);
    options.queue.flush_timeout = std::chrono::milliseconds{5};
    start();
    subscribe(subscriber.proxy("s -D"));
    for (int round = 0; round < 3; ++round) {
        publish_all(1, 3);
        publish(4, kTooLargeForUdp);
        publish_all(5, 7);
        publish(8, kTooLargeForUdp);
        EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    expect_datagram(subscriber, 9);
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIceLinkTest, ADatagramSubscriberWithNobodyListeningNeverFails) {
    start();
    subscribe("s -d:udp -h 127.0.0.1 -p 9");
    publish_all(1, 100);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(removals().count(), 0U);
}

TEST_F(PoolIceLinkTest, DeliversTwowayOverWebsocket) {
    IceSubscriber subscriber(kWs);
    start();
    subscribe(subscriber.proxy("s"), {{"reliability", "ordered"}});
    publish_all(1, 200);
    expect_all_in_order(subscriber, 200);
}

TEST_F(PoolIceLinkTest, DeliversOnewayOverWebsocket) {
    IceSubscriber subscriber(kWs);
    start();
    subscribe(subscriber.proxy("s -o"));
    publish_all(1, 500);
    expect_all_in_order(subscriber, 500);
}

TEST_F(PoolIceLinkTest, DeliversBatchesOverWebsocket) {
    IceSubscriber subscriber(kWs);
    options.queue.flush_timeout = std::chrono::milliseconds{5};
    start();
    subscribe(subscriber.proxy("s -O"));
    publish_all(1, 500);
    expect_all_in_order(subscriber, 500);
}

TEST_F(PoolIceLinkTest, SpreadsEventsOverEndpointsWhenTheConnectionIsNotCached) {
    IceSubscriber subscriber("tcp -h 127.0.0.1 -p 0:tcp -h 127.0.0.1 -p 0");
    start();
    subscribe(subscriber.proxy("s"), {{"connectionCached", "0"}});
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return subscriber.count() == 100; }));
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_F(PoolIceLinkTest, TakesAUserExceptionForSuccess) {
    IceSubscriber subscriber(kWs, Answer::kUserException);
    start();
    subscribe(subscriber.proxy("s"), {{"reliability", "ordered"}});
    publish_all(1, 20);
    expect_all_in_order(subscriber, 20);
}

TEST_F(PoolIceLinkTest, RemovesWhenTheObjectDoesNotExist) {
    IceSubscriber subscriber(kWs);
    start();
    const auto id = subscribe(subscriber.proxy("nobody"), {{"retryCount", "-1"}});
    publish_all(1, 20);
    expect_removal(id, queue::RemovalReason::kObjectNotExist);
}

TEST_F(PoolIceLinkTest, AnIndirectProxyWithoutALocatorIsASoftFailure) {
    start();
    const auto id = subscribe("s @ adapter");
    publish_all(1, 20);
    expect_removal(id, queue::RemovalReason::kRetriesExhausted);
}

TEST_F(PoolIceLinkTest, AWellKnownProxyWithoutALocatorIsASoftFailure) {
    options.queue.discard_interval = std::chrono::seconds{0};
    start();
    const auto id = subscribe("s", {{"retryCount", "2"}});
    for (int number = 1; number <= 3; ++number) {
        EXPECT_EQ(removals().count(), 0U);
        publish(number);
        ASSERT_TRUE(eventually([&] { return ledger().events() == 0; }));
    }
    expect_removal(id, queue::RemovalReason::kRetriesExhausted);
}

TEST_F(PoolIceLinkTest, ARefusedBatchIsASoftFailure) {
    options.queue.flush_timeout = std::chrono::milliseconds{5};
    start();
    const auto id = subscribe("s -O:ws -h 127.0.0.1 -p 1");
    publish_all(1, 20);
    expect_removal(id, queue::RemovalReason::kRetriesExhausted);
}

TEST_F(PoolIceLinkTest, AfterUnsubscribeTheRestIsThrownAway) {
    IceSubscriber subscriber(kWs, Answer::kLater);
    start();
    const auto id = subscribe(subscriber.proxy("s"), {{"reliability", "ordered"}});
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return subscriber.count() == 1; }));
    pool().unsubscribe(id);
    EXPECT_EQ(ledger().events(), 1U);
    subscriber.recorder().answer();
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
    EXPECT_EQ(subscriber.recorder().numbers(), std::vector<int>{1});
}

TEST_F(PoolIceLinkTest, ADrainWaitsForReplies) {
    IceSubscriber subscriber(kWs, Answer::kLater);
    start();
    subscribe(subscriber.proxy("s"));
    publish(1);
    ASSERT_TRUE(eventually([&] { return subscriber.count() == 1; }));
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds{100};
    const auto rows = pool().drain(soon);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].identity, "s");
    EXPECT_EQ(rows[0].events, 1U);
    subscriber.recorder().answer();
}

TEST_F(PoolIceLinkTest, ThePoolMayStopWhileIceStillHasRequests) {
    IceSubscriber subscriber(kWs, Answer::kLater);
    options.send_timeout = std::chrono::milliseconds{300};  // bounds Ice's graceful close, too
    start();
    subscribe(subscriber.proxy("s"));
    subscribe("lost:tcp -h no-such-host.invalid -p 1:ws -h no-such-host.invalid -p 1");
    publish_all(1, 100);
    ASSERT_TRUE(eventually([&] { return subscriber.count() == 1; }));
    shut_down();
    EXPECT_EQ(ledger().events(), 0U);
    subscriber.recorder().answer();
}

}  // namespace
}  // namespace squall::test
