#pragma once

#include <Ice/Communicator.h>
#include <Ice/ObjectAdapter.h>
#include <Ice/Proxy.h>
#include <slice/IceStormInternal.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broker/identities.hpp"
#include "broker/publish_endpoints.hpp"
#include "broker/publish_servant.hpp"
#include "publisher_pool/publisher_pool.hpp"

namespace squall::broker {

/// The broker's two object adapters, and proxies for what lives on them. All proxies carry the
/// adapter's published endpoints or adapter id (behaviour reference 2.3).
/// Threads: any, after construction; activate() and stop_intake() once each, by the owner's.
class Adapters {
public:
    /// Binds the endpoints of `<service>.TopicManager` and `<service>.Publish`, the plain tcp ones
    /// of the latter at the pool, which must outlive this; throws StartError.
    Adapters(const std::shared_ptr<Ice::Communicator>& communicator,
             const std::string& service_name, Identities identities, pool::PublisherPool& pool,
             const std::shared_ptr<spdlog::logger>& logger);

    /// Begins to serve: TopicManager first, then Publish. Throws StartError.
    void activate();

    /// Accepts no more requests, waits until those in progress have been executed, and closes the
    /// connections gracefully in the background. Clients can delay it by a second at most.
    void stop_intake();

    /// Makes an object of the Publish adapter reachable, over every transport. Throws
    /// std::runtime_error where another one has that identity.
    void serve(const Ice::Identity& identity, pool::ServedObject::Kind kind,
               std::shared_ptr<pool::Route> route) const;
    void withdraw(const std::vector<Ice::Identity>& identities) const;

    const Identities& identities() const { return identities_; }
    Ice::ObjectAdapter& topic_manager() const { return *topic_manager_; }

    /// Where each listens, as text for the log.
    std::string topic_manager_endpoints() const;
    std::string publish_endpoints() const;

    std::shared_ptr<IceStorm::TopicManagerPrx> topic_manager_proxy() const;
    std::shared_ptr<IceStorm::TopicPrx> topic_proxy(const std::string& topic) const;
    std::shared_ptr<Ice::ObjectPrx> publisher_proxy(const std::string& topic) const;
    std::shared_ptr<IceStorm::TopicLinkPrx> link_proxy(const std::string& topic) const;
    std::shared_ptr<Ice::ObjectPrx> publisher_proxy_to(const std::string& topic,
                                                       const Ice::Identity& subscriber) const;

private:
    std::shared_ptr<Ice::ObjectAdapter> create_publish(
        const std::shared_ptr<Ice::Communicator>& communicator, const std::string& name);

    const Identities identities_;
    pool::PublisherPool& pool_;
    std::optional<PublishEndpoints> publish_endpoints_;  ///< set with publish_, then constant
    const std::shared_ptr<Ice::ObjectAdapter> topic_manager_;
    const std::shared_ptr<Ice::ObjectAdapter> publish_;
    const std::shared_ptr<PublishServant> publish_servant_;
};

/// Takes a servant off its adapter; one that is not there is no error.
void remove_servant(Ice::ObjectAdapter& adapter, const Ice::Identity& identity);

}  // namespace squall::broker
