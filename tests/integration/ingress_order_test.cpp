#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "integration/ingress_fixture.hpp"

// Issue 3: the events of each publisher connection reach every subscriber in the order they were
// sent, at every pool size.

namespace squall::test {
namespace {

constexpr int kPublishers = 8;
constexpr int kRounds = 100;
/// Of each publisher: in each round one alone, three in a batch and one twoway.
constexpr int kEvents = kRounds * 5;
constexpr std::size_t kFakes = 16;

/// What makes a subscription of each mode, and the QoS it needs.
struct Mode {
    const char* flags;
    std::map<std::string, std::string> qos;
};

const std::array<Mode, 4>& modes() {
    static const std::array<Mode, 4> all{Mode{" -o", {}}, Mode{"", {}},
                                         Mode{"", {{"reliability", "ordered"}}}, Mode{" -O", {}}};
    return all;
}

/// Tells the publisher and its events apart.
int number_of(int publisher, int event) {
    return publisher * 1'000'000 + event;
}

class IngressOrderTest : public IngressTest, public ::testing::WithParamInterface<unsigned> {
protected:
    /// Sixteen processes with two subscribers each, which share its connection; each mode has
    /// eight of the 32.
    void subscribe_all() {
        for (std::size_t i = 0; i < kFakes; ++i) {
            fakes_.push_back(std::make_unique<FakeSubscriber>());
            for (const std::size_t mode : {i % 4, (i + 1 + i / 4 % 3) % 4}) {
                const Mode& how = modes().at(mode);
                const std::string identity = "subscriber" + std::to_string(mode);
                subscribe(identity + how.flags + ':' + fakes_.back()->endpoint(), how.qos);
            }
        }
    }

    void publish_from(int publisher) {
        FakePublisher client(address());
        int event = 0;
        for (int round = 0; round < kRounds; ++round) {
            const int first = number_of(publisher, event + 1);
            EXPECT_TRUE(client.send(oneways(first, first)));
            EXPECT_TRUE(client.send(numbered_batch(first + 1, first + 3)));
            EXPECT_EQ(client.ask(request(round + 1, numbered(first + 4))).id, round + 1);
            event += 5;
        }
    }

    const std::vector<std::unique_ptr<FakeSubscriber>>& fakes() const { return fakes_; }

    /// The subscribers' identities at a fake.
    static std::map<std::string, std::vector<int>> numbers_by_identity(const FakeSubscriber& fake) {
        std::map<std::string, std::vector<int>> numbers;
        for (const Received& request : fake.received()) {
            numbers[request.identity].push_back(request.number());
        }
        return numbers;
    }

    /// Complete, and in order for each publisher.
    static void expect_all_in_order(const std::vector<int>& numbers) {
        std::map<int, int> last;
        for (const int number : numbers) {
            const int publisher = number / 1'000'000;
            ASSERT_EQ(number, number_of(publisher, ++last[publisher]));
        }
        ASSERT_EQ(last.size(), std::size_t{kPublishers});
        for (const auto& [publisher, event] : last) {
            EXPECT_EQ(event, kEvents) << publisher;
        }
    }

private:
    std::vector<std::unique_ptr<FakeSubscriber>> fakes_;
};

INSTANTIATE_TEST_SUITE_P(Shards, IngressOrderTest, ::testing::Values(1U, 4U),
                         ::testing::PrintToStringParamName());

TEST_P(IngressOrderTest, EverySubscriberSeesEveryPublishersEventsInOrder) {
    options.shards = GetParam();
    options.queue.flush_timeout = std::chrono::milliseconds{10};
    serve();
    subscribe_all();
    std::vector<std::thread> publishers;
    for (int publisher = 1; publisher <= kPublishers; ++publisher) {
        publishers.emplace_back([this, publisher] { publish_from(publisher); });
    }
    for (std::thread& publisher : publishers) {
        publisher.join();
    }
    constexpr std::size_t kAtEachFake = 2 * kPublishers * kEvents;
    for (const auto& fake : fakes()) {
        ASSERT_TRUE(
            eventually(4 * kPatience, [&] { return fake->received_count() >= kAtEachFake; }))
            << fake->received_count() << " of " << kAtEachFake;
        const auto by_identity = numbers_by_identity(*fake);
        EXPECT_EQ(by_identity.size(), 2U);
        for (const auto& [identity, numbers] : by_identity) {
            SCOPED_TRACE(identity);
            expect_all_in_order(numbers);
        }
    }
    EXPECT_EQ(removals().count(), 0U);
}

}  // namespace
}  // namespace squall::test
