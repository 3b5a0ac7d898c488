#include <cstdio>
#include <memory>

#include "squallctl/commands/commands.hpp"

namespace squall::ctl {
namespace {

int run(const BrokerOptions& broker, const std::vector<std::string>& topics) {
    const Session session(broker);
    return for_each_topic(topics, [&](const std::string& topic) {
        try {
            Session::call(session.target(), [&] { return session.manager()->create(topic); });
        } catch (const IceStorm::TopicExists&) {
            throw OperationError("topic '" + topic + "' exists already on " + session.broker() +
                                 "; use it, or destroy it first with `squallctl destroy`");
        }
        std::printf("created %s\n", topic.c_str());
    });
}

}  // namespace

void add_create(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand("create", "Create topics");
    const auto topics = std::make_shared<std::vector<std::string>>();
    command->add_option("TOPIC", *topics, "Names of the topics")->required();
    command->footer("Example:\n  squallctl create orders prices");
    command->callback([&chosen, topics] {
        chosen = [topics](const BrokerOptions& broker) { return run(broker, *topics); };
    });
}

}  // namespace squall::ctl
