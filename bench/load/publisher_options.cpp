#include "publisher_options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace squall::bench {

PublisherOptions parse_publisher_options(int argc, char* argv[]) {
    PublisherOptions options;
    CLI::App app("Publishes numbered events");
    app.add_option("--events", options.events, "events of each topic");
    app.add_option("--bytes", options.bytes, "payload of each event");
    app.add_option("--rate", options.rate, "events per second and topic; 0 is full speed");
    app.add_option("--group", options.group, "events per batch, pipeline or window");
    app.add_option("--mode", options.mode, "ice: oneway, batch or twoway; mqtt: 0 or 1");
    app.add_option("--connections", options.connections, "ice: connections that topics share");
    app.add_option("--port", options.port, "where the broker is; ice reads proxies from stdin");
    app.add_option("--topic", options.topic);
    app.add_flag("--probe", options.probe, "zeromq: probes until stdin ends");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    return options;
}

}  // namespace squall::bench
