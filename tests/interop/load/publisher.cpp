// A stock oneway publisher: interop_publisher PROXY EVENTS PAYLOAD_BYTES
// Sends that many numbered events as fast as the broker takes them, then closes gracefully.

#include <Ice/Ice.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "numbered_event.hpp"

namespace {

void publish(const std::string& proxy, std::int32_t events, std::size_t payload_bytes) {
    const Ice::CommunicatorHolder ice(Ice::initialize());
    const auto publisher = ice->stringToProxy(proxy)->ice_oneway();
    std::vector<Ice::Byte> nothing;
    for (std::int32_t i = 0; i < events; ++i) {
        publisher->ice_invoke("event", Ice::OperationMode::Normal,
                              squall::load::make_event(i, payload_bytes), nothing);
    }
    publisher->ice_getConnection()->close(Ice::ConnectionClose::GracefullyWithWait);
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc != 4) {
        std::cerr << "usage: " << argv[0] << " PROXY EVENTS PAYLOAD_BYTES\n";
        return 2;
    }
    try {
        publish(argv[1], std::stoi(argv[2]), std::stoul(argv[3]));
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}
