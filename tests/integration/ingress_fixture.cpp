#include "integration/ingress_fixture.hpp"

#include <boost/asio/ip/address.hpp>

namespace squall::test {

IngressTest::HeldShard::HeldShard(IngressTest& test) {
    std::promise<void> held;
    test.removals().intercept([&held, released = released_] {
        held.set_value();
        released->get_future().wait();
    });
    const auto route = test.pool().open_route();
    shard_ = shard_of(test.subscribe_to(route, ended_.proxy("ended")));
    route->publish(test.event(0));
    held.get_future().wait();
}

void IngressTest::HeldShard::release() {
    if (std::exchange(holds_, false)) {
        released_->set_value();
    }
}

void IngressTest::TearDown() {
    if (topic()) {  // not skipped
        EXPECT_TRUE(eventually([&] { return pool().ledger().events() == 0; }))
            << pool().ledger().events() << " events are alive";
        EXPECT_EQ(pool().ledger().bytes(), 0U);
    }
    PoolTest::TearDown();
}

void IngressTest::serve(const std::vector<std::string>& addresses) {
    start([&](pool::PublisherPool& pool) {
        for (const std::string& text : addresses) {
            addresses_.push_back(pool.listen({boost::asio::ip::make_address(text), 0}));
        }
    });
    using Kind = pool::ServedObject::Kind;
    pool().serve(pool::served_object("publish", "topic", Kind::kPublisher, topic()));
    pool().serve(pool::served_object("link", "topic", Kind::kLink, topic()));
    pool().serve(pool::served_object("quiet", "topic", Kind::kPublisher, pool().open_route()));
    pool().accept();
}

std::future<void> IngressTest::stop_intake_in_background(std::chrono::milliseconds most) {
    return std::async(std::launch::async, [this, most] {
        pool().stop_intake(std::chrono::steady_clock::now() + most);
    });
}

unsigned IngressTest::shard_of(pool::SubscriptionId id) {
    return static_cast<unsigned>(id % pool::kShardsMax);
}

Record numbered(int number, std::size_t payload_bytes) {
    Record record;
    record.name = "publish";
    record.category = "topic";
    record.operation = "event";
    record.mode = 0;
    record.context.clear();
    record.params = numbered_encapsulation(number, payload_bytes);
    return record;
}

Record numbered_to_quiet(int number) {
    Record record = numbered(number);
    record.name = "quiet";
    return record;
}

wire::Buffer oneways(int first, int last, std::size_t payload_bytes) {
    wire::Buffer all;
    for (const int number : numbers_from_to(first, last)) {
        wire::put_bytes(all, request(0, numbered(number, payload_bytes)));
    }
    return all;
}

wire::Buffer numbered_batch(int first, int last, std::size_t payload_bytes) {
    std::vector<Record> records;
    for (const int number : numbers_from_to(first, last)) {
        records.push_back(numbered(number, payload_bytes));
    }
    return batch(records);
}

}  // namespace squall::test
