#pragma once

#include <Ice/Proxy.h>

#include <cstdint>
#include <memory>
#include <string>

#include "subscriber_queue/qos.hpp"

namespace squall::pool {

/// Names a subscription within a broker's life; never used twice.
using SubscriptionId = std::uint64_t;

/// All the pool needs to deliver to a subscriber. Threads: immutable.
struct SubscriberSpec {
    std::string topic;
    /// As the client gave it; the pool derives what it delivers to.
    std::shared_ptr<Ice::ObjectPrx> proxy;
    queue::Qos qos;
};

}  // namespace squall::pool
