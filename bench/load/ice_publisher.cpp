// A stock Ice publisher. Reads one proxy per topic from standard input, publishes events 0, 1, 2...
// of all topics in turn, and closes its connections gracefully.

#include <Ice/Ice.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pacer.hpp"
#include "payload.hpp"
#include "publisher_main.hpp"

namespace squall::bench {
namespace {

using Proxies = std::vector<std::shared_ptr<Ice::ObjectPrx>>;

constexpr std::size_t kEncapsulationHeader = 6;

/// An encapsulation of encoding 1.1 around the payload.
Payload encapsulated(std::size_t bytes) {
    Payload payload(bytes, kEncapsulationHeader);
    const auto size = static_cast<std::int32_t>(payload.size());
    std::memcpy(payload.data(), &size, sizeof size);
    payload.data()[4] = 1;
    payload.data()[5] = 1;
    return payload;
}

std::shared_ptr<Ice::ObjectPrx> in_mode(const std::shared_ptr<Ice::ObjectPrx>& proxy,
                                        const std::string& mode) {
    if (mode == "oneway") {
        return proxy->ice_oneway();
    }
    if (mode == "batch") {
        return proxy->ice_batchOneway();
    }
    if (mode == "twoway") {
        return proxy->ice_twoway();
    }
    throw std::runtime_error("--mode is '" + mode + "'; it can be oneway, batch or twoway");
}

Proxies read_proxies(const Ice::CommunicatorPtr& ice, const PublisherOptions& options) {
    Proxies proxies;
    for (std::string line; std::getline(std::cin, line);) {
        auto proxy = in_mode(ice->stringToProxy(line), options.mode);
        if (options.connections > 1) {
            proxy = proxy->ice_connectionId(std::to_string(proxies.size() % options.connections));
        }
        proxies.push_back(std::move(proxy));
    }
    return proxies;
}

void publish(const PublisherOptions& options) {
    Ice::InitializationData data;
    data.properties = Ice::createProperties();
    // Batches end where --group says.
    data.properties->setProperty("Ice.BatchAutoFlushSize", "0");
    const Ice::CommunicatorHolder ice(data);
    const Proxies proxies = read_proxies(ice.communicator(), options);
    for (const auto& proxy : proxies) {
        proxy->ice_getConnection();
    }

    Payload payload = encapsulated(options.bytes);
    const std::pair<const Ice::Byte*, const Ice::Byte*> parameters{payload.data(),
                                                                   payload.data() + payload.size()};
    std::vector<Ice::Byte> nothing;
    const std::string operation = "event";
    const bool batching = options.mode == "batch";
    Pacer pacer(options.rate * static_cast<double>(proxies.size()));
    std::uint64_t sent = 0;
    for (std::uint64_t i = 0; i < options.events; ++i) {
        const bool flush = batching && ((i + 1) % options.group == 0 || i + 1 == options.events);
        for (const auto& proxy : proxies) {
            pacer.wait_for(sent++);
            payload.stamp(i);
            proxy->ice_invoke(operation, Ice::OperationMode::Normal, parameters, nothing);
            if (flush) {
                proxy->ice_flushBatchRequests();
            }
        }
    }
    for (std::size_t i = 0; i < std::min(options.connections, proxies.size()); ++i) {
        proxies[i]->ice_getConnection()->close(Ice::ConnectionClose::GracefullyWithWait);
    }
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    return squall::bench::publisher_main(argc, argv, squall::bench::publish);
}
