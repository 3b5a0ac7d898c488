// Raw subscribers that check what they get and cost less than any broker.
//
// For Ice it listens: the names of the identities are the subscribers' numbers, and by default each
// has an endpoint of its own. For the other protocols it connects and subscribes.
// Prints {"ports": [...]} when events may be published, and a report when all have arrived or none
// has come for a while. Keeps its connections until its standard input ends.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <string>

#include "deliveries.hpp"
#include "net.hpp"
#include "sink_loop.hpp"
#include "stream.hpp"

namespace squall::bench {
namespace {

/// Less than the backlog of every broker's listener, which would make connections wait a second.
constexpr std::size_t kConnectionsAtOnce = 64;

struct SinkOptions {
    std::string protocol = "ice";
    std::uint16_t port = 0;
    std::string topic = "load";
    std::size_t subscribers = 1;
    std::size_t endpoints = 0;
    std::uint64_t events = 1;
    int qos = 0;
    int stall_s = 20;
};

using MakeStream = std::unique_ptr<Stream> (*)(const Subscription&);
const std::map<std::string, MakeStream> kConnecting{{"nats", make_nats_stream},
                                                    {"redis", make_redis_stream},
                                                    {"mqtt", make_mqtt_stream},
                                                    {"zmtp", make_zmtp_stream}};

void listen(const SinkOptions& options, SinkLoop& loop) {
    const std::size_t endpoints = options.endpoints > 0 ? options.endpoints : options.subscribers;
    std::printf("{\"ports\": [");
    for (std::size_t i = 0; i < endpoints; ++i) {
        Descriptor listener = listen_on_loopback();
        std::printf(i == 0 ? "%d" : ", %d", port_of(listener.get()));
        loop.add_listener(std::move(listener));
    }
    std::printf("]}\n");
    std::fflush(stdout);
}

void subscribe(const SinkOptions& options, Deliveries& deliveries, SinkLoop& loop) {
    const MakeStream make = kConnecting.at(options.protocol);
    for (std::size_t i = 0; i < options.subscribers; ++i) {
        loop.add_connection(connect_to_loopback(options.port),
                            make({deliveries, i, options.topic, options.qos}));
        if (i % kConnectionsAtOnce == 0) {
            loop.wait_until_ready();
        }
    }
    loop.wait_until_ready();
    std::printf("{\"ports\": []}\n");
    std::fflush(stdout);
}

void wait_for_end_of_input() {
    char ignored = 0;
    while (read(STDIN_FILENO, &ignored, 1) > 0) {
    }
}

bool run(const SinkOptions& options) {
    Deliveries deliveries(options.subscribers, options.events);
    SinkLoop loop(deliveries);
    if (options.protocol == "ice") {
        listen(options, loop);
    } else {
        subscribe(options, deliveries, loop);
    }
    loop.run(std::chrono::seconds(options.stall_s));
    const bool complete = deliveries.report(loop.lost_connections());
    wait_for_end_of_input();
    return complete;
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    squall::bench::SinkOptions options;
    CLI::App app("Raw subscribers that check what they get");
    app.add_option("--protocol", options.protocol)
        ->check(CLI::IsMember({"ice", "nats", "redis", "mqtt", "zmtp"}));
    app.add_option("--port", options.port, "where the broker is; not for ice");
    app.add_option("--topic", options.topic);
    app.add_option("--subscribers", options.subscribers);
    app.add_option("--endpoints", options.endpoints, "for ice; default: one per subscriber");
    app.add_option("--events", options.events, "that each subscriber must get");
    app.add_option("--qos", options.qos, "for mqtt");
    app.add_option("--stall", options.stall_s, "seconds without an event that end the run");
    CLI11_PARSE(app, argc, argv);
    try {
        return squall::bench::run(options) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "bench_sink: " << error.what() << '\n';
        return 2;
    }
}
