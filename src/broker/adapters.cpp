#include "broker/adapters.hpp"

#include <Ice/Endpoint.h>
#include <Ice/LocalException.h>
#include <Ice/Properties.h>
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <future>
#include <string_view>
#include <system_error>
#include <utility>

#include "broker/start_error.hpp"
#include "broker/unknown_identity_servant.hpp"

namespace squall::broker {
namespace {

/// How long a stop waits for requests in execution before it closes the connections.
constexpr std::chrono::seconds kHoldMax{1};

std::string endpoints_property(const std::string& adapter) {
    return adapter + ".Endpoints";
}

StartError start_error(const std::string& adapter, const std::string& value,
                       std::string_view reason) {
    return StartError(fmt::format("cannot start adapter {}: {}={}: {}", adapter,
                                  endpoints_property(adapter), value, reason));
}

std::string describe(const Ice::SocketException& error) {
    const std::string text = std::system_category().message(error.error);
    switch (error.error) {
        case EADDRINUSE:
            return text + ": another process listens there; stop it or choose another port";
        case EADDRNOTAVAIL:
            return text + ": choose a host address of this machine";
        case EACCES:
            return text + ": choose a port above 1023 or run with more rights";
        default:
            return text;
    }
}

/// Calls `action`, and turns whatever Ice reports of the adapter into a StartError.
template <class Action>
auto or_start_error(const std::string& adapter, const std::string& value, Action&& action) {
    try {
        return action();
    } catch (const Ice::SocketException& error) {
        throw start_error(adapter, value, describe(error));
    } catch (const Ice::DNSException& error) {
        throw start_error(adapter, value,
                          fmt::format("host {} cannot be resolved; choose an address or a name "
                                      "of this machine",
                                      error.host));
    } catch (const Ice::EndpointParseException& error) {
        throw start_error(
            adapter, value,
            fmt::format("{}; write endpoints like tcp -h 127.0.0.1 -p 10000", error.str));
    } catch (const Ice::InitializationException& error) {
        throw start_error(adapter, value, error.reason);
    } catch (const Ice::Exception& error) {
        throw start_error(adapter, value, error.what());
    }
}

std::string endpoints_value(const Ice::Communicator& communicator, const std::string& adapter) {
    return communicator.getProperties()->getProperty(endpoints_property(adapter));
}

void require_endpoints(const std::string& adapter, const std::string& value) {
    if (value.find_first_not_of(" \t") == std::string::npos) {
        throw start_error(adapter, value,
                          "it is empty; set it, for example to tcp -h 127.0.0.1 -p 0");
    }
}

std::shared_ptr<Ice::ObjectAdapter> create(const std::shared_ptr<Ice::Communicator>& communicator,
                                           const std::string& name) {
    const std::string value = endpoints_value(*communicator, name);
    require_endpoints(name, value);
    return or_start_error(name, value, [&] { return communicator->createObjectAdapter(name); });
}

/// The endpoints that an adapter really has, as one string.
std::string endpoints_of(Ice::ObjectAdapter& adapter) {
    std::string text;
    for (const auto& endpoint : adapter.getEndpoints()) {
        text += (text.empty() ? "" : ":") + endpoint->toString();
    }
    return text;
}

void activate_one(Ice::ObjectAdapter& adapter) {
    const std::string name = adapter.getName();
    or_start_error(name, endpoints_value(*adapter.getCommunicator(), name),
                   [&] { adapter.activate(); });
}

/// Ready when no request is in execution any more and none can begin.
std::future<void> wait_for_hold(const std::shared_ptr<Ice::ObjectAdapter>& adapter) {
    return std::async(std::launch::async, [adapter] {
        try {
            adapter->waitForHold();
        } catch (const Ice::ObjectAdapterDeactivatedException&) {
            // It was cut off before this thread came to wait.
            adapter->waitForDeactivate();
        }
    });
}

}  // namespace

Adapters::Adapters(const std::shared_ptr<Ice::Communicator>& communicator,
                   const std::string& service_name, Identities identities,
                   pool::PublisherPool& pool, const std::shared_ptr<spdlog::logger>& logger)
    : identities_(std::move(identities)),
      pool_(pool),
      topic_manager_(create(communicator, service_name + ".TopicManager")),
      publish_(create_publish(communicator, service_name + ".Publish")),
      publish_servant_(std::make_shared<PublishServant>(pool.ledger(), logger)) {
    topic_manager_->addDefaultServant(std::make_shared<UnknownIdentityServant>(logger), "");
    publish_->addDefaultServant(publish_servant_, "");
}

std::shared_ptr<Ice::ObjectAdapter> Adapters::create_publish(
    const std::shared_ptr<Ice::Communicator>& communicator, const std::string& name) {
    const std::string value = endpoints_value(*communicator, name);
    require_endpoints(name, value);
    return or_start_error(name, value, [&] {
        const auto properties = communicator->getProperties();
        publish_endpoints_.emplace(*communicator, value, pool_);
        properties->setProperty(endpoints_property(name), publish_endpoints_->for_ice());
        const auto adapter = communicator->createObjectAdapter(name);
        properties->setProperty(endpoints_property(name), value);
        const bool given = !properties->getProperty(name + ".PublishedEndpoints").empty();
        if (!given && properties->getProperty(name + ".Router").empty()) {
            adapter->setPublishedEndpoints(
                publish_endpoints_->published(adapter->getPublishedEndpoints()));
        }
        return adapter;
    });
}

void Adapters::activate() {
    activate_one(*topic_manager_);
    activate_one(*publish_);
    pool_.accept();
}

void Adapters::stop_intake() {
    // Holding first, because waiting for deactivation would also wait for every client to close
    // its end of the connection.
    topic_manager_->hold();
    publish_->hold();
    std::future<void> topic_manager_held = wait_for_hold(topic_manager_);
    std::future<void> publish_held = wait_for_hold(publish_);
    // A client that never ends its handshake would make Ice wait for it, until it is cut off.
    const auto deadline = std::chrono::steady_clock::now() + kHoldMax;
    pool_.stop_intake(deadline);
    topic_manager_held.wait_until(deadline);
    publish_held.wait_until(deadline);
    topic_manager_->deactivate();
    publish_->deactivate();
    topic_manager_held.get();
    publish_held.get();
}

std::shared_ptr<IceStorm::TopicManagerPrx> Adapters::topic_manager_proxy() const {
    return Ice::uncheckedCast<IceStorm::TopicManagerPrx>(
        topic_manager_->createProxy(identities_.topic_manager()));
}

std::shared_ptr<IceStorm::TopicPrx> Adapters::topic_proxy(const std::string& topic) const {
    return Ice::uncheckedCast<IceStorm::TopicPrx>(
        topic_manager_->createProxy(identities_.topic(topic)));
}

std::shared_ptr<Ice::ObjectPrx> Adapters::publisher_proxy(const std::string& topic) const {
    return publish_->createProxy(identities_.publisher(topic));
}

std::shared_ptr<IceStorm::TopicLinkPrx> Adapters::link_proxy(const std::string& topic) const {
    return Ice::uncheckedCast<IceStorm::TopicLinkPrx>(
        publish_->createProxy(identities_.link(topic)));
}

std::shared_ptr<Ice::ObjectPrx> Adapters::publisher_proxy_to(
    const std::string& topic, const Ice::Identity& subscriber) const {
    return publish_->createProxy(identities_.publisher_to(topic, subscriber));
}

void Adapters::serve(const Ice::Identity& identity, pool::ServedObject::Kind kind,
                     std::shared_ptr<pool::Route> route) const {
    const pool::ServedObjectPtr object =
        pool::served_object(identity.name, identity.category, kind, std::move(route));
    publish_servant_->serve(object);
    pool_.serve(object);
}

void Adapters::withdraw(const std::vector<Ice::Identity>& identities) const {
    pool_.withdraw(identities);
    for (const Ice::Identity& identity : identities) {
        publish_servant_->withdraw(identity);
    }
}

std::string Adapters::topic_manager_endpoints() const {
    return endpoints_of(*topic_manager_);
}

std::string Adapters::publish_endpoints() const {
    const std::string by_pool = publish_endpoints_->bound_by_pool();
    const std::string by_ice = endpoints_of(*publish_);
    return by_pool + (by_pool.empty() || by_ice.empty() ? "" : ":") + by_ice;
}

void remove_servant(Ice::ObjectAdapter& adapter, const Ice::Identity& identity) {
    try {
        adapter.remove(identity);
    } catch (const Ice::NotRegisteredException&) {
    } catch (const Ice::ObjectAdapterDeactivatedException&) {
        // The broker is stopping: nobody can reach the servant any more.
    }
}

}  // namespace squall::broker
