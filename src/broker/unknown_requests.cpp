#include "broker/unknown_requests.hpp"

#include <Ice/Connection.h>
#include <Ice/Initialize.h>
#include <Ice/ObjectAdapter.h>

#include <algorithm>
#include <bit>
#include <string>

#include "broker/log_text.hpp"

namespace squall::broker {
namespace {

/// Where the request came from, on one line.
std::string peer(const Ice::Current& current) {
    std::string text = current.con ? current.con->toString() : "this process";
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

void UnknownRequests::log(const Ice::Current& current) {
    const std::uint64_t count = ++requests_;
    if (std::has_single_bit(count)) {
        logger_->warn(
            "unknown object adapter={} identity={} facet={} operation={} peer={} times={}",
            current.adapter->getName(), quoted(Ice::identityToString(current.id)),
            quoted(current.facet), quoted(current.operation), quoted(peer(current)), count);
    }
}

}  // namespace squall::broker
