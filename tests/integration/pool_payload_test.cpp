#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "publisher_pool/outbound.hpp"
#include "support/eventually.hpp"
#include "support/fake_subscriber.hpp"
#include "support/pool_fixture.hpp"
#include "wire/compression.hpp"

namespace squall::test {
namespace {

constexpr std::size_t kMegabyte = 1024 * 1024;

/// Sizes around every threshold on the way out, small and large in turn.
const std::vector<std::size_t> kSizes{0,
                                      kMegabyte,
                                      10,
                                      pool::Outbound::kGatherBytes - 100,
                                      pool::Outbound::kGatherBytes,
                                      1,
                                      pool::Outbound::kFullBytes,
                                      300,
                                      pool::Outbound::kGatherBytes + 1,
                                      64 * 1024,
                                      200};

/// Every mode of delivery with every size of event.
class PoolPayloadTest : public PoolTest, public ::testing::WithParamInterface<const char*> {
protected:
    void publish_sizes(int count) {
        for (int number = 0; number < count; ++number) {
            publish(number, {0, size_of(number), {}});
        }
    }

    static std::size_t size_of(int number) {
        return kSizes[static_cast<std::size_t>(number) % kSizes.size()];
    }

    static void expect_intact(const FakeSubscriber& fake, int count) {
        int number = 0;
        for (const Received& request : fake.received()) {
            ASSERT_EQ(request.number(), number);
            ASSERT_EQ(request.encapsulation, numbered_encapsulation(number, size_of(number)));
            ++number;
        }
        EXPECT_EQ(number, count);
    }
};

INSTANTIATE_TEST_SUITE_P(Modes, PoolPayloadTest, ::testing::Values("", " -o", " -O"));

TEST_P(PoolPayloadTest, EventsOfAnySizeArriveIntactAndInOrder) {
    constexpr int kCount = 33;
    FakeSubscriber fake;
    options.queue.flush_timeout = std::chrono::milliseconds{10};
    start();
    subscribe(fake.proxy(std::string("s") + GetParam()));
    publish_sizes(kCount);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == kCount; }));
    expect_intact(fake, kCount);
    EXPECT_TRUE(eventually([&] { return ledger().events() == 0; }));
}

TEST_P(PoolPayloadTest, EventsOfAnySizeSurviveCompression) {
    constexpr int kCount = 22;
    FakeSubscriber fake;
    options.queue.flush_timeout = std::chrono::milliseconds{10};
    start();
    subscribe(fake.proxy(std::string("s") + GetParam()) + " -z");
    publish_sizes(kCount);
    ASSERT_TRUE(eventually([&] { return fake.received_count() == kCount; }));
    expect_intact(fake, kCount);
    std::size_t compressed = 0;
    for (const Received& request : fake.received()) {
        compressed += request.compressed ? 1U : 0U;
    }
    EXPECT_GE(compressed, static_cast<std::size_t>(kCount) / 2);
}

class PoolCompressionTest : public PoolTest {};

TEST_F(PoolCompressionTest, OnlyMessagesOfAHundredBytesAreCompressed) {
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("s -o") + " -z");
    publish(1, {0, 20, {}});
    publish(2, {0, 2000, {}});
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 2; }));
    const std::vector<Received> received = fake.received();
    EXPECT_LT(received[0].message_bytes, wire::kMinCompressedSource);
    EXPECT_FALSE(received[0].compressed);
    EXPECT_TRUE(received[1].compressed);
    EXPECT_LT(received[1].message_bytes, 1000U);
}

TEST_F(PoolCompressionTest, NothingIsCompressedForAnEndpointThatDoesNotAsk) {
    FakeSubscriber fake;
    start();
    subscribe(fake.proxy("s -o"));
    publish(1, {0, 2000, {}});
    ASSERT_TRUE(eventually([&] { return fake.received_count() == 1; }));
    EXPECT_FALSE(fake.received()[0].compressed);
    EXPECT_GT(fake.received()[0].message_bytes, 2000U);
}

}  // namespace
}  // namespace squall::test
