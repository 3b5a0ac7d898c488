#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "integration/ingress_fixture.hpp"

// Heartbeats, and peers that do not take what they are sent.

namespace squall::test {
namespace {

using std::chrono::milliseconds;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

std::size_t resident_bytes() {
    std::size_t all_pages = 0;
    std::size_t resident_pages = 0;
    std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
    return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

class IngressLivenessTest : public IngressTest {
protected:
    /// Small kernel buffers, so that little fills them.
    static constexpr int kSmallBuffer = 4096;

    void serve_with_small_buffers() {
        options.network.send_buffer = kSmallBuffer;
        options.network.receive_buffer = kSmallBuffer;
        serve();
    }

    static wire::Buffer twoways(int first, int last) {
        wire::Buffer all;
        for (const int number : numbers_from_to(first, last)) {
            wire::put_bytes(all, request(number, numbered(number)));
        }
        return all;
    }
};

TEST_F(IngressLivenessTest, SilentConnectionGetsHeartbeats) {
    // The tick that looks for them comes four times in Send.Timeout.
    options.send_timeout = milliseconds{80};
    options.heartbeat_interval = milliseconds{50};
    serve();
    FakePublisher publisher(address());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) {
        const auto message = publisher.read_message();
        ASSERT_TRUE(message);
        EXPECT_EQ(*message,
                  wire::Buffer(wire::kValidateMessage.begin(), wire::kValidateMessage.end()));
    }
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds{100});
    EXPECT_EQ(publisher.ask(request(1, numbered(1))).id, 1);
}

TEST_F(IngressLivenessTest, HeartbeatsStandBetweenReplies) {
    options.send_timeout = milliseconds{80};
    options.heartbeat_interval = milliseconds{1};
    serve();
    FakePublisher publisher(address());
    for (int number = 1; number <= 2000; ++number) {
        ASSERT_EQ(publisher.ask(request(number, numbered(number))).id, number);
    }
}

TEST_F(IngressLivenessTest, PeerThatReadsNoRepliesIsNotReadFromForEver) {
    // More than all buffers of both sides take, as requests and as replies.
    constexpr int kRequests = 60'000;
    FakeSubscriber fake;
    options.send_timeout.reset();
    serve_with_small_buffers();
    subscribe(fake.proxy("s -o"));
    FakePublisher publisher(
        address(), {.receive_buffer_bytes = kSmallBuffer, .send_buffer_bytes = kSmallBuffer});
    std::future<bool> sending =
        std::async(std::launch::async, [&] { return publisher.send(twoways(1, kRequests)); });
    EXPECT_FALSE(
        eventually(milliseconds{500}, [&] { return fake.received_count() >= kRequests / 2; }));

    for (int number = 1; number <= kRequests; ++number) {
        ASSERT_EQ(publisher.read_reply().id, number);
    }
    EXPECT_TRUE(sending.get());
    EXPECT_TRUE(eventually([&] { return fake.received_count() == kRequests; }));
    EXPECT_EQ(fake.numbers(), numbers_from_to(1, kRequests));
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressLivenessTest, PeerThatReadsNoRepliesIsCutOffAfterSendTimeout) {
    FakeSubscriber fake;
    options.send_timeout = milliseconds{300};
    serve_with_small_buffers();
    subscribe(fake.proxy("s -o"));
    FakePublisher frozen(address(),
                         {.receive_buffer_bytes = kSmallBuffer, .send_buffer_bytes = kSmallBuffer});
    FakePublisher other(address());
    EXPECT_FALSE(frozen.send(twoways(1, 60'000)));
    EXPECT_EQ(other.ask(request(1, numbered(60'001))).id, 1);
    ASSERT_TRUE(eventually([&] { return lost_lines().size() == 1; }));
    const std::string line = lost_lines().front();
    EXPECT_NE(line.find(frozen.name()), std::string::npos) << line;
    EXPECT_NE(line.find("Send.Timeout (300 ms)"), std::string::npos) << line;
    // What it had sent until then was executed, in order.
    std::vector<int> numbers = fake.numbers();
    ASSERT_TRUE(eventually([&] {
        numbers = fake.numbers();
        return !numbers.empty() && numbers.back() == 60'001;
    }));
    numbers.pop_back();
    EXPECT_EQ(numbers, numbers_from_to(1, static_cast<int>(numbers.size())));
}

TEST_F(IngressLivenessTest, PeerThatReadsItsRepliesSlowlyIsNotCutOff) {
    constexpr int kRequests = 20'000;
    options.send_timeout = milliseconds{1000};
    serve_with_small_buffers();
    FakePublisher publisher(
        address(), {.receive_buffer_bytes = kSmallBuffer, .send_buffer_bytes = kSmallBuffer});
    std::future<bool> sending =
        std::async(std::launch::async, [&] { return publisher.send(twoways(1, kRequests)); });
    const auto begin = std::chrono::steady_clock::now();
    for (int number = 1; number <= kRequests; ++number) {
        ASSERT_EQ(publisher.read_reply().id, number);
        // Longer than the timeout, a little at a time; the sleep is what makes this peer slow.
        if (number % 20 == 0 && std::chrono::steady_clock::now() - begin < milliseconds{2000}) {
            std::this_thread::sleep_for(milliseconds{5});
        }
    }
    EXPECT_TRUE(sending.get());
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressLivenessTest, RepliesThatWereWrittenTakeNoMemory) {
    // As long as the peer never has them all, which is how it goes with one that reads slowly.
    constexpr int kRequests = 4000;
    constexpr std::size_t kReplyBytes = 10'000;
    constexpr std::size_t kMost = 10 * 1024 * 1024;
    if (kSanitized) {
        GTEST_SKIP() << "a sanitizer keeps memory of its own";
    }
    options.network.send_buffer = kSmallBuffer;
    serve();
    FakePublisher publisher(address(), {.receive_buffer_bytes = kSmallBuffer});
    Record record = numbered(1);
    record.name = std::string(kReplyBytes, 'n');
    const wire::Buffer one = request(1, record);
    const std::size_t before = resident_bytes();
    std::future<void> sending = std::async(std::launch::async, [&] {
        for (int i = 0; i < kRequests; ++i) {
            EXPECT_TRUE(publisher.send(one));
        }
    });
    std::size_t most = 0;
    for (int i = 0; i < kRequests; ++i) {
        ASSERT_EQ(publisher.read_reply().id, 1);
        most = std::max(most, resident_bytes());
    }
    sending.get();
    EXPECT_LT(most, before + kMost);
}

}  // namespace
}  // namespace squall::test
