#pragma once

#include "publisher_options.hpp"

namespace squall::bench {

/// What main() of a publisher does: parses the command line and publishes; an exception is printed
/// behind the program's name. Returns the exit status.
/// Threads: free function without state.
int publisher_main(int argc, char* argv[], void (*publish)(const PublisherOptions&));

}  // namespace squall::bench
