#include "broker/endpoint_check.hpp"

#include <Ice/Communicator.h>
#include <Ice/Initialize.h>
#include <Ice/LocalException.h>
#include <Ice/Properties.h>
#include <Ice/Proxy.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "broker/config_error.hpp"
#include "broker/endpoint_text.hpp"

namespace squall::broker {
namespace {

/// A message of Ice's, which may have several lines, as one.
std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

Ice::CommunicatorHolder parsing_communicator(Ice::Properties& properties) {
    Ice::InitializationData data;
    data.properties = Ice::createProperties();
    // Only what decides which endpoints are valid: the rest has effects outside, such as files.
    for (const char* prefix : {"Ice.Plugin.", "Ice.Default.", "Ice.IPv", "IceSSL."}) {
        for (const auto& [name, value] : properties.getPropertiesForPrefix(prefix)) {
            data.properties->setProperty(name, value);
        }
    }
    try {
        return Ice::CommunicatorHolder(data);
    } catch (const Ice::PluginInitializationException& error) {
        throw ConfigError("an Ice plug-in cannot be loaded: " + one_line(error.reason) +
                          "; see the Ice.Plugin.* and IceSSL.* properties");
    } catch (const Ice::EndpointParseException& error) {
        throw ConfigError("an endpoint in the Ice.Default.* properties is not valid: " + error.str);
    } catch (const Ice::ProxyParseException& error) {
        throw ConfigError("a proxy in the Ice.Default.* properties is not valid: " + error.str);
    } catch (const Ice::LocalException& error) {
        throw ConfigError(std::string{"the Ice run time cannot start: "} + one_line(error.what()));
    }
}

/// What is wrong with a stringified proxy; empty when nothing is.
std::string parse_problem(Ice::Communicator& communicator, const std::string& proxy) {
    try {
        communicator.stringToProxy(proxy);
        return {};
    } catch (const Ice::EndpointParseException& error) {
        return error.str;
    } catch (const Ice::ProxyParseException& error) {
        return error.str;
    } catch (const Ice::IdentityParseException& error) {
        return error.str;
    }
}

/// What is wrong with endpoints; empty when nothing is.
std::string endpoints_problem(Ice::Communicator& communicator, const std::string& endpoints) {
    const std::string proxy = "squall:" + without_star_hosts(endpoints, false);
    std::string reason = parse_problem(communicator, proxy);
    // Ice says no more of a transport it does not know.
    const auto quoted = reason.find(" in `squall:");
    if (quoted != std::string::npos) {
        reason.erase(quoted);
        reason +=
            "; write for example tcp -h 127.0.0.1 -p 10000, and load what other transports "
            "need with Ice.Plugin.* properties";
    }
    return reason;
}

}  // namespace

void check_endpoints(const LoadedOptions& loaded) {
    const Ice::CommunicatorHolder holder = parsing_communicator(*loaded.properties);
    Ice::Communicator& communicator = *holder.communicator();
    std::vector<std::string> problems;
    const auto check = [&](const std::string& name, auto problem_of) {
        const auto entry = loaded.effective.find(name);
        if (entry == loaded.effective.end()) {
            return;
        }
        const auto& [value, origin] = entry->second;
        const std::string reason = problem_of(communicator, value);
        if (!reason.empty()) {
            problems.push_back(to_string(origin) + ": " + name + "=" + value + ": " + reason);
        }
    };
    for (const char* adapter : {".TopicManager.", ".Publish."}) {
        const std::string prefix = loaded.options.service_name + adapter;
        check(prefix + "Endpoints", endpoints_problem);
        check(prefix + "PublishedEndpoints", endpoints_problem);
        check(prefix + "Locator", parse_problem);
        check(prefix + "Router", parse_problem);
    }
    if (!problems.empty()) {
        throw ConfigError(std::move(problems));
    }
}

}  // namespace squall::broker
