#pragma once

#include <Ice/Communicator.h>
#include <Ice/ObjectAdapter.h>
#include <Ice/Proxy.h>
#include <slice/IceStormInternal.h>

#include <memory>
#include <string>

#include "broker/identities.hpp"

namespace squall::broker {

/// The broker's two object adapters, and proxies for what lives on them. All proxies carry the
/// adapter's published endpoints or adapter id (behaviour reference 2.3).
/// Threads: any, after construction; activate() and stop_intake() once each, by the owner's.
class Adapters {
public:
    /// Binds the endpoints of `<service>.TopicManager` and `<service>.Publish`; throws StartError.
    Adapters(const std::shared_ptr<Ice::Communicator>& communicator,
             const std::string& service_name, Identities identities);

    /// Begins to serve: TopicManager first, then Publish. Throws StartError.
    void activate();

    /// Accepts no more requests, waits until those in progress have been executed, and closes the
    /// connections gracefully in the background. Clients can delay it by a second at most.
    void stop_intake();

    const Identities& identities() const { return identities_; }
    Ice::ObjectAdapter& topic_manager() const { return *topic_manager_; }
    Ice::ObjectAdapter& publish() const { return *publish_; }

    std::shared_ptr<IceStorm::TopicManagerPrx> topic_manager_proxy() const;
    std::shared_ptr<IceStorm::TopicPrx> topic_proxy(const std::string& topic) const;
    std::shared_ptr<Ice::ObjectPrx> publisher_proxy(const std::string& topic) const;
    std::shared_ptr<IceStorm::TopicLinkPrx> link_proxy(const std::string& topic) const;
    std::shared_ptr<Ice::ObjectPrx> publisher_proxy_to(const std::string& topic,
                                                       const Ice::Identity& subscriber) const;

private:
    const Identities identities_;
    const std::shared_ptr<Ice::ObjectAdapter> topic_manager_;
    const std::shared_ptr<Ice::ObjectAdapter> publish_;
};

/// The endpoints that an adapter really has, as one string.
std::string endpoints_of(Ice::ObjectAdapter& adapter);

}  // namespace squall::broker
