// Prints the time that clock_publisher publishes: clock_subscriber [--count N] [--wait SECONDS] ...
#include <Clock.h>
#include <Ice/Ice.h>

#include <CLI/CLI.hpp>

#include <cstdio>

#include "broker.hpp"

namespace {

/// Prints ticks; asks the communicator to end after `count` of them (0: never).
class PrintingClock : public Example::Clock {
public:
    explicit PrintingClock(int count) : count_(count) {}

    void tick(Ice::Long, std::string text, const Ice::Current& current) override {
        std::printf("%s\n", text.c_str());
        std::fflush(stdout);
        if (++received_ == count_) {
            current.adapter->getCommunicator()->shutdown();
        }
    }

private:
    const int count_;
    int received_ = 0;
};

void subscribe(const Ice::CommunicatorPtr& communicator, const example::BrokerOptions& broker,
               int count) {
    const auto topic = example::find_topic(communicator, broker);
    const auto adapter =
        communicator->createObjectAdapterWithEndpoints("clock", example::endpoint_towards(*topic));
    // Oneway: the broker does not wait for this program's replies.
    const auto self = adapter->addWithUUID(std::make_shared<PrintingClock>(count))->ice_oneway();
    adapter->activate();
    topic->subscribeAndGetPublisher({}, self);
    std::printf("subscribed to %s\n", broker.topic.c_str());
    std::fflush(stdout);
    communicator->waitForShutdown();
    topic->unsubscribe(self);
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        // Before the communicator, whose threads must leave the signals to it.
        Ice::CtrlCHandler signals;
        const Ice::CommunicatorHolder communicator(argc, argv);
        signals.setCallback([ice = communicator.communicator()](int) { ice->shutdown(); });
        CLI::App app{"Prints the time that clock_publisher publishes"};
        example::BrokerOptions broker;
        int count = 0;
        example::add_options(app, broker);
        app.add_option("--count", count, "Ticks to print; 0: until Ctrl-C")->capture_default_str();
        CLI11_PARSE(app, argc, argv);

        subscribe(communicator.communicator(), broker, count);
        return 0;
    } catch (const Ice::Exception& e) {
        std::fprintf(stderr, "clock_subscriber: lost the broker: %s\n", e.ice_id().c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "clock_subscriber: %s\n", e.what());
    }
    return 1;
}
