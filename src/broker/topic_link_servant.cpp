#include "broker/topic_link_servant.hpp"

#include <Ice/Connection.h>
#include <Ice/Current.h>

#include <bit>

#include "broker/log_text.hpp"
#include "event_store/event.hpp"
#include "wire/encapsulation.hpp"
#include "wire/reader.hpp"

namespace squall::broker {
namespace {

bool is_encapsulation(const Ice::ByteSeq& data) {
    wire::Reader reader{wire::ByteView(data)};
    wire::read_encapsulation(reader);
    return reader.ok() && reader.remaining() == 0;
}

}  // namespace

void TopicLinkServant::forward(IceStorm::EventDataSeq events, const Ice::Current& current) {
    for (const IceStorm::EventData& event : events) {
        if (!is_encapsulation(event.data)) {
            skipped(event, current);
        } else if (route_->has_subscribers()) {
            route_->publish(event::Event::make(ledger_, event.op,
                                               static_cast<std::uint8_t>(event.mode), event.context,
                                               event.data));
        }
    }
}

void TopicLinkServant::skipped(const IceStorm::EventData& event, const Ice::Current& current) {
    const std::uint64_t count = skipped_.fetch_add(1, std::memory_order_relaxed) + 1;
    // The first, second, fourth, eighth ...: a peer that keeps sending rubbish cannot fill the log.
    if (std::has_single_bit(count)) {
        logger_->warn(
            "skipped topic={} operation={} reason=\"forwarded data of {} bytes is no "
            "encapsulation\" peer={} skipped={}",
            quoted(topic_), quoted(event.op), event.data.size(),
            quoted(current.con ? current.con->toString() : "collocated"), count);
    }
}

}  // namespace squall::broker
