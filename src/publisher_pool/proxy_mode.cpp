#include "publisher_pool/proxy_mode.hpp"

namespace squall::pool {

queue::ProxyMode proxy_mode(const Ice::ObjectPrx& proxy) {
    if (proxy.ice_isOneway()) {
        return queue::ProxyMode::kOneway;
    }
    if (proxy.ice_isBatchOneway()) {
        return queue::ProxyMode::kBatchOneway;
    }
    if (proxy.ice_isDatagram()) {
        return queue::ProxyMode::kDatagram;
    }
    if (proxy.ice_isBatchDatagram()) {
        return queue::ProxyMode::kBatchDatagram;
    }
    return queue::ProxyMode::kTwoway;
}

}  // namespace squall::pool
