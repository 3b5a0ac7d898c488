#include "squallctl/session.hpp"

namespace squall::ctl {
namespace {

constexpr const char* kDefaultInstance = "IceStorm";

/// Our defaults for what neither the command line nor a configuration file sets.
Ice::InitializationData initialization(const Ice::PropertiesPtr& properties) {
    const auto set_default = [&](const std::string& name, const std::string& value) {
        if (properties->getProperty(name).empty()) {
            properties->setProperty(name, value);
        }
    };
    set_default("Ice.Override.ConnectTimeout", "3000");
    set_default("Ice.Default.InvocationTimeout", "10000");
    // A broker that is stuck must not hold up our exit; what was written before is not lost.
    set_default("Ice.Override.CloseTimeout", "3000");
    // The broker's limits are the ones that count.
    set_default("Ice.MessageSizeMax", "0");
    // EventSender flushes by itself, and waits for what it flushed.
    set_default("Ice.BatchAutoFlushSize", "0");
    Ice::InitializationData data;
    data.properties = properties;
    return data;
}

std::string address_of(const BrokerOptions& options) {
    const bool is_ipv6 = options.host.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + options.host + "]" : options.host) + ":" + std::to_string(options.port);
}

}  // namespace

Session::Session(const BrokerOptions& options) : communicator_(initialization(options.properties)) {
    if (options.manager.empty()) {
        broker_ = "the broker at " + address_of(options);
        manager_ = find_at_address(options);
    } else {
        broker_ = "the topic manager '" + options.manager + "'";
        manager_ = check(parse(options.manager), target());
    }
}

Target Session::target() const {
    return {broker_, "start one with `squalld`, or say where it is with --host and --port",
            "name its IceStorm.InstanceName with --instance, or its proxy with --manager"};
}

Target Session::topic_target(const std::string& topic) const {
    Target target = this->target();
    target.name = "topic '" + topic + "' on " + broker_;
    target.when_absent = "it was destroyed meanwhile";
    return target;
}

std::shared_ptr<Ice::ObjectPrx> Session::parse(const std::string& proxy) const {
    std::string reason = "it is empty";
    try {
        if (auto parsed = communicator()->stringToProxy(proxy)) {
            return parsed;
        }
    } catch (const Ice::ProxyParseException& e) {
        reason = e.str;
    } catch (const Ice::EndpointParseException& e) {
        reason = e.str;
    } catch (const Ice::IdentityParseException& e) {
        reason = e.str;
    }
    throw UsageError("bad proxy '" + proxy + "': " + reason +
                     "; write for example 'IceStorm/TopicManager:tcp -h 127.0.0.1 -p 10000'");
}

std::shared_ptr<IceStorm::TopicManagerPrx> Session::find_at_address(
    const BrokerOptions& options) const {
    const auto base = parse("IceStorm/Finder:default -h \"" + options.host + "\" -p " +
                            std::to_string(options.port));
    const std::string instance = options.instance.empty() ? kDefaultInstance : options.instance;
    Target manager = target();
    std::shared_ptr<IceStorm::TopicManagerPrx> found;
    try {
        found = Ice::uncheckedCast<IceStorm::FinderPrx>(base)->getTopicManager();
    } catch (const Ice::ObjectNotExistException&) {
        const Ice::Identity identity{"TopicManager", instance};
        manager.name = "'" + communicator()->identityToString(identity) + "' on " + broker_;
        return check(base->ice_identity(identity), manager);
    } catch (const Ice::Exception&) {
        throw OperationError(explain(std::current_exception(), manager));
    }
    if (!found) {
        throw OperationError(broker_ + " names no topic manager; give it with --manager");
    }
    if (!options.instance.empty() && found->ice_getIdentity().category != instance) {
        throw OperationError(broker_ + " has the instance name '" +
                             found->ice_getIdentity().category + "', not '" + instance +
                             "'; leave out --instance, or say where the other one is with --port");
    }
    manager.name = "'" + found->ice_toString() + "', the topic manager that " + broker_ + " names";
    manager.when_unreachable =
        "correct the broker's IceStorm.TopicManager.PublishedEndpoints, or give a proxy that works "
        "from here with --manager";
    return check(found, manager);
}

std::shared_ptr<IceStorm::TopicManagerPrx> Session::check(
    const std::shared_ptr<Ice::ObjectPrx>& proxy, const Target& tried) const {
    std::shared_ptr<IceStorm::TopicManagerPrx> manager;
    try {
        manager = Ice::checkedCast<IceStorm::TopicManagerPrx>(proxy);
    } catch (const Ice::Exception&) {
        throw OperationError(explain(std::current_exception(), tried));
    }
    if (!manager) {
        throw OperationError(tried.name +
                             " is an object of another type; check --manager (the identity is "
                             "usually IceStorm/TopicManager)");
    }
    return manager;
}

std::shared_ptr<IceStorm::TopicPrx> Session::retrieve(const std::string& topic,
                                                      const std::string& advice) const {
    try {
        return call(target(), [&] { return manager_->retrieve(topic); });
    } catch (const IceStorm::NoSuchTopic&) {
        throw OperationError("there is no topic '" + topic + "' on " + broker_ + "; " + advice);
    }
}

std::shared_ptr<IceStorm::TopicPrx> Session::retrieve_or_create(const std::string& topic) const {
    return call(target(), [&] {
        try {
            return manager_->retrieve(topic);
        } catch (const IceStorm::NoSuchTopic&) {
        }
        try {
            return manager_->create(topic);
        } catch (const IceStorm::TopicExists&) {
            // Somebody else created it between the two calls.
            return manager_->retrieve(topic);
        }
    });
}

}  // namespace squall::ctl
