#include <gmock/gmock.h>
#include <netinet/in.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "broker/start_error.hpp"
#include "integration/control_host.hpp"

namespace squall::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::size_t entries(const char* folder) {
    const std::filesystem::directory_iterator begin(folder);
    return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

/// A listener that accepts no connection: a peer's connection opens, and nothing is ever said.
class SilentListener {
public:
    SilentListener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket_, generic, size), 0);
        EXPECT_EQ(::listen(socket_, 16), 0);
        EXPECT_EQ(::getsockname(socket_, generic, &size), 0);
        port_ = std::to_string(ntohs(address.sin_port));
    }
    ~SilentListener() { ::close(socket_); }
    SilentListener(const SilentListener&) = delete;
    SilentListener& operator=(const SilentListener&) = delete;

    const std::string& port() const { return port_; }

private:
    int socket_;
    std::string port_;
};

/// A connection on which nothing is said.
class ConnectedSocket {
public:
    explicit ConnectedSocket(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    }
    ~ConnectedSocket() { ::close(socket_); }
    ConnectedSocket(const ConnectedSocket&) = delete;
    ConnectedSocket& operator=(const ConnectedSocket&) = delete;

private:
    int socket_;
};

/// Keeps what the broker logs.
class LogCapture {
public:
    LogCapture() {
        spdlog::register_logger(std::make_shared<spdlog::logger>(
            "broker", std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)));
    }
    ~LogCapture() { spdlog::drop("broker"); }
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    /// Once the broker has ended.
    std::string text() const { return stream_.str(); }

private:
    std::ostringstream stream_;
};

void publish(const TopicPrx& topic) {
    Ice::ByteSeq results;
    topic->getPublisher()->ice_invoke("e", Ice::OperationMode::Normal, no_parameters(), results);
}

std::string start_error(const std::vector<std::string>& arguments) {
    try {
        const BrokerHost host(arguments);
    } catch (const broker::StartError& error) {
        return error.what();
    }
    return "it started";
}

TEST(LifeTest, StartsAndStopsTwentyTimesWithoutLeak) {
    std::size_t threads = 0;
    std::size_t descriptors = 0;
    for (int cycle = 1; cycle <= 20; ++cycle) {
        {
            BrokerHost host;
            Client client;
            const TopicPrx topic = client.manager(host)->create("news");
            const auto sink = std::make_shared<EventSink>();
            topic->subscribeAndGetPublisher({}, client.subscriber(sink, "sub"));
            publish(topic);
            ASSERT_EQ(sink->wait_for(1).size(), 1U) << "cycle " << cycle;
            EXPECT_EQ(host.stop(), 0);
        }
        if (cycle == 2) {
            threads = entries("/proc/self/task");
            descriptors = entries("/proc/self/fd");
        }
    }
    EXPECT_EQ(entries("/proc/self/task"), threads);
    EXPECT_EQ(entries("/proc/self/fd"), descriptors);
}

TEST(LifeTest, TwoBrokersInOneProcessDoNotMeet) {
    BrokerHost first({"--A.InstanceName=Left"}, "A");
    BrokerHost second({"--B.InstanceName=Right"}, "B");
    Client client;
    const auto left = client.manager(first);
    const auto right = client.manager(second);
    EXPECT_EQ(left->create("news")->ice_getIdentity().category, "Left");
    EXPECT_EQ(right->create("news")->ice_getIdentity().category, "Right");
    right->create("more");
    EXPECT_EQ(left->retrieveAll().size(), 1U);
    EXPECT_EQ(first.stop(), 0);
    EXPECT_EQ(right->retrieveAll().size(), 2U);
}

TEST(LifeTest, StoppedBrokerIsOutOfReach) {
    BrokerHost host;
    Client client;
    const auto manager = client.manager(host);
    EXPECT_EQ(host.broker().topic_manager_proxy(), host.manager());
    EXPECT_EQ(host.stop(), 0);
    EXPECT_THROW(manager->ice_ping(), Ice::LocalException);
    EXPECT_EQ(host.broker().topic_manager_proxy(), "");
}

TEST(LifeTest, StopBeforeTheStartEndsItAtOnce) {
    const broker::LoadedOptions loaded = loopback_options();
    broker::Broker broker(loaded.options, loaded.properties);
    broker.stop();
    bool ready = false;
    EXPECT_EQ(broker.run([&] { ready = true; }), 0);
    EXPECT_TRUE(ready);
}

TEST(LifeTest, FailureOfTheReadyCallIsPassedOn) {
    const broker::LoadedOptions loaded = loopback_options();
    broker::Broker broker(loaded.options, loaded.properties);
    EXPECT_THROW(broker.run([] { throw std::domain_error("no stdout"); }), std::domain_error);
}

TEST(LifeTest, TerminationSignalStops) {
    BrokerHost host;
    std::raise(SIGTERM);
    EXPECT_EQ(host.join(), 0);
}

TEST(LifeTest, InterruptSignalStops) {
    BrokerHost host;
    std::raise(SIGINT);
    EXPECT_EQ(host.join(), 0);
}

TEST(LifeTest, StopDeliversWhatWasAccepted) {
    BrokerHost host;
    Client client;
    const TopicPrx topic = client.manager(host)->create("news");
    const auto sink = std::make_shared<EventSink>();
    // A batch that would wait a second for its timer.
    const ObjectPrx batch = client.subscriber(sink, "sub")->ice_batchOneway();
    topic->subscribeAndGetPublisher({}, batch);
    for (int i = 0; i < 50; ++i) {
        publish(topic);
    }
    EXPECT_EQ(host.stop(), 0);
    EXPECT_EQ(sink->wait_for(50).size(), 50U);
}

TEST(LifeTest, SecondStopEndsTheWaitForASilentSubscriber) {
    const LogCapture log;
    const SilentListener silent;
    BrokerHost host({"--IceStorm.Shutdown.Timeout=3600"});
    Client client;
    const TopicPrx topic = client.manager(host)->create("news");
    topic->subscribeAndGetPublisher(
        {}, client.proxy("cat/silent:tcp -h 127.0.0.1 -p " + silent.port()));
    for (int i = 0; i < 3; ++i) {
        publish(topic);
    }
    host.broker().stop();
    host.broker().stop();
    EXPECT_EQ(host.join(), 0);
    EXPECT_THAT(log.text(), HasSubstr("undelivered topic=\"news\" sub=\"cat/silent\" events=3"));
    EXPECT_THAT(log.text(), HasSubstr("undelivered_subscribers=1 undelivered_events=3"));
}

TEST(LifeTest, ClientThatNeverSpeaksDoesNotHoldUpAStop) {
    BrokerHost host({"--IceStorm.Publish.Endpoints=ws -h 127.0.0.1 -p 0"});
    Client client;
    const auto endpoint = client.manager(host)->create("news")->getPublisher()->ice_getEndpoints();
    const auto info =
        std::dynamic_pointer_cast<Ice::IPEndpointInfo>(endpoint.at(0)->getInfo()->underlying);
    ASSERT_TRUE(info);
    const ConnectedSocket silent(info->port);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(host.stop(), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
}

TEST(LifeTest, TracesNameTopicSubscriberAndQos) {
    const LogCapture log;
    BrokerHost host({"--IceStorm.Trace.TopicManager=1", "--IceStorm.Trace.Topic=1"});
    Client client;
    const TopicPrx topic = client.manager(host)->create("ne\"ws");
    const ObjectPrx subscriber = client.proxy("cat/s:tcp -h 127.0.0.1 -p 1");
    topic->subscribeAndGetPublisher({{"reliability", "ordered"}, {"retryCount", "3"}}, subscriber);
    topic->unsubscribe(subscriber);
    topic->destroy();
    host.stop();
    EXPECT_THAT(log.text(), HasSubstr("create topic=\"ne\\\"ws\"\n"));
    EXPECT_THAT(log.text(),
                testing::ContainsRegex("subscribe topic=\"ne..ws\" sub=\"cat/s\" proxy=\"cat/s -t"
                                       ".*tcp -h 127.0.0.1 -p 1.*\" mode=ordered "
                                       "reliability=ordered retryCount=3\n"));
    EXPECT_THAT(log.text(), HasSubstr("unsubscribe topic=\"ne\\\"ws\" sub=\"cat/s\"\n"));
    EXPECT_THAT(log.text(), HasSubstr("destroy topic=\"ne\\\"ws\"\n"));
}

TEST(LifeTest, UsedPortIsAStartErrorThatNamesIt) {
    const SilentListener other;
    const std::string endpoint = "tcp -h 127.0.0.1 -p " + other.port();
    EXPECT_THAT(start_error({"--IceStorm.Publish.Endpoints=" + endpoint}),
                AllOf(HasSubstr("IceStorm.Publish.Endpoints=" + endpoint),
                      HasSubstr("Address already in use")));
}

TEST(LifeTest, UnknownHostIsAStartErrorThatNamesIt) {
    EXPECT_THAT(start_error({"--IceStorm.TopicManager.Endpoints=tcp -h no.such.host.invalid -p 0"}),
                AllOf(HasSubstr("adapter IceStorm.TopicManager"),
                      HasSubstr("host no.such.host.invalid cannot be resolved")));
}

TEST(LifeTest, ForeignAddressIsAStartErrorThatNamesIt) {
    EXPECT_THAT(start_error({"--IceStorm.TopicManager.Endpoints=tcp -h 192.0.2.1 -p 0"}),
                AllOf(HasSubstr("tcp -h 192.0.2.1 -p 0"), HasSubstr("address of this machine")));
}

TEST(LifeTest, BadEndpointIsAStartErrorThatNamesIt) {
    EXPECT_THAT(start_error({"--IceStorm.Publish.Endpoints=tcp -p x"}),
                AllOf(HasSubstr("adapter IceStorm.Publish"), HasSubstr("tcp -p x")));
    EXPECT_THAT(start_error({"--IceStorm.Publish.Endpoints=carrier -p 1"}),
                AllOf(HasSubstr("adapter IceStorm.Publish"), HasSubstr("carrier -p 1")));
}

}  // namespace
}  // namespace squall::test
