#include "broker/publish_servant.hpp"

#include <Ice/Current.h>
#include <Ice/LocalException.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "broker/identities.hpp"
#include "broker/log_text.hpp"
#include "event_store/event.hpp"
#include "publisher_pool/event_sink.hpp"
#include "publisher_pool/link_object.hpp"
#include "wire/header.hpp"
#include "wire/reply.hpp"
#include "wire/request.hpp"

namespace squall::broker {
namespace {

/// Publishes on the thread that calls.
class RouteSink final : public pool::EventSink {
public:
    void publish(const pool::Route& route, event::EventPtr event) override { route.publish(event); }
};

/// Gives Ice what a reply says.
void hand_to_ice(const wire::ReplyView& reply, std::vector<Ice::Byte>& results,
                 const Ice::Current& current) {
    switch (static_cast<wire::ReplyStatus>(reply.status)) {
        case wire::ReplyStatus::kOk:
            results.assign(reply.rest.begin(), reply.rest.end());
            return;
        case wire::ReplyStatus::kOperationNotExist:
            throw Ice::OperationNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                                  current.operation);
        default:
            throw Ice::UnknownLocalException(__FILE__, __LINE__, wire::describe_reply(reply));
    }
}

}  // namespace

PublishServant::PublishServant(event::Ledger& ledger, const std::shared_ptr<spdlog::logger>& logger)
    : ledger_(ledger), logger_(logger), unknown_(logger) {}

void PublishServant::forward(wire::ByteView parameters, const pool::Route& route,
                             std::vector<Ice::Byte>& results, const Ice::Current& current) {
    wire::RequestView request;
    request.name = current.id.name;
    request.category = current.id.category;
    request.operation = current.operation;
    request.mode = static_cast<std::uint8_t>(current.mode);
    request.encapsulation = parameters;
    RouteSink sink;
    wire::Buffer message;
    const std::size_t skipped = pool::serve_link(request, 1, route, ledger_, sink, message);
    if (skipped > 0 && std::has_single_bit(++skips_)) {
        logger_->warn(
            "skipped link={} events={} reason=\"forwarded data is no encapsulation\" times={}",
            quoted(to_string(current.id)), skipped, skips_.load());
    }
    wire::ReplyView reply;
    if (wire::parse_reply(wire::ByteView(message).subspan(wire::kHeaderSize), reply) ==
        wire::WireError::kNone) {
        hand_to_ice(reply, results, current);
    }
}

void PublishServant::serve(const pool::ServedObjectPtr& object) {
    const MutexLock lock(mutex_);
    if (!objects_.insert(object)) {
        throw std::runtime_error("another object has the identity " +
                                 to_string(Ice::Identity{object->name, object->category}));
    }
}

void PublishServant::withdraw(const Ice::Identity& identity) {
    const MutexLock lock(mutex_);
    objects_.erase(identity.name, identity.category);
}

bool PublishServant::ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                                std::vector<Ice::Byte>& results, const Ice::Current& current) {
    std::shared_ptr<pool::Route> route;
    const wire::ByteView encapsulation(parameters.first, parameters.second);
    if (find(current, route) == pool::ServedObject::Kind::kLink) {
        forward(encapsulation, *route, results, current);
    } else if (route->has_subscribers()) {
        route->publish(event::Event::make(ledger_, current.operation,
                                          static_cast<std::uint8_t>(current.mode), current.ctx,
                                          encapsulation));
    }
    // Ice turns no results at all into an empty encapsulation in the encoding of the request.
    return true;
}

pool::ServedObject::Kind PublishServant::find(const Ice::Current& current,
                                              std::shared_ptr<pool::Route>& route) {
    bool known = false;
    {
        const MutexLock lock(mutex_);
        const pool::ServedObject* object = objects_.find(current.id.name, current.id.category);
        known = object != nullptr;
        if (known && current.facet.empty()) {
            route = object->route;
            return object->kind;
        }
    }
    unknown_.log(current);
    if (known) {
        throw Ice::FacetNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                          current.operation);
    }
    throw Ice::ObjectNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                       current.operation);
}

}  // namespace squall::broker
