#include <cstdio>
#include <memory>

#include "squallctl/commands/commands.hpp"

namespace squall::ctl {
namespace {

int run(const BrokerOptions& broker, const std::vector<std::string>& topics) {
    const Session session(broker);
    return for_each_topic(topics, [&](const std::string& name) {
        const auto topic = session.retrieve(name, "`squallctl topics` lists those there are");
        Session::call(session.topic_target(name), [&] { topic->destroy(); });
        std::printf("destroyed %s\n", name.c_str());
    });
}

}  // namespace

void add_destroy(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand("destroy", "Destroy topics, with their subscriptions");
    const auto topics = std::make_shared<std::vector<std::string>>();
    command->add_option("TOPIC", *topics, "Names of the topics")->required();
    command->footer("Example:\n  squallctl destroy orders");
    command->callback([&chosen, topics] {
        chosen = [topics](const BrokerOptions& broker) { return run(broker, *topics); };
    });
}

}  // namespace squall::ctl
