#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/fake_publisher.hpp"
#include "support/fake_subscriber.hpp"
#include "support/log_capture.hpp"
#include "support/messages.hpp"
#include "support/pool_fixture.hpp"

namespace squall::test {

/// A pool with one topic that FakePublishers reach under the category "topic": its publisher is
/// "publish", its link "link", and "quiet" is the publisher of a topic without subscribers.
/// At the end of a test, when its publishers are gone, no event may be alive.
class IngressTest : public PoolTest {
protected:
    /// Holds the thread of one shard, that with the fewest subscribers, until release(). With it
    /// go all that must wait for the shard, such as control calls.
    class HeldShard {
    public:
        explicit HeldShard(IngressTest& test);
        ~HeldShard() { release(); }
        HeldShard(const HeldShard&) = delete;
        HeldShard& operator=(const HeldShard&) = delete;

        void release();
        unsigned shard() const { return shard_; }

    private:
        FakeSubscriber ended_{scripts::answer(wire::ReplyStatus::kObjectNotExist)};
        std::shared_ptr<std::promise<void>> released_{std::make_shared<std::promise<void>>()};
        unsigned shard_{0};
        bool holds_{true};
    };

    void TearDown() override;

    /// Starts the pool and serves the objects at these addresses; port 0 is a free one.
    void serve(const std::vector<std::string>& addresses = {"127.0.0.1"});

    const boost::asio::ip::tcp::endpoint& address(std::size_t index = 0) const {
        return addresses_.at(index);
    }

    /// Stops the intake as the broker does, while the test plays the publishers. By default the
    /// deadline is too late to be why it is over.
    std::future<void> stop_intake_in_background(std::chrono::milliseconds most = 2 * kPatience);

    /// Lines of connections that ended with an error.
    std::vector<std::string> lost_lines() const {
        return log_.lines_with("publisher connection lost");
    }
    const LogCapture& log() const { return log_; }

    static unsigned shard_of(pool::SubscriptionId id);

private:
    LogCapture log_{"pool"};
    std::vector<boost::asio::ip::tcp::endpoint> addresses_;
};

/// A request to the topic's publisher.
Record numbered(int number, std::size_t payload_bytes = 0);
/// The same to the topic without subscribers.
Record numbered_to_quiet(int number);
/// Oneway requests, one after the other.
wire::Buffer oneways(int first, int last, std::size_t payload_bytes = 0);
/// The same as one batch.
wire::Buffer numbered_batch(int first, int last, std::size_t payload_bytes = 0);

}  // namespace squall::test
