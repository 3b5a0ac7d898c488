#include "broker/interface_addresses.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cstring>
#include <memory>
#include <optional>

namespace squall::broker {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> address_of(const sockaddr* socket_address) {
    if (socket_address == nullptr) {
        return std::nullopt;
    }
    if (socket_address->sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, socket_address, sizeof v4);
        return ip::address_v4(ntohl(v4.sin_addr.s_addr));
    }
    if (socket_address->sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, socket_address, sizeof v6);
        ip::address_v6::bytes_type bytes;
        std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
        return ip::address_v6(bytes);
    }
    return std::nullopt;
}

bool reachable(const ip::address& address, AddressFamilies families) {
    if (address.is_v4()) {
        return families.v4;
    }
    return families.v6 && !address.to_v6().is_link_local();
}

}  // namespace

std::vector<ip::address> interface_addresses(AddressFamilies families) {
    std::vector<ip::address> addresses;
    std::vector<ip::address> loopback;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) == 0) {
        const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
        for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
            const auto address = address_of(entry->ifa_addr);
            if (address && (entry->ifa_flags & IFF_UP) != 0 && reachable(*address, families)) {
                (address->is_loopback() ? loopback : addresses).push_back(*address);
            }
        }
    }
    return addresses.empty() ? loopback : addresses;
}

}  // namespace squall::broker
