#pragma once

#include <Ice/Initialize.h>
#include <Ice/Properties.h>
#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <vector>

#include "broker/adapters.hpp"
#include "broker/control_plane.hpp"
#include "broker/options.hpp"
#include "broker/topic_applier.hpp"
#include "broker/topic_table.hpp"
#include "publisher_pool/publisher_pool.hpp"

namespace squall::broker {

/// Everything that a running broker consists of, wired together: the Ice run time with its two
/// adapters, the control plane, the pool. Lives once: constructed, activated, stopped.
/// Threads: confined to the owner's, except hurry().
class Runtime {
public:
    /// Binds the endpoints and starts the pool and the control plane, but accepts nothing yet.
    /// Throws StartError, and leaves nothing behind then.
    Runtime(const Options& options, const Ice::PropertiesPtr& properties);

    /// Begins to serve. Throws StartError.
    void activate();

    /// Accepts no more, answers what is in progress, delivers what was accepted within the
    /// configured time, and logs what was not. Call once, then end().
    void deliver_rest();

    /// Ends everything.
    void end();

    /// Ends the waiting of deliver_rest(), in progress or to come. Threads: any.
    void hurry() { pool_.cancel_drain(); }

    /// The topic manager's proxy with the endpoints that were bound, as a string.
    std::string topic_manager_proxy() const;

private:
    void log_endpoints() const;
    void log_undelivered(const std::vector<pool::Undelivered>& rows) const;

    const Options& options_;
    const std::shared_ptr<spdlog::logger> logger_;
    // In the order of their dependence: each uses those above it.
    TopicTable table_;
    ControlPlane control_;
    pool::PublisherPool pool_;
    Ice::CommunicatorHolder communicator_;
    Adapters adapters_;
    TopicApplier applier_;
};

}  // namespace squall::broker
