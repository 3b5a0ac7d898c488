#include <cstdio>

#include "squallctl/commands/commands.hpp"

namespace squall::ctl {
namespace {

int run(const BrokerOptions& broker) {
    const Session session(broker);
    const auto topics =
        Session::call(session.target(), [&] { return session.manager()->retrieveAll(); });
    for (const auto& [name, proxy] : topics) {
        std::printf("%s\n", name.c_str());
    }
    return kExitOk;
}

}  // namespace

void add_topics(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand("topics", "List the topics, one name a line, sorted");
    command->footer("Example:\n  squallctl topics");
    command->callback([&chosen] { chosen = run; });
}

}  // namespace squall::ctl
