#include "support/pool_fixture.hpp"

#include <Ice/Ice.h>

#include <numeric>
#include <utility>
#include <variant>

#include "publisher_pool/proxy_mode.hpp"
#include "subscriber_queue/qos.hpp"
#include "wire/encapsulation.hpp"
#include "wire/writer.hpp"

namespace squall::test {
wire::Buffer numbered_encapsulation(int number, std::size_t payload_bytes) {
    const std::size_t size = wire::kEncapsulationHeaderSize + 4 + payload_bytes;
    wire::Buffer bytes;
    bytes.reserve(size);
    wire::put_i32(bytes, static_cast<std::int32_t>(size));
    wire::put_u8(bytes, wire::kEncoding11.major);
    wire::put_u8(bytes, wire::kEncoding11.minor);
    wire::put_i32(bytes, number);
    for (std::size_t i = 0; i < payload_bytes; ++i) {
        wire::put_u8(bytes, static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(number)));
    }
    return bytes;
}

std::vector<int> numbers_from_to(int first, int last) {
    std::vector<int> numbers(first <= last ? static_cast<std::size_t>(last - first) + 1 : 0);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

void Removals::add(pool::SubscriptionId id, queue::RemovalReason reason) {
    std::function<void()> action;
    {
        const std::lock_guard lock(mutex_);
        rows_.emplace_back(id, reason);
        action = std::exchange(action_, nullptr);
    }
    if (action) {
        action();
    }
}

void Removals::intercept(std::function<void()> action) {
    const std::lock_guard lock(mutex_);
    action_ = std::move(action);
}

std::vector<Removals::Row> Removals::rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
}

PoolTest::PoolTest() : communicator_(Ice::initialize()) {}

PoolTest::~PoolTest() {
    communicator_->destroy();
}

void PoolTest::TearDown() {
    shut_down();
    EXPECT_EQ(ledger_.events(), 0U);
    EXPECT_EQ(ledger_.bytes(), 0U);
}

void PoolTest::start(const std::function<void(pool::PublisherPool&)>& prepare) {
    pool_ = std::make_unique<pool::PublisherPool>(
        options, [this](pool::SubscriptionId id, queue::RemovalReason reason) {
            removals_.add(id, reason);
        });
    if (prepare) {
        prepare(*pool_);
    }
    pool_->start();
    topic_ = pool_->open_route();
}

void PoolTest::shut_down() {
    if (!pool_) {
        return;
    }
    pool_->stop();
    communicator_->destroy();
    topic_.reset();
    pool_.reset();
}

pool::SubscriptionId PoolTest::subscribe(const std::string& proxy,
                                         const std::map<std::string, std::string>& qos) {
    return subscribe_to(topic_, proxy, qos);
}

pool::SubscriptionId PoolTest::subscribe_to(const std::shared_ptr<pool::Route>& topic,
                                            const std::string& proxy,
                                            const std::map<std::string, std::string>& qos) {
    const auto parsed = parse(proxy);
    pool::SubscriberSpec spec{"topic", parsed, {}};
    spec.qos = std::get<queue::Qos>(queue::parse_qos(qos, pool::proxy_mode(*parsed)));
    return pool_->subscribe(spec, topic, pool_->open_route());
}

std::shared_ptr<Ice::ObjectPrx> PoolTest::parse(const std::string& proxy) const {
    return communicator_->stringToProxy(proxy);
}

event::EventPtr PoolTest::event(int number, const EventParts& parts) {
    return event::Event::make(ledger_, "event", parts.mode, parts.context,
                              numbered_encapsulation(number, parts.payload_bytes));
}

void PoolTest::publish(int number, const EventParts& parts) {
    topic_->publish(event(number, parts));
}

void PoolTest::publish_all(int first, int last, const EventParts& parts) {
    for (int number = first; number <= last; ++number) {
        publish(number, parts);
    }
}

}  // namespace squall::test
