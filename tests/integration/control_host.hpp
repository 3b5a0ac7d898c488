#pragma once

#include <Ice/Ice.h>
#include <gtest/gtest.h>
#include <slice/IceStormInternal.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "broker/broker.hpp"
#include "broker/options_loader.hpp"
#include "support/eventually.hpp"

namespace squall::test {

using ManagerPrx = std::shared_ptr<IceStorm::TopicManagerInternalPrx>;
using TopicPrx = std::shared_ptr<IceStorm::TopicPrx>;
using ObjectPrx = std::shared_ptr<Ice::ObjectPrx>;

/// The daemon's configuration for loopback ports that the system chooses.
broker::LoadedOptions loopback_options(const std::vector<std::string>& arguments = {},
                                       const std::string& service_name = "IceStorm");

/// A broker in this process, on loopback ports that the system chooses.
/// Threads: the test's.
class BrokerHost {
public:
    /// Returns when clients are served. Throws what the broker's start throws.
    explicit BrokerHost(const std::vector<std::string>& arguments = {},
                        const std::string& service_name = "IceStorm");
    /// Stops the broker if it still runs.
    ~BrokerHost();
    BrokerHost(const BrokerHost&) = delete;
    BrokerHost& operator=(const BrokerHost&) = delete;

    broker::Broker& broker() { return *broker_; }
    const std::string& manager() const { return manager_; }

    /// Waits for the broker's end and returns its exit code.
    int join();
    /// Asks for the end and waits for it.
    int stop();

private:
    std::unique_ptr<broker::Broker> broker_;
    std::string manager_;
    std::future<int> exit_code_;
    std::thread thread_;
};

/// An event as a subscriber got it.
struct Received {
    std::string operation;
    std::uint8_t mode;
    Ice::Context context;
    Ice::ByteSeq data;
};

/// A subscriber that takes every operation.
/// Threads: any.
class EventSink final : public Ice::BlobjectArray {
public:
    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                    std::vector<Ice::Byte>& results, const Ice::Current& current) override;

    /// The events, once there are at least `count`, or after a minute.
    std::vector<Received> wait_for(std::size_t count);

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Received> events_;
};

/// An Ice run time apart from the broker's, with an adapter for subscribers.
class Client {
public:
    Client();

    const std::shared_ptr<Ice::Communicator>& communicator() { return holder_.communicator(); }
    ManagerPrx manager(const BrokerHost& host);
    ObjectPrx proxy(const std::string& text) { return communicator()->stringToProxy(text); }
    /// A servant's proxy; the identity is made from `name`.
    ObjectPrx subscriber(const std::shared_ptr<EventSink>& sink, const std::string& name);
    /// A proxy that reaches the adapter, but no object.
    ObjectPrx missing_subscriber(const std::string& name);

private:
    Ice::CommunicatorHolder holder_;
    std::shared_ptr<Ice::ObjectAdapter> adapter_;
};

/// A broker and a client of it.
class ControlTest : public testing::Test {
protected:
    ControlTest();

    TopicPrx create(const std::string& name) { return manager_->create(name); }
    /// A proxy whose endpoint nobody listens on.
    ObjectPrx dead_subscriber(const std::string& identity) {
        return client_.proxy(identity + ":tcp -h 127.0.0.1 -p 1");
    }

    BrokerHost host_{{"--IceStorm.TopicManager.ThreadPool.Size=4"}};
    Client client_;
    ManagerPrx manager_;
};

/// An encapsulation without parameters, in encoding 1.`minor`.
Ice::ByteSeq no_parameters(Ice::Byte minor = 1);

/// Runs `body(index)` on `count` threads at once; what one throws fails the test.
void run_threads(int count, const std::function<void(int)>& body);

}  // namespace squall::test
