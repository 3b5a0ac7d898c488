#pragma once

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace squall::squalld {

/// What `squalld` was asked to do. Threads: immutable.
struct CommandLine {
    std::string service_name{"IceStorm"};
    /// Property files of --config and --Ice.Config (or ICE_CONFIG), in the order given.
    std::vector<std::string> config_files;
    /// "--Name.Sub=Value" and "--Name.Sub", in the order given.
    std::vector<std::string> properties;
    bool check_config{false};
};

/// Text to print on stdout instead of running: --help, --version.
struct Notice {
    std::string text;
};

/// The command line cannot be understood; one line that says what to write instead.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Parses the arguments behind the program's name. `ice_config` is the value of the environment
/// variable ICE_CONFIG, null when it is not set: its files are read when the arguments name none,
/// as Ice does. Throws UsageError.
std::variant<CommandLine, Notice> parse_command_line(const std::vector<std::string>& arguments,
                                                     const char* ice_config);

}  // namespace squall::squalld
