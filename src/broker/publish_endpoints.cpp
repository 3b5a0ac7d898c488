#include "broker/publish_endpoints.hpp"

#include <Ice/EndpointTypes.h>
#include <Ice/LocalException.h>
#include <Ice/Properties.h>
#include <Ice/Proxy.h>
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "broker/endpoint_text.hpp"
#include "broker/interface_addresses.hpp"

namespace squall::broker {
namespace {

namespace ip = boost::asio::ip;
using ip::tcp;

AddressFamilies families_of(Ice::Communicator& communicator) {
    const auto properties = communicator.getProperties();
    return {properties->getPropertyAsIntWithDefault("Ice.IPv4", 1) > 0,
            properties->getPropertyAsIntWithDefault("Ice.IPv6", 1) > 0};
}

Ice::EndpointSeq parse(Ice::Communicator& communicator, const std::string& endpoints) {
    const std::string without_stars = without_star_hosts(endpoints, families_of(communicator).v6);
    return communicator.stringToProxy("squall:" + without_stars)->ice_getEndpoints();
}

std::shared_ptr<Ice::TCPEndpointInfo> plain_tcp(const Ice::Endpoint& endpoint) {
    auto info = std::dynamic_pointer_cast<Ice::TCPEndpointInfo>(endpoint.getInfo());
    return info && info->type() == Ice::TCPEndpointType ? info : nullptr;
}

/// The host as an address that stands for all of this machine's; nothing if it is not one.
std::optional<ip::address> wildcard(const std::string& host, AddressFamilies families) {
    if (host.empty()) {
        return families.v6 ? ip::address(ip::address_v6::any()) : ip::address_v4::any();
    }
    boost::system::error_code no_address;
    const ip::address address = ip::make_address(host, no_address);
    return !no_address && address.is_unspecified() ? std::optional(address) : std::nullopt;
}

std::string host_of(const Ice::Endpoint& endpoint) {
    Ice::EndpointInfoPtr info = endpoint.getInfo();
    while (info->underlying) {
        info = info->underlying;
    }
    const auto ip_info = std::dynamic_pointer_cast<Ice::IPEndpointInfo>(info);
    return ip_info ? ip_info->host : "unknown";
}

/// The hosts that proxies list for an endpoint with this host.
std::vector<std::string> published_hosts(const std::string& host, AddressFamilies families) {
    const auto any = wildcard(host, families);
    if (!any) {
        return {host};
    }
    families.v6 = families.v6 && any->is_v6();
    std::vector<std::string> hosts;
    for (const ip::address& address : interface_addresses(families)) {
        hosts.push_back(address.to_string());
    }
    return hosts;
}

/// The addresses to bind for a host, IPv4 first as Ice prefers it.
std::vector<ip::address> resolve(const std::string& host, AddressFamilies families) {
    if (const auto any = wildcard(host, families)) {
        if (any->is_v4() ? families.v4 : families.v6) {
            return {*any};
        }
        throw Ice::DNSException(__FILE__, __LINE__, EAI_NONAME, host);  // as Ice refuses it
    }
    boost::asio::io_context io;
    boost::system::error_code error;
    const auto results = tcp::resolver(io).resolve(host, "0", error);
    std::vector<ip::address> addresses;
    for (const auto& result : results) {
        const ip::address address = result.endpoint().address();
        if (address.is_v4() ? families.v4 : families.v6) {
            addresses.push_back(address);
        }
    }
    if (addresses.empty()) {
        throw Ice::DNSException(__FILE__, __LINE__, error.value(), host);
    }
    std::stable_sort(addresses.begin(), addresses.end(),
                     [](const auto& a, const auto& b) { return a.is_v4() && b.is_v6(); });
    return addresses;
}

/// A machine without IPv6 may still list its addresses in the hosts file.
bool family_missing(int error) {
    return error == EAFNOSUPPORT || error == EADDRNOTAVAIL;
}

/// Binds all addresses of the host to one port, which is chosen with the first one if it is 0.
unsigned short listen(const std::string& host, unsigned short port, AddressFamilies families,
                      pool::PublisherPool& pool) {
    std::vector<ip::address> addresses = resolve(host, families);
    bool first = true;
    for (ip::address address : addresses) {
        try {
            const bool dual_stack = address.is_unspecified() && families.v4;
            port = pool.listen({address, port}, dual_stack).port();
        } catch (const boost::system::system_error& error) {
            const int code = error.code().value();
            if (address.is_v6() && address.is_unspecified() && family_missing(code)) {
                port = listen("0.0.0.0", port, families, pool);
            } else if (first || !family_missing(code)) {
                throw Ice::SocketException(__FILE__, __LINE__, code);
            }
        }
        first = false;
    }
    return port;
}

std::string to_text(const std::string& host, unsigned short port,
                    const Ice::TCPEndpointInfo& info) {
    const std::string host_option = host.empty() ? "" : " -h \"" + host + '"';
    const std::string timeout = info.timeout < 0 ? "infinite" : std::to_string(info.timeout);
    return fmt::format("tcp{} -p {} -t {}{}", host_option, port, timeout,
                       info.compress ? " -z" : "");
}

}  // namespace

PublishEndpoints::PublishEndpoints(Ice::Communicator& communicator, const std::string& endpoints,
                                   pool::PublisherPool& pool)
    : communicator_(communicator) {
    for (const std::string& text : split_endpoints(endpoints)) {
        Item item{text, parse(communicator, text).front(), {}, {}, 1};
        if (const auto info = plain_tcp(*item.parsed)) {
            bind(item, *info, pool);
        } else {
            item.addresses =
                published_hosts(host_of(*item.parsed), families_of(communicator)).size();
        }
        items_.push_back(std::move(item));
    }
}

void PublishEndpoints::bind(Item& item, const Ice::TCPEndpointInfo& info,
                            pool::PublisherPool& pool) {
    const AddressFamilies families = families_of(communicator_);
    const unsigned short port =
        listen(info.host, static_cast<unsigned short>(info.port), families, pool);
    for (const std::string& host : published_hosts(info.host, families)) {
        item.native.push_back(to_text(host, port, info));
    }
    item.bound = to_text(info.host, port, info);
}

std::string PublishEndpoints::for_ice() const {
    std::vector<std::string> texts;
    for (const Item& item : items_) {
        if (item.native.empty()) {
            texts.push_back(item.text);
        }
    }
    return join_endpoints(texts);
}

std::string PublishEndpoints::bound_by_pool() const {
    std::vector<std::string> texts;
    for (const Item& item : items_) {
        if (!item.native.empty()) {
            texts.push_back(item.bound);
        }
    }
    return join_endpoints(texts);
}

Ice::EndpointSeq PublishEndpoints::published(const Ice::EndpointSeq& ice) const {
    Ice::EndpointSeq all;
    auto next = ice.begin();
    for (const Item& item : items_) {
        if (!item.native.empty()) {
            const Ice::EndpointSeq native = parse(communicator_, join_endpoints(item.native));
            all.insert(all.end(), native.begin(), native.end());
            continue;
        }
        for (std::size_t i = 0; i < item.addresses && next != ice.end(); ++i) {
            all.push_back(*next++);
        }
    }
    all.insert(all.end(), next, ice.end());
    return all;
}

}  // namespace squall::broker
