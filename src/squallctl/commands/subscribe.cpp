#include <algorithm>
#include <cstdio>
#include <memory>

#include "squallctl/commands/commands.hpp"
#include "squallctl/event_printer.hpp"
#include "squallctl/interrupt.hpp"
#include "squallctl/key_values.hpp"
#include "squallctl/summary.hpp"

namespace squall::ctl {
namespace {

// How often to ask whether the subscription still exists.
constexpr std::chrono::seconds kCheckInterval{5};

struct Options {
    std::string topic;
    std::string mode = "oneway";
    std::vector<std::string> qos;
    std::string endpoints;
    std::uint64_t count = 0;
    bool quiet = false;
    bool create = false;
};

/// A free port of the interface that leads to the broker: loopback, when the broker is on this
/// host.
std::string endpoints_towards(Ice::ObjectPrx& manager) {
    for (auto info = manager.ice_getConnection()->getInfo(); info; info = info->underlying) {
        if (const auto ip = std::dynamic_pointer_cast<Ice::IPConnectionInfo>(info)) {
            return "tcp -h \"" + ip->localAddress + "\"";
        }
    }
    return "tcp";
}

std::shared_ptr<Ice::ObjectAdapter> listen(const Session& session, const std::string& endpoints) {
    try {
        return session.communicator()->createObjectAdapterWithEndpoints("squallctl", endpoints);
    } catch (const Ice::EndpointParseException& e) {
        throw UsageError("bad endpoints '" + endpoints + "': " + e.str +
                         "; write for example 'tcp -h 192.0.2.7 -p 4061'");
    } catch (const Ice::LocalException&) {
        throw OperationError(explain(
            std::current_exception(),
            {"the endpoint '" + endpoints + "'", "choose another one with --endpoints", ""}));
    }
}

std::shared_ptr<Ice::ObjectPrx> in_mode(const std::shared_ptr<Ice::ObjectPrx>& proxy,
                                        const std::string& mode) {
    if (mode == "oneway") {
        return proxy->ice_oneway();
    }
    return mode == "batch" ? proxy->ice_batchOneway() : proxy->ice_twoway();
}

IceStorm::QoS qos_of(const Options& options) {
    auto qos = parse_key_values(options.qos, "--qos");
    if (options.mode == "ordered") {
        qos.emplace("reliability", "ordered");
    }
    return qos;
}

void subscribe(const Target& target, IceStorm::TopicPrx& topic, const IceStorm::QoS& qos,
               const std::shared_ptr<Ice::ObjectPrx>& subscriber) {
    try {
        Session::call(target, [&] { topic.subscribeAndGetPublisher(qos, subscriber); });
    } catch (const IceStorm::BadQoS& e) {
        throw OperationError("the broker refuses the QoS of this subscription: " + e.reason +
                             "; check --qos and --mode");
    }
}

/// Why it did not work, if so; that the topic is gone is as good.
std::string unsubscribe(const Target& target, IceStorm::TopicPrx& topic,
                        const std::shared_ptr<Ice::ObjectPrx>& subscriber) {
    try {
        topic.unsubscribe(subscriber);
    } catch (const Ice::ObjectNotExistException&) {
    } catch (const Ice::LocalException&) {
        return "cannot unsubscribe: " + explain(std::current_exception(), target);
    }
    return "";
}

/// Why the subscription is no more; empty while it is, as far as one can know.
std::string why_lost(const Session& session, IceStorm::TopicPrx& topic,
                     const Ice::Identity& subscriber) {
    try {
        const auto all = topic.getSubscribers();
        if (std::find(all.begin(), all.end(), subscriber) != all.end()) {
            return "";
        }
        return "the broker has removed the subscription: the topic was destroyed, or the broker's "
               "log says why (such as more than IceStorm.Send.QueueSizeMax events waiting)";
    } catch (const Ice::ObjectNotExistException&) {
        return "the topic was destroyed";
    } catch (const Ice::ConnectionRefusedException&) {
        return explain(std::current_exception(), session.target());
    } catch (const Ice::LocalException&) {
        // It may just be busy.
        return "";
    }
}

/// Until interrupted, or the subscription is lost: then the reason is returned.
std::string wait(const Interrupt& interrupt, const Session& session, IceStorm::TopicPrx& topic,
                 const Ice::Identity& subscriber) {
    std::string lost;
    while (lost.empty() && !interrupt.wait_until(Interrupt::Clock::now() + kCheckInterval)) {
        lost = why_lost(session, topic, subscriber);
    }
    return lost;
}

int run(const BrokerOptions& broker, const Options& options) {
    const auto qos = qos_of(options);
    Interrupt interrupt;
    const Session session(broker);
    const auto topic = options.create
                           ? session.retrieve_or_create(options.topic)
                           : session.retrieve(options.topic, "have it created with --create");
    const auto adapter = listen(
        session,
        options.endpoints.empty()
            ? Session::call(session.target(), [&] { return endpoints_towards(*session.manager()); })
            : options.endpoints);
    const auto printer = std::make_shared<EventPrinter>(options.count, options.quiet,
                                                        [&interrupt] { interrupt.stop(); });
    const Ice::Identity identity{Ice::generateUUID(), "squallctl"};
    const auto subscriber = in_mode(adapter->add(printer, identity), options.mode);
    adapter->activate();
    subscribe(session.topic_target(options.topic), *topic, qos, subscriber);
    std::printf("subscribed to %s (%s)\n", options.topic.c_str(), options.mode.c_str());
    std::fflush(stdout);

    std::string error = wait(interrupt, session, *topic, identity);
    if (error.empty()) {
        error = unsubscribe(session.topic_target(options.topic), *topic, subscriber);
    }
    const auto totals = printer->close();
    std::printf("%s\n", summarize("received", totals.events, totals.elapsed).c_str());
    if (error.empty() && totals.is_output_lost) {
        error = "cannot write to stdout";
    }
    if (!error.empty()) {
        throw OperationError(error);
    }
    return kExitOk;
}

}  // namespace

void add_subscribe(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand(
        "subscribe", "Subscribe to a topic and print its events until --count or Ctrl-C");
    const auto options = std::make_shared<Options>();
    command->add_option("TOPIC", options->topic, "The topic")->required();
    command->add_option("--mode", options->mode, "How the broker delivers")
        ->check(CLI::IsMember({"oneway", "twoway", "ordered", "batch"}))
        ->capture_default_str();
    command->add_option("--qos", options->qos, "Quality of service KEY=VALUE, repeatable")
        ->allow_extra_args(false);
    command->add_option("--count", options->count, "End after this many events; 0: never")
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "Count the events, do not print them");
    command->add_flag("--create", options->create, "Create the topic if there is none");
    command->add_option("--endpoints", options->endpoints,
                        "Ice endpoints to receive on; default: a free tcp port of the interface "
                        "that leads to the broker");
    command->footer("Example:\n  squallctl subscribe demo --create --mode ordered --count 10");
    command->callback([&chosen, options] {
        chosen = [options](const BrokerOptions& broker) { return run(broker, *options); };
    });
}

}  // namespace squall::ctl
