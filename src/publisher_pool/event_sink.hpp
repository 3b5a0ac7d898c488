#pragma once

#include "event_store/event.hpp"
#include "publisher_pool/route.hpp"

namespace squall::pool {

/// Takes the events that a connection brings. Threads: confined to the owning shard's.
class EventSink {
public:
    virtual ~EventSink() = default;

    /// Hands an event to all subscribers of the route, behind those published before.
    virtual void publish(const Route& route, event::EventPtr event) = 0;
};

}  // namespace squall::pool
