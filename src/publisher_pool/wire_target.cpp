#include "publisher_pool/wire_target.hpp"

#include <Ice/Communicator.h>
#include <Ice/Endpoint.h>
#include <Ice/EndpointTypes.h>
#include <Ice/Properties.h>

#include <limits>

namespace squall::pool {
namespace {

bool needs_ice(const Ice::ObjectPrx& proxy) {
    if (!proxy.ice_isTwoway() && !proxy.ice_isOneway() && !proxy.ice_isBatchOneway()) {
        return true;
    }
    const auto properties = proxy.ice_getCommunicator()->getProperties();
    return proxy.ice_isSecure() || proxy.ice_getRouter() != nullptr ||
           !properties->getProperty("Ice.SOCKSProxyHost").empty() ||
           !properties->getProperty("Ice.HTTPProxyHost").empty() ||
           properties->getPropertyAsInt("Ice.Override.Secure") > 0;
}

std::optional<WireEndpoint> wire_endpoint(const Ice::Endpoint& endpoint) {
    const auto info = std::dynamic_pointer_cast<Ice::TCPEndpointInfo>(endpoint.getInfo());
    if (!info || info->type() != Ice::TCPEndpointType || info->host.empty() || info->port <= 0 ||
        info->port > std::numeric_limits<std::uint16_t>::max() || !info->sourceAddress.empty()) {
        return std::nullopt;
    }
    return WireEndpoint{info->host, static_cast<std::uint16_t>(info->port), info->compress};
}

}  // namespace

std::optional<WireTarget> wire_target(const std::shared_ptr<Ice::ObjectPrx>& proxy,
                                      bool connection_cached) {
    const Ice::EndpointSeq endpoints = proxy->ice_getEndpoints();
    if (endpoints.empty() || needs_ice(*proxy) || (!connection_cached && endpoints.size() > 1)) {
        return std::nullopt;
    }
    WireTarget target;
    const auto properties = proxy->ice_getCommunicator()->getProperties();
    const std::string compress = properties->getProperty("Ice.Override.Compress");
    for (const auto& endpoint : endpoints) {
        std::optional<WireEndpoint> wire = wire_endpoint(*endpoint);
        if (!wire) {
            return std::nullopt;
        }
        if (!compress.empty()) {
            wire->compress = properties->getPropertyAsInt("Ice.Override.Compress") > 0;
        }
        target.key += wire->host + ' ' + std::to_string(wire->port) + (wire->compress ? "z " : " ");
        target.endpoints.push_back(std::move(*wire));
    }
    return target;
}

}  // namespace squall::pool
