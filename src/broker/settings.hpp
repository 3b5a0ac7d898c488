#pragma once

#include <Ice/PropertiesF.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace squall::broker {

/// Where a value comes from. Threads: immutable.
struct Origin {
    enum class Kind { kDefault, kFile, kCommandLine };

    Kind kind{Kind::kDefault};
    std::string file;  ///< as the user named it, for kFile only
};

/// "default", the name of the file, or "command line".
std::string to_string(const Origin& origin);

struct Setting {
    std::string value;
    Origin origin;
};

/// Properties by their whole names, sorted.
using Settings = std::map<std::string, Setting, std::less<>>;

/// Reads Ice property files, in order, then `arguments` ("--Name.Sub=Value", or "--Name.Sub" for
/// 1); what comes later wins, and an empty value unsets. Ice parses, into `properties`, so its
/// syntax and escapes hold, and Ice logs lines it cannot read and names of its own it does not
/// know.
/// Throws ConfigError, naming the file, when one cannot be read.
Settings read_settings(const std::vector<std::string>& files,
                       const std::vector<std::string>& arguments, Ice::Properties& properties);

}  // namespace squall::broker
