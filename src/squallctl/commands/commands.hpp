#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "squallctl/error.hpp"
#include "squallctl/session.hpp"

namespace squall::ctl {

/// What the command line asks for; returns the exit code.
using Command = std::function<int(const BrokerOptions&)>;

/// Each adds one subcommand to `app`, which sets `chosen` (it must outlive the parsing).
void add_topics(CLI::App& app, Command& chosen);
void add_create(CLI::App& app, Command& chosen);
void add_destroy(CLI::App& app, Command& chosen);
void add_subscribers(CLI::App& app, Command& chosen);
void add_publish(CLI::App& app, Command& chosen);
void add_subscribe(CLI::App& app, Command& chosen);

/// Runs `action` for each topic; a failure of one is printed and does not keep the others from
/// being done.
template <class Action>
int for_each_topic(const std::vector<std::string>& topics, const Action& action) {
    int exit_code = kExitOk;
    for (const auto& topic : topics) {
        try {
            action(topic);
        } catch (const OperationError& e) {
            print_error(e.what());
            exit_code = kExitFailed;
        }
    }
    return exit_code;
}

}  // namespace squall::ctl
