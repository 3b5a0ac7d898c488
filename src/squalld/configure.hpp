#pragma once

#include "broker/options_loader.hpp"
#include "squalld/command_line.hpp"

namespace squall::squalld {

/// Loads and checks the configuration that the command line names, endpoints included. Logs its
/// warnings to the logger `config`.
/// Throws broker::ConfigError.
broker::LoadedOptions configure(const CommandLine& command_line);

/// Logs what the broker runs with: version, store, pool and the subscribers' defaults.
void log_options(const broker::Options& options);

}  // namespace squall::squalld
