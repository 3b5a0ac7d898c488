#include "broker/publisher_servant.hpp"

#include <Ice/Current.h>

#include <cstdint>

#include "event_store/event.hpp"

namespace squall::broker {

bool PublisherServant::ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                                  std::vector<Ice::Byte>& /*results*/,
                                  const Ice::Current& current) {
    if (route_->has_subscribers()) {
        route_->publish(event::Event::make(ledger_, current.operation,
                                           static_cast<std::uint8_t>(current.mode), current.ctx,
                                           {parameters.first, parameters.second}));
    }
    // Ice turns no results at all into an empty encapsulation in the encoding of the request.
    return true;
}

}  // namespace squall::broker
