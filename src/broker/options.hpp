#pragma once

#include <chrono>
#include <string>

#include "publisher_pool/pool_options.hpp"

namespace squall::broker {

/// Level of each of IceStorm's trace categories; 0 is off, 1 operations and errors, 2 details.
struct TraceOptions {
    int topic_manager{0};  ///< [Trace.TopicManager]
    int topic{0};          ///< [Trace.Topic]
    int subscriber{0};     ///< [Trace.Subscriber]
};

/// The broker's effective configuration. The names in brackets are the properties, below the
/// service's prefix. Made by load_options(). Threads: immutable.
struct Options {
    /// Prefix of the properties, and what the ready line names. [--service-name]
    std::string service_name{"IceStorm"};
    /// Category of all identities but the finder's. [InstanceName]
    std::string instance_name{"IceStorm"};
    /// Longest that a stop waits for subscribers. [Shutdown.Timeout, seconds]
    std::chrono::seconds shutdown_timeout{10};
    TraceOptions trace;
    pool::PoolOptions pool;
};

}  // namespace squall::broker
