#pragma once

#include <Ice/Proxy.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "event_store/event.hpp"
#include "event_store/ledger.hpp"
#include "publisher_pool/publisher_pool.hpp"
#include "wire/tail.hpp"

namespace squall::test {

/// What an event carries besides its number.
struct EventParts {
    std::uint8_t mode{0};
    /// Bytes behind the number, in a pattern that depends on it.
    std::size_t payload_bytes{0};
    wire::Context context{};
};

/// The encapsulation of such an event: header, number, pattern.
wire::Buffer numbered_encapsulation(int number, std::size_t payload_bytes);

/// The numbers `first` to `last`; none if there is nothing between them.
std::vector<int> numbers_from_to(int first, int last);

/// Removals as the pool reports them. Threads: any.
class Removals {
public:
    using Row = std::pair<pool::SubscriptionId, queue::RemovalReason>;

    void add(pool::SubscriptionId id, queue::RemovalReason reason);
    /// Called inside the next removal, on the shard's thread: the way to hold a shard.
    void intercept(std::function<void()> action);

    std::vector<Row> rows() const;
    std::size_t count() const { return rows().size(); }

private:
    mutable std::mutex mutex_;
    std::vector<Row> rows_;
    std::function<void()> action_;
};

/// A pool with one topic, driven as the broker drives it. A test sets `options`, calls start(),
/// subscribes fakes and publishes; at its end no event may be alive, whatever it left unfinished.
class PoolTest : public ::testing::Test {
protected:
    PoolTest();
    ~PoolTest() override;
    void TearDown() override;

    /// `prepare` does what must come before the pool's threads start, such as to listen.
    void start(const std::function<void(pool::PublisherPool&)>& prepare = {});
    /// Ends pool and communicator in the broker's order, without a drain; idempotent.
    void shut_down();

    /// A subscriber of the topic; `proxy` may carry flags, such as `fred -o:tcp -h ...`.
    pool::SubscriptionId subscribe(const std::string& proxy,
                                   const std::map<std::string, std::string>& qos = {});
    pool::SubscriptionId subscribe_to(const std::shared_ptr<pool::Route>& topic,
                                      const std::string& proxy,
                                      const std::map<std::string, std::string>& qos = {});

    std::shared_ptr<Ice::ObjectPrx> parse(const std::string& proxy) const;
    event::EventPtr event(int number, const EventParts& parts = {});
    void publish(int number, const EventParts& parts = {});
    void publish_all(int first, int last, const EventParts& parts = {});

    pool::PublisherPool& pool() { return *pool_; }
    const std::shared_ptr<pool::Route>& topic() const { return topic_; }
    const Ice::CommunicatorPtr& communicator() const { return communicator_; }
    Removals& removals() { return removals_; }
    const event::Ledger& ledger() const { return ledger_; }

    pool::PoolOptions options;

private:
    Ice::CommunicatorPtr communicator_;
    event::Ledger ledger_;  ///< outlives the pool, to see what the pool leaves behind
    Removals removals_;
    std::unique_ptr<pool::PublisherPool> pool_;
    std::shared_ptr<pool::Route> topic_;
};

}  // namespace squall::test
