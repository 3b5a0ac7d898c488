#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "deliveries.hpp"
#include "wire/bytes.hpp"

// A subscriber's side of a connection in one protocol, without I/O. It reads what a broker sends in
// normal operation and nothing else; anything unexpected throws std::runtime_error.

namespace squall::bench {

struct Consumed {
    /// Bytes at the front that are done with.
    std::size_t used = 0;
    /// Size of the message that follows them, 0 while unknown.
    std::size_t wanted = 0;
};

/// Threads: confined to its user.
class Stream {
public:
    Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    virtual ~Stream() = default;

    /// Appends what the subscriber says first.
    virtual void start(wire::Buffer& out) = 0;

    /// Takes all whole messages at the front of `bytes` and appends the answers that they need.
    virtual Consumed consume(wire::ByteView bytes, wire::Buffer& out) = 0;

    /// Whether events that are published from now on will come.
    [[nodiscard]] bool ready() const noexcept { return ready_; }

protected:
    bool ready_ = false;
};

/// For all but Ice, whose subscribers are told apart by identity: which one this is, of what.
struct Subscription {
    Deliveries& deliveries;
    std::size_t subscriber;
    std::string topic;
    int qos = 0;
};

/// An Ice server whose subscribers' identities are their numbers; answers twoway requests.
std::unique_ptr<Stream> make_ice_stream(Deliveries& deliveries);
std::unique_ptr<Stream> make_nats_stream(const Subscription& subscription);
std::unique_ptr<Stream> make_redis_stream(const Subscription& subscription);
/// MQTT 3.1.1; acknowledges QoS 1.
std::unique_ptr<Stream> make_mqtt_stream(const Subscription& subscription);
/// ZMTP 3.0. Nothing acknowledges a subscription, so the first event makes it ready; an event too
/// short for a stamp is a probe.
std::unique_ptr<Stream> make_zmtp_stream(const Subscription& subscription);

}  // namespace squall::bench
