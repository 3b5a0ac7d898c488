// Publishes the time: clock_publisher [--count N] [--interval SECONDS] [--wait SECONDS] ...
#include <Clock.h>
#include <Ice/Ice.h>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include "broker.hpp"

namespace {

void publish(Example::ClockPrx& clock, int count, std::chrono::duration<double> interval) {
    for (int i = 0; count == 0 || i < count; ++i) {
        if (i > 0) {
            std::this_thread::sleep_for(interval);
        }
        const std::time_t now = std::time(nullptr);
        char text[32];
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", std::localtime(&now));
        clock.tick(now, text);
        std::printf("sent %s\n", text);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        // Takes the --Ice.X=Y options.
        const Ice::CommunicatorHolder communicator(argc, argv);
        CLI::App app{"Publishes the time"};
        example::BrokerOptions broker;
        int count = 0;
        double interval_seconds = 1;
        example::add_options(app, broker);
        app.add_option("--count", count, "Ticks to send; 0: until Ctrl-C")->capture_default_str();
        app.add_option("--interval", interval_seconds, "Seconds between ticks")
            ->capture_default_str();
        CLI11_PARSE(app, argc, argv);

        const auto topic = example::find_topic(communicator.communicator(), broker);
        // Every operation on this proxy is an event. With ice_oneway() it would be sent without
        // waiting for the broker's reply.
        const auto clock = Ice::uncheckedCast<Example::ClockPrx>(topic->getPublisher());
        publish(*clock, count, std::chrono::duration<double>(interval_seconds));
        return 0;
    } catch (const Ice::Exception& e) {
        std::fprintf(stderr, "clock_publisher: lost the broker: %s\n", e.ice_id().c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "clock_publisher: %s\n", e.what());
    }
    return 1;
}
