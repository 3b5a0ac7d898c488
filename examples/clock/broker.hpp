#pragma once

#include <Ice/Ice.h>
#include <slice/IceStorm.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace example {

/// Where the broker is, and how long to wait for it.
struct BrokerOptions {
    std::string host = "127.0.0.1";
    int port = 10000;
    int wait_seconds = 0;
    std::string topic = "clock";
};

/// The options that both programs have: --host, --port, --wait, --topic.
void add_options(CLI::App& app, BrokerOptions& options);

/// The topic, created when there is none. Tries for `wait_seconds`, once at least; then throws
/// std::runtime_error with one line that says what was tried and what to do.
std::shared_ptr<IceStorm::TopicPrx> find_topic(const Ice::CommunicatorPtr& communicator,
                                               const BrokerOptions& options);

/// An event adapter's endpoint: a free port on the interface that leads to the broker.
std::string endpoint_towards(Ice::ObjectPrx& broker);

}  // namespace example
