#pragma once

#include <Ice/PropertiesF.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "broker/options.hpp"
#include "broker/settings.hpp"

namespace squall::broker {

/// Where a configuration comes from. Threads: immutable.
struct OptionsSource {
    /// Prefix of the broker's own properties.
    std::string service_name{"IceStorm"};
    /// Ice property files, read in this order.
    std::vector<std::string> files;
    /// "--Name.Sub=Value" or "--Name.Sub"; these win over the files.
    std::vector<std::string> arguments;
    /// Processors of the host; what Publish.ThreadPool.Size defaults to.
    unsigned cores{std::thread::hardware_concurrency()};
};

/// A configuration, checked. Threads: immutable.
struct LoadedOptions {
    Options options;
    /// What the communicator is made with: everything effective, with the endpoints and thread
    /// pools of both adapters set ("<service>.TopicManager", "<service>.Publish").
    std::shared_ptr<Ice::Properties> properties;
    /// Every effective property by its whole name, with the value before it was fitted to Ice.
    Settings effective;
    /// What was accepted but deserves a word, one line each.
    std::vector<std::string> warnings;
};

/// Loads and checks a configuration: defaults, then files, then arguments. Property names,
/// defaults and accepted values are those of property_table().
/// Throws ConfigError with all problems that were found.
LoadedOptions load_options(const OptionsSource& source);

}  // namespace squall::broker
