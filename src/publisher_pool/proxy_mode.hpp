#pragma once

#include <Ice/Proxy.h>

#include "subscriber_queue/qos.hpp"

namespace squall::pool {

/// How a subscriber's proxy asks to be called.
queue::ProxyMode proxy_mode(const Ice::ObjectPrx& proxy);

}  // namespace squall::pool
