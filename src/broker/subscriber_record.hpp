#pragma once

#include <Ice/Communicator.h>
#include <Ice/Proxy.h>
#include <slice/IceStorm.h>

#include <memory>

#include "publisher_pool/subscriber_spec.hpp"
#include "registry/entry.hpp"

namespace squall::broker {

/// What a subscriber said of itself, as the registry keeps it.
struct SubscriberRecord {
    std::shared_ptr<Ice::ObjectPrx> proxy;
    IceStorm::QoS qos;
};

/// The registry's value of a subscriber: proxy and QoS in Ice encoding 1.1.
registry::Value encode(const SubscriberRecord& record);

/// Throws an Ice::LocalException on bytes that are no such value.
SubscriberRecord decode(const std::shared_ptr<Ice::Communicator>& communicator,
                        const registry::Value& value);

}  // namespace squall::broker
