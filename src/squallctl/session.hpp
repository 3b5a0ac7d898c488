#pragma once

#include <Ice/Ice.h>
#include <slice/IceStorm.h>

#include <cstdint>
#include <memory>
#include <string>

#include "squallctl/error.hpp"

namespace squall::ctl {

/// How to reach the broker: the global options.
struct BrokerOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 10000;
    /// Identity category of the topic manager; empty: whichever the finder names, else "IceStorm".
    std::string instance;
    /// A topic manager proxy, instead of host, port and instance.
    std::string manager;
    /// What --Ice.X=Y and ICE_CONFIG set.
    Ice::PropertiesPtr properties;
};

/// A communicator and the broker's topic manager, found and checked.
/// Finding tries --manager, else IceStorm/Finder at host and port, else INSTANCE/TopicManager there
/// (IceStorm 3.7 has no finder in transient mode: behaviour reference 2.2).
/// Every call throws OperationError with a line for the operator, the constructor also UsageError.
/// Threads: used by the main thread.
class Session {
public:
    explicit Session(const BrokerOptions& options);

    const Ice::CommunicatorPtr& communicator() const { return communicator_.communicator(); }
    const std::shared_ptr<IceStorm::TopicManagerPrx>& manager() const { return manager_; }

    /// The broker in words, for messages: "the broker at 127.0.0.1:10000".
    const std::string& broker() const { return broker_; }

    /// Where calls on the manager go.
    Target target() const;

    /// Where calls on the topic go.
    Target topic_target(const std::string& topic) const;

    /// Runs calls on `target`: what the Ice run time throws becomes an OperationError, the
    /// exceptions of the Slice contract pass.
    template <class Calls>
    static auto call(const Target& target, const Calls& calls) {
        try {
            return calls();
        } catch (const Ice::LocalException&) {
            throw OperationError(explain(std::current_exception(), target));
        }
    }

    /// The topic; when there is none, the error ends with `advice`.
    std::shared_ptr<IceStorm::TopicPrx> retrieve(const std::string& topic,
                                                 const std::string& advice) const;

    /// Retrieves, else creates, in calls that IceStorm 3.7 knows.
    std::shared_ptr<IceStorm::TopicPrx> retrieve_or_create(const std::string& topic) const;

private:
    std::shared_ptr<IceStorm::TopicManagerPrx> find_at_address(const BrokerOptions& options) const;
    std::shared_ptr<Ice::ObjectPrx> parse(const std::string& proxy) const;
    std::shared_ptr<IceStorm::TopicManagerPrx> check(const std::shared_ptr<Ice::ObjectPrx>& proxy,
                                                     const Target& tried) const;

    Ice::CommunicatorHolder communicator_;
    std::string broker_;
    std::shared_ptr<IceStorm::TopicManagerPrx> manager_;
};

}  // namespace squall::ctl
