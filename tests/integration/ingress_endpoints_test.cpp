#include <Ice/Ice.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "broker/interface_addresses.hpp"
#include "broker/publish_endpoints.hpp"

// What proxies list for the endpoints that the pool serves: the same as if Ice served them.

namespace squall::broker {
namespace {

using Texts = std::vector<std::string>;

struct Case {
    std::string endpoints;
    std::map<std::string, std::string> properties{};
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
    out << one.endpoints;
    for (const auto& [name, value] : one.properties) {
        out << ' ' << name << '=' << value;
    }
    return out;
}

Ice::CommunicatorHolder communicator_with(const std::map<std::string, std::string>& properties) {
    Ice::InitializationData data;
    data.properties = Ice::createProperties();
    for (const auto& [name, value] : properties) {
        data.properties->setProperty(name, value);
    }
    return Ice::CommunicatorHolder(data);
}

Texts texts(const Ice::EndpointSeq& endpoints) {
    Texts all;
    for (const auto& endpoint : endpoints) {
        all.push_back(endpoint->toString());
    }
    return all;
}

/// The system chooses the ports.
Texts without_ports(const Ice::EndpointSeq& endpoints) {
    const std::string option = " -p ";
    Texts all = texts(endpoints);
    for (std::string& text : all) {
        const std::size_t begin = text.find(option);
        if (begin == std::string::npos || text[begin + option.size()] == '0') {
            ADD_FAILURE() << "no port in " << text;
            continue;
        }
        text.erase(begin, text.find(' ', begin + option.size()) - begin);
    }
    return all;
}

std::set<int> ports(const Ice::EndpointSeq& endpoints) {
    std::set<int> all;
    for (const auto& endpoint : endpoints) {
        const auto info = std::dynamic_pointer_cast<Ice::IPEndpointInfo>(endpoint->getInfo());
        EXPECT_TRUE(info) << endpoint->toString();
        all.insert(info ? info->port : 0);
    }
    return all;
}

Ice::EndpointSeq published_by_ice(Ice::Communicator& communicator, const std::string& endpoints) {
    if (endpoints.empty()) {
        return {};
    }
    const auto adapter = communicator.createObjectAdapterWithEndpoints("adapter", endpoints);
    const Ice::EndpointSeq published = adapter->getPublishedEndpoints();
    adapter->destroy();
    return published;
}

/// A pool that only listens.
class PublishEndpointsTest : public ::testing::Test {
protected:
    pool::PublisherPool pool{pool::PoolOptions{}, [](auto, auto) {}};
};

class PublishedHostsTest : public PublishEndpointsTest,
                           public ::testing::WithParamInterface<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Cases, PublishedHostsTest,
    ::testing::Values(
        Case{"tcp -h *"}, Case{"tcp -h \"*\""}, Case{"tcp -h 0.0.0.0"}, Case{"tcp"},
        Case{"tcp -h \"::\""}, Case{"tcp -h 127.0.0.1"}, Case{"tcp -h localhost"},
        Case{"tcp -h \"::1\""}, Case{"tcp -h 127.0.0.1 -t 500"},
        Case{"tcp -h 127.0.0.1 -t infinite -z"}, Case{"tcp -h 127.0.0.1:tcp -h 127.0.0.2"},
        Case{"tcp -h *", {{"Ice.IPv6", "0"}}}, Case{"tcp", {{"Ice.IPv6", "0"}}},
        Case{"tcp", {{"Ice.IPv4", "0"}}}, Case{"tcp", {{"Ice.Default.Host", "127.0.0.1"}}},
        Case{"tcp -h 127.0.0.1", {{"Ice.Default.Timeout", "1234"}}}, Case{"default -h 127.0.0.1"},
        Case{"tcp -h 127.0.0.1:ws -h 127.0.0.1 -r /x:tcp -h 127.0.0.2"},
        Case{"ws -h 127.0.0.1:tcp -h *:ws -h *:tcp -h 127.0.0.1"}));

TEST_P(PublishedHostsTest, AreThoseThatIcePublishes) {
    const Ice::CommunicatorHolder holder = communicator_with(GetParam().properties);
    Ice::Communicator& communicator = *holder.communicator();
    const Ice::EndpointSeq expected = published_by_ice(communicator, GetParam().endpoints);
    const PublishEndpoints endpoints(communicator, GetParam().endpoints, pool);
    const Ice::EndpointSeq got =
        endpoints.published(published_by_ice(communicator, endpoints.for_ice()));
    EXPECT_EQ(without_ports(got), without_ports(expected));
}

TEST_F(PublishEndpointsTest, AllAddressesOfAnEndpointHaveOnePort) {
    const Ice::CommunicatorHolder holder = communicator_with({});
    for (const std::string text : {"tcp -h *", "tcp", "tcp -h localhost"}) {
        const PublishEndpoints endpoints(*holder.communicator(), text, pool);
        EXPECT_EQ(ports(endpoints.published({})).size(), 1U) << text;
    }
    const PublishEndpoints two(*holder.communicator(), "tcp -h 127.0.0.1:tcp -h 127.0.0.1", pool);
    EXPECT_EQ(ports(two.published({})).size(), 2U);
}

TEST_F(PublishEndpointsTest, OnlyPlainTcpIsServedByThePool) {
    const Ice::CommunicatorHolder holder = communicator_with({});
    const PublishEndpoints endpoints(
        *holder.communicator(), "udp -h 127.0.0.1:tcp -h 127.0.0.1 -t 77:ws -h 127.0.0.1", pool);
    EXPECT_EQ(endpoints.for_ice(), "udp -h 127.0.0.1:ws -h 127.0.0.1");
    const std::string bound = endpoints.bound_by_pool();
    EXPECT_NE(bound.find("tcp -h \"127.0.0.1\" -p "), std::string::npos) << bound;
    EXPECT_NE(bound.find(" -t 77"), std::string::npos) << bound;
    EXPECT_EQ(std::count(bound.begin(), bound.end(), ':'), 0) << bound;
}

TEST_F(PublishEndpointsTest, GivenPortIsBoundAndPublished) {
    const Ice::CommunicatorHolder holder = communicator_with({});
    const PublishEndpoints first(*holder.communicator(), "tcp -h 127.0.0.1", pool);
    const int port = *ports(first.published({})).begin();
    const std::string again = "tcp -h 127.0.0.1 -p " + std::to_string(port);
    EXPECT_THROW(PublishEndpoints(*holder.communicator(), again, pool), Ice::SocketException);
    const std::string other = "tcp -h 127.0.0.2 -p " + std::to_string(port);
    const PublishEndpoints second(*holder.communicator(), other, pool);
    EXPECT_EQ(ports(second.published({})), std::set{port});
}

TEST_F(PublishEndpointsTest, HostThatDoesNotResolveIsReportedAsIceDoes) {
    const Ice::CommunicatorHolder holder = communicator_with({});
    EXPECT_THROW(PublishEndpoints(*holder.communicator(), "tcp -h no.such.host.invalid", pool),
                 Ice::DNSException);
    EXPECT_THROW(PublishEndpoints(*holder.communicator(), "tcp -h 192.0.2.77", pool),
                 Ice::SocketException);
}

TEST(InterfaceAddressesTest, HaveTheFamiliesThatWereAskedFor) {
    for (const auto& address : interface_addresses({true, false})) {
        EXPECT_TRUE(address.is_v4()) << address;
    }
    for (const auto& address : interface_addresses({false, true})) {
        EXPECT_TRUE(address.is_v6()) << address;
    }
    EXPECT_TRUE(interface_addresses({false, false}).empty());
}

TEST(InterfaceAddressesTest, AreAllLoopbackOrNoneIsAndNoneIsLinkLocal) {
    const auto both = interface_addresses({true, true});
    ASSERT_FALSE(both.empty());
    const bool only_loopback = both.front().is_loopback();
    for (const auto& address : both) {
        EXPECT_EQ(address.is_loopback(), only_loopback) << address;
        EXPECT_FALSE(address.is_v6() && address.to_v6().is_link_local()) << address;
        EXPECT_FALSE(address.is_unspecified());
    }
}

}  // namespace
}  // namespace squall::broker
