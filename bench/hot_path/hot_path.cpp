#include "hot_path.hpp"

#include <Ice/Initialize.h>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "publisher_pool/acceptor.hpp"
#include "publisher_pool/subscriber_spec.hpp"
#include "wire/encapsulation.hpp"
#include "wire/header.hpp"
#include "wire/prefix.hpp"
#include "wire/tail.hpp"
#include "wire/writer.hpp"

namespace squall::bench {
namespace {

namespace asio = boost::asio;

constexpr const char* kPublisher = "topic.publish";
constexpr const char* kCategory = "IceStorm";
constexpr std::size_t kReadBytes = 256 * 1024;

wire::Buffer tail_of(std::size_t payload) {
    wire::Buffer parameters;
    wire::put_i32(parameters, static_cast<std::int32_t>(wire::kEncapsulationHeaderSize + payload));
    wire::put_u8(parameters, 1);
    wire::put_u8(parameters, 1);
    parameters.resize(wire::kEncapsulationHeaderSize + payload);
    wire::Buffer tail(wire::tail_size("event", {}, parameters));
    wire::store_tail(tail.data(), "event", 0, {}, parameters);
    return tail;
}

wire::Buffer singles(const wire::RequestPrefix& prefix, wire::ByteView tail) {
    wire::Buffer bytes;
    for (std::size_t i = 0; i < HotPath::kBurst; ++i) {
        wire::Buffer front(prefix.request_size());
        prefix.store_request(front.data(), 0, tail.size(), wire::Compression::kNone);
        wire::put_bytes(bytes, front);
        wire::put_bytes(bytes, tail);
    }
    return bytes;
}

wire::Buffer batch(const wire::RequestPrefix& prefix, wire::ByteView tail) {
    const std::size_t record = prefix.record_size() + tail.size();
    wire::Buffer bytes(wire::kBatchHeaderSize + HotPath::kBurst * record);
    std::uint8_t* at = wire::store_batch_header(bytes.data(), HotPath::kBurst, bytes.size(),
                                                wire::Compression::kNone);
    for (std::size_t i = 0; i < HotPath::kBurst; ++i) {
        at = wire::store_bytes(prefix.store_record(at), tail);
    }
    return bytes;
}

}  // namespace

HotPath::HotPath(Traffic traffic, std::size_t subscribers, std::size_t payload)
    : communicator_(Ice::initialize()), publisher_(peers_), received_(kReadBytes) {
    pool::Shard::Surroundings surroundings{options_, shards_, ledger_,
                                           [](unsigned, const std::string&) {},
                                           [](pool::SubscriptionId, queue::RemovalReason) {}};
    shards_.push_back(std::make_unique<pool::Shard>(0, surroundings));
    route_ = std::make_shared<pool::Route>(1, shards_);

    const wire::Buffer tail = tail_of(payload);
    const wire::RequestPrefix to_broker(kPublisher, kCategory, "");
    const wire::RequestPrefix to_subscriber("subscriber", "", "");
    burst_ = traffic == Traffic::kBatch ? batch(to_broker, tail) : singles(to_broker, tail);
    delivered_bytes_ = kBurst * (to_subscriber.request_size() + tail.size());

    connect_publisher();
    for (std::size_t i = 0; i < subscribers; ++i) {
        subscribe(i);
    }
}

HotPath::~HotPath() {
    shards_.clear();
}

void HotPath::connect_publisher() {
    pool::Shard& shard = *shards_.front();
    shard.ingress().serve(
        pool::served_object(kPublisher, kCategory, pool::ServedObject::Kind::kPublisher, route_));
    pool::Acceptor acceptor(shard, shards_, options_, {asio::ip::address_v4::loopback(), 0}, false);
    acceptor.start();
    publisher_.connect(acceptor.address());
    publisher_.set_option(tcp::no_delay(true));
    while (shard.ingress().connections() == 0 || publisher_.available() < wire::kHeaderSize) {
        run_shard();
    }
    asio::read(publisher_, asio::buffer(received_, wire::kHeaderSize));
    acceptor.stop();
    run_shard();
}

void HotPath::subscribe(std::size_t index) {
    tcp::acceptor acceptor(peers_, {asio::ip::address_v4::loopback(), 0});
    const std::string proxy =
        "subscriber -o:tcp -h 127.0.0.1 -p " + std::to_string(acceptor.local_endpoint().port());
    pool::SubscriberSpec spec{"topic", communicator_.communicator()->stringToProxy(proxy), {}};
    spec.qos.mode = queue::DeliveryMode::kOneway;
    pool::Shard& shard = *shards_.front();
    const auto direct = std::make_shared<pool::Route>(index + 2, shards_);
    shard.subscribe(index + 1, spec, route_, direct);
    // The link connects with its first event.
    shard.burst([&] { shard.publish(*direct, event::Event::copy(ledger_, tail_of(0), 0)); });
    while (acceptor.non_blocking(true), true) {
        boost::system::error_code none_yet;
        run_shard();
        tcp::socket socket = acceptor.accept(none_yet);
        if (!none_yet) {
            subscribers_.push_back(std::move(socket));
            break;
        }
    }
    tcp::socket& socket = subscribers_.back();
    asio::write(socket, asio::buffer(wire::kValidateMessage));
    while (socket.available() == 0) {
        run_shard();
    }
    socket.read_some(asio::buffer(received_));
    socket.non_blocking(true);
}

void HotPath::pass_burst() {
    asio::write(publisher_, asio::buffer(burst_));
    run_shard();
    for (tcp::socket& subscriber : subscribers_) {
        receive_all(subscriber);
    }
}

void HotPath::receive_all(tcp::socket& subscriber) {
    for (std::size_t bytes = 0; bytes < delivered_bytes_;) {
        boost::system::error_code none_yet;
        const std::size_t count = subscriber.read_some(asio::buffer(received_), none_yet);
        bytes += count;
        if (count == 0) {
            run_shard();
        }
    }
}

}  // namespace squall::bench
