#include "broker.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace example {
namespace {

constexpr std::chrono::milliseconds kRetryInterval{500};

std::string address_of(const BrokerOptions& options) {
    return "-h \"" + options.host + "\" -p " + std::to_string(options.port);
}

/// The topic manager: the finder knows it, whatever the broker's instance name. IceStorm 3.7 has no
/// finder when it keeps nothing on disk; then it is looked for under its default name.
std::shared_ptr<IceStorm::TopicManagerPrx> find_manager(const Ice::CommunicatorPtr& communicator,
                                                        const BrokerOptions& options) {
    const auto finder = communicator->stringToProxy("IceStorm/Finder:tcp " + address_of(options));
    try {
        return Ice::uncheckedCast<IceStorm::FinderPrx>(finder)->getTopicManager();
    } catch (const Ice::ObjectNotExistException&) {
        return Ice::uncheckedCast<IceStorm::TopicManagerPrx>(
            finder->ice_identity({"TopicManager", "IceStorm"}));
    }
}

/// createOrRetrieve in calls that IceStorm 3.7 knows too.
std::shared_ptr<IceStorm::TopicPrx> retrieve_or_create(IceStorm::TopicManagerPrx& manager,
                                                       const std::string& name) {
    try {
        return manager.retrieve(name);
    } catch (const IceStorm::NoSuchTopic&) {
    }
    try {
        return manager.create(name);
    } catch (const IceStorm::TopicExists&) {
        // Another program created it between the two calls.
        return manager.retrieve(name);
    }
}

}  // namespace

void add_options(CLI::App& app, BrokerOptions& options) {
    app.add_option("--host", options.host, "Host of the broker")->capture_default_str();
    app.add_option("--port", options.port, "Port of its topic manager")->capture_default_str();
    app.add_option("--wait", options.wait_seconds, "Seconds to wait for the broker")
        ->capture_default_str();
    app.add_option("--topic", options.topic, "Topic of the ticks")->capture_default_str();
}

std::shared_ptr<IceStorm::TopicPrx> find_topic(const Ice::CommunicatorPtr& communicator,
                                               const BrokerOptions& options) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(options.wait_seconds);
    const std::string broker = "the broker (tcp " + address_of(options) + ")";
    for (bool is_first = true;; is_first = false) {
        std::string reason;
        try {
            return retrieve_or_create(*find_manager(communicator, options), options.topic);
        } catch (const Ice::ObjectNotExistException& e) {
            reason = "it answers, but has no object " + communicator->identityToString(e.id);
        } catch (const Ice::ConnectionRefusedException&) {
            reason = "nothing is listening there";
        } catch (const Ice::Exception& e) {
            reason = e.ice_id();
        }
        if (Clock::now() >= deadline) {
            throw std::runtime_error("cannot find topic '" + options.topic + "' at " + broker +
                                     ": " + reason +
                                     "; start the broker with `squalld`, or give its address with "
                                     "--host and --port, or --wait SECONDS for it");
        }
        if (is_first) {
            std::fprintf(stderr, "waiting up to %d s for %s: %s\n", options.wait_seconds,
                         broker.c_str(), reason.c_str());
        }
        std::this_thread::sleep_for(kRetryInterval);
    }
}

std::string endpoint_towards(Ice::ObjectPrx& broker) {
    for (auto info = broker.ice_getConnection()->getInfo(); info; info = info->underlying) {
        if (const auto ip = std::dynamic_pointer_cast<Ice::IPConnectionInfo>(info)) {
            return "tcp -h \"" + ip->localAddress + "\"";
        }
    }
    return "tcp";
}

}  // namespace example
