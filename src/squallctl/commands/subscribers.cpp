#include <cstdio>
#include <memory>

#include "squallctl/commands/commands.hpp"

namespace squall::ctl {
namespace {

int run(const BrokerOptions& broker, const std::vector<std::string>& topics) {
    const Session session(broker);
    return for_each_topic(topics, [&](const std::string& name) {
        const auto topic = session.retrieve(name, "`squallctl topics` lists those there are");
        const auto identities =
            Session::call(session.topic_target(name), [&] { return topic->getSubscribers(); });
        std::printf("%s: %zu subscriber%s\n", name.c_str(), identities.size(),
                    identities.size() == 1 ? "" : "s");
        for (const auto& identity : identities) {
            std::printf("\t%s\n", session.communicator()->identityToString(identity).c_str());
        }
    });
}

}  // namespace

void add_subscribers(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand(
        "subscribers", "List the identities of the subscribers (linked topics too) of topics");
    const auto topics = std::make_shared<std::vector<std::string>>();
    command->add_option("TOPIC", *topics, "Names of the topics")->required();
    command->footer("Example:\n  squallctl subscribers orders");
    command->callback([&chosen, topics] {
        chosen = [topics](const BrokerOptions& broker) { return run(broker, *topics); };
    });
}

}  // namespace squall::ctl
