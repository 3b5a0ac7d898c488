#include <Ice/Ice.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "squallctl/commands/commands.hpp"

namespace squall::ctl {
namespace {

void add_global_options(CLI::App& app, BrokerOptions& broker) {
    app.add_option("--host", broker.host, "Host of the broker")->capture_default_str();
    app.add_option("--port", broker.port, "Port of the broker's topic manager")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
    app.add_option("--instance", broker.instance,
                   "The broker's instance name (default: the one it has, or IceStorm)");
    app.add_option("--manager", broker.manager,
                   "Proxy of the topic manager, instead of host, port and instance");
    app.set_version_flag("--version", "squallctl " SQUALL_VERSION " (Ice " ICE_STRING_VERSION ")");
    app.footer(
        "Any --Ice.PROPERTY=VALUE goes to the Ice run time.\n"
        "Exit codes: 0 done, 1 failed, 2 wrong usage.\n\n"
        "Example:\n"
        "  squallctl subscribe demo --create &\n"
        "  squallctl publish demo say --text hello");
}

/// Takes the --Ice.X=Y options out of `arguments`.
Ice::PropertiesPtr take_ice_properties(Ice::StringSeq& arguments) {
    try {
        return Ice::createProperties(arguments);
    } catch (const Ice::FileException& e) {
        throw UsageError("cannot read the Ice configuration file '" + e.path +
                         "'; correct --Ice.Config or the environment's ICE_CONFIG");
    }
}

/// Parses and runs; the exit code.
int run(Ice::StringSeq arguments) {
    BrokerOptions broker;
    broker.properties = take_ice_properties(arguments);

    CLI::App app{"squallctl: look at and use a Squall or IceStorm broker", "squallctl"};
    app.require_subcommand(1);
    app.fallthrough();
    add_global_options(app, broker);
    Command chosen;
    for (const auto add :
         {add_topics, add_create, add_destroy, add_subscribers, add_publish, add_subscribe}) {
        add(app, chosen);
    }
    try {
        std::reverse(arguments.begin(), arguments.end());
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) {
            return app.exit(e);
        }
        throw UsageError(std::string(e.what()) + "; see `squallctl --help`");
    }
    return chosen(broker);
}

}  // namespace
}  // namespace squall::ctl

int main(int argc, char* argv[]) {
    using namespace squall::ctl;
    try {
        return run({argv + 1, argv + argc});
    } catch (const UsageError& e) {
        print_error(e.what());
        return kExitUsage;
    } catch (const std::exception& e) {
        print_error(e.what());
        return kExitFailed;
    }
}
