#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace squall::bench {

/// What the publishers of all protocols are told.
struct PublisherOptions {
    /// Events of each topic.
    std::uint64_t events = 1;
    /// Payload of each event, stamp included.
    std::size_t bytes = 100;
    /// Events per second and topic; 0 is full speed.
    double rate = 0;
    /// Events per batch, pipeline or window, where the protocol has one.
    std::uint64_t group = 100;
    /// Ice: oneway, batch or twoway. MQTT: 0 or 1. Others have none.
    std::string mode;
    /// Ice: how many connections the topics share.
    std::size_t connections = 1;
    /// Where the broker is; not for Ice, which reads proxies, a line each, from standard input.
    std::uint16_t port = 0;
    std::string topic = "load";
    /// ZeroMQ: sends nothing but probes until standard input ends.
    bool probe = false;
};

/// Parses the command line; ends the program when it is wrong or asks for help.
/// Threads: free function without state.
PublisherOptions parse_publisher_options(int argc, char* argv[]);

}  // namespace squall::bench
