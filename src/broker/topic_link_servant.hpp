#pragma once

#include <slice/IceStormInternal.h>
#include <spdlog/logger.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "event_store/ledger.hpp"
#include "publisher_pool/route.hpp"

namespace squall::broker {

/// Receives what another broker forwards to a topic over a link.
/// Threads: any.
class TopicLinkServant final : public IceStorm::TopicLink {
public:
    /// The ledger must outlive the servant.
    TopicLinkServant(event::Ledger& ledger, std::shared_ptr<pool::Route> route, std::string topic,
                     std::shared_ptr<spdlog::logger> logger)
        : ledger_(ledger),
          route_(std::move(route)),
          topic_(std::move(topic)),
          logger_(std::move(logger)) {}

    /// Publishes the events in order. One whose data is no encapsulation is skipped, the others
    /// are not harmed.
    void forward(IceStorm::EventDataSeq events, const Ice::Current& current) override;

private:
    void skipped(const IceStorm::EventData& event, const Ice::Current& current);

    event::Ledger& ledger_;
    const std::shared_ptr<pool::Route> route_;
    const std::string topic_;
    const std::shared_ptr<spdlog::logger> logger_;
    /// Counts alone; pairs with nothing.
    std::atomic<std::uint64_t> skipped_{0};
};

}  // namespace squall::broker
