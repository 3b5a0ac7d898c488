#include "broker/runtime.hpp"

#include <Ice/LocalException.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "broker/ice_logger.hpp"
#include "broker/log_text.hpp"
#include "broker/start_error.hpp"
#include "broker/topic_manager_servant.hpp"
#include "broker/topic_servant.hpp"
#include "registry/memory_registry.hpp"

namespace squall::broker {
namespace {

Ice::CommunicatorHolder make_communicator(const Ice::PropertiesPtr& properties) {
    Ice::InitializationData data;
    data.properties = properties->clone();
    data.logger = std::make_shared<IceLogger>(find_logger("ice"));
    try {
        return Ice::CommunicatorHolder(Ice::initialize(data));
    } catch (const Ice::Exception& error) {
        throw StartError(fmt::format(
            "cannot start the Ice run time with the Ice.* properties given: {}", error.what()));
    }
}

}  // namespace

Runtime::Runtime(const Options& options, const Ice::PropertiesPtr& properties)
    : options_(options),
      logger_(find_logger("broker")),
      control_(std::make_unique<registry::MemoryRegistry>(), table_, options.trace, logger_),
      pool_(options.pool,
            [this](pool::SubscriptionId id, queue::RemovalReason reason) {
                control_.subscriber_failed(id, reason);
            }),
      communicator_(make_communicator(properties)),
      adapters_(communicator_.communicator(), options.service_name,
                Identities(options.instance_name), pool_, logger_),
      applier_(
          table_, pool_, adapters_,
          [this](const TopicRef& topic) {
              return std::make_shared<TopicServant>(control_, table_, adapters_, topic);
          },
          logger_) {
    pool_.start();
    control_.start(applier_);
    Ice::ObjectAdapter& adapter = adapters_.topic_manager();
    adapter.add(std::make_shared<TopicManagerServant>(control_, table_, adapters_),
                adapters_.identities().topic_manager());
    adapter.add(std::make_shared<FinderServant>(adapters_), Identities::finder());
}

void Runtime::activate() {
    adapters_.activate();
    log_endpoints();
}

void Runtime::deliver_rest() {
    logger_->info("stopping timeout_s={}", options_.shutdown_timeout.count());
    const auto deadline = std::chrono::steady_clock::now() + options_.shutdown_timeout;
    adapters_.stop_intake();
    const auto undelivered = pool_.drain(deadline);
    // From here on no failure says anything about a subscriber, so none is forgotten for it.
    control_.stop();
    log_undelivered(undelivered);
}

void Runtime::end() {
    pool_.stop();
    communicator_->destroy();
}

std::string Runtime::topic_manager_proxy() const {
    return adapters_.topic_manager_proxy()->ice_toString();
}

void Runtime::log_endpoints() const {
    const auto log_one = [&](const char* adapter, const std::string& endpoints) {
        logger_->info("serving adapter={}.{} endpoints={}", options_.service_name, adapter,
                      quoted(endpoints));
    };
    log_one("TopicManager", adapters_.topic_manager_endpoints());
    log_one("Publish", adapters_.publish_endpoints());
}

void Runtime::log_undelivered(const std::vector<pool::Undelivered>& rows) const {
    std::uint64_t events = 0;
    for (const pool::Undelivered& row : rows) {
        logger_->warn("undelivered topic={} sub={} events={}", quoted(row.topic),
                      quoted(row.identity), row.events);
        events += row.events;
    }
    logger_->info("stopped undelivered_subscribers={} undelivered_events={}", rows.size(), events);
}

}  // namespace squall::broker
