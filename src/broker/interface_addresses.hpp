#pragma once

#include <boost/asio/ip/address.hpp>
#include <vector>

namespace squall::broker {

/// Which families an address may have.
struct AddressFamilies {
    bool v4{true};
    bool v6{true};
};

/// The addresses by which other hosts reach this one: those of all interfaces that are up, without
/// loopback and link-local ones; if there are none, the loopback addresses. What a wildcard
/// endpoint stands for in proxies.
/// Threads: free function without state.
std::vector<boost::asio::ip::address> interface_addresses(AddressFamilies families);

}  // namespace squall::broker
