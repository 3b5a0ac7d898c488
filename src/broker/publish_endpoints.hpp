#pragma once

#include <Ice/Communicator.h>
#include <Ice/Endpoint.h>

#include <cstddef>
#include <string>
#include <vector>

#include "publisher_pool/publisher_pool.hpp"

namespace squall::broker {

/// The endpoints of the Publish adapter: plain tcp is served by the pool, every other transport by
/// the Ice adapter, and proxies list them all in the order of the property.
/// Threads: confined to the owner's.
class PublishEndpoints {
public:
    /// Binds the tcp endpoints of the list at the pool. Throws what Ice would throw: of endpoints
    /// that cannot be parsed, names that do not resolve, addresses that cannot be bound.
    PublishEndpoints(Ice::Communicator& communicator, const std::string& endpoints,
                     pool::PublisherPool& pool);

    /// The endpoints that the Ice adapter must listen on; may be empty.
    std::string for_ice() const;

    /// All endpoints as clients should see them: `ice` are those that the adapter published.
    Ice::EndpointSeq published(const Ice::EndpointSeq& ice) const;

    /// Where the pool listens, for the log.
    std::string bound_by_pool() const;

private:
    struct Item {
        std::string text;  ///< as configured
        /// The endpoint as parsed: host, port, timeout, compression.
        Ice::EndpointPtr parsed;
        /// What clients see, if the pool serves it; else empty.
        std::vector<std::string> native;
        /// The endpoint with the port that was bound, if the pool serves it.
        std::string bound;
        /// As how many endpoints it stands in proxies.
        std::size_t addresses{1};
    };

    void bind(Item& item, const Ice::TCPEndpointInfo& info, pool::PublisherPool& pool);

    Ice::Communicator& communicator_;
    std::vector<Item> items_;
};

}  // namespace squall::broker
