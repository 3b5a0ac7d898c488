#pragma once

#include <Ice/Object.h>

#include <memory>
#include <utility>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/route.hpp"

namespace squall::broker {

/// A publisher object: every operation, ice_ping and its like included, is an event for its route,
/// and is answered with success and an empty result (behaviour reference 1.3).
/// Threads: any.
class PublisherServant final : public Ice::BlobjectArray {
public:
    /// The ledger must outlive the servant.
    PublisherServant(event::Ledger& ledger, std::shared_ptr<pool::Route> route)
        : ledger_(ledger), route_(std::move(route)) {}

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                    std::vector<Ice::Byte>& results, const Ice::Current& current) override;

private:
    event::Ledger& ledger_;
    const std::shared_ptr<pool::Route> route_;
};

}  // namespace squall::broker
