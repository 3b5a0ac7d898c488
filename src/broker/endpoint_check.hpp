#pragma once

#include "broker/options_loader.hpp"

namespace squall::broker {

/// Parses the endpoints and proxies of both adapters without opening anything or resolving a name,
/// so that a mistake in them is found at start (reported fault B99). Makes a communicator of its
/// own for that, with the transports that the properties load.
/// Throws ConfigError, which names origin, property, value and reason of each.
void check_endpoints(const LoadedOptions& loaded);

}  // namespace squall::broker
