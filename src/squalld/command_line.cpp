#include "squalld/command_line.hpp"

#include <spdlog/fmt/fmt.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <string_view>

#include "broker/integer_text.hpp"
#include "broker/nearest_name.hpp"

namespace squall::squalld {
namespace {

constexpr const char* kFooter =
    "Any --Name.Sub=Value (or --Name.Sub for 1) is a property and wins over the files;\n"
    "docs/configuration.md lists them. With no configuration at all squalld serves on loopback,\n"
    "topic manager on port 10000, publishers on 10001, and keeps everything in memory.\n"
    "Prints \"<service name> ready\" when it can serve. Exit status: 0 stopped as asked,\n"
    "1 the start failed, 2 wrong command line or configuration.";

/// Whether an argument has the form "--Name.Sub=Value" or "--Name.Sub".
bool is_property(std::string_view argument) {
    if (!argument.starts_with("--")) {
        return false;
    }
    const std::string_view name = argument.substr(2, argument.find('=') - 2);
    const auto dot = name.find('.');
    const bool has_inner_dot = dot != std::string_view::npos && dot > 0 && !name.ends_with('.');
    return has_inner_dot && !name.starts_with('-') &&
           name.find_first_of(" \t") == std::string_view::npos;
}

UsageError unknown_argument(const std::string& argument) {
    const std::string option = argument.substr(0, argument.find('='));
    const auto near = broker::nearest_name(
        option, {"--config", "--service-name", "--check-config", "--version", "--help"});
    if (argument.starts_with('-') && near) {
        return UsageError(fmt::format("unknown option '{}'; did you mean {}?", option, *near));
    }
    return UsageError(fmt::format(
        "{} '{}'; a property is written --Name.Sub=Value, a configuration file --config FILE",
        argument.starts_with('-') ? "unknown option" : "unexpected argument", argument));
}

/// Adds the files of one --config or --Ice.Config, which is a comma list.
void add_files(std::string_view list, std::vector<std::string>& files) {
    while (true) {
        const auto comma = list.find(',');
        const std::string_view file = broker::trimmed(list.substr(0, comma));
        if (file.empty()) {
            throw UsageError("--config needs the name of a file, or several with commas between");
        }
        files.emplace_back(file);
        if (comma == std::string_view::npos) {
            return;
        }
        list.remove_prefix(comma + 1);
    }
}

}  // namespace

std::variant<CommandLine, Notice> parse_command_line(const std::vector<std::string>& arguments,
                                                     const char* ice_config) {
    CommandLine result;
    std::vector<std::string> file_lists;
    CLI::App app{"squalld: a publish/subscribe broker for IceStorm's clients", "squalld"};
    app.allow_extras();
    app.footer(kFooter);
    app.set_version_flag("--version", "squalld " SQUALL_VERSION, "Print the version and exit");
    app.add_option("--config,--Ice.Config", file_lists,
                   "Ice property files, commas between; later ones win (default: $ICE_CONFIG)")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--service-name", result.service_name, "Prefix of the broker's properties")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_flag("--check-config", result.check_config,
                 "Print the effective configuration, or what is wrong with it");
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        return Notice{app.help()};
    } catch (const CLI::CallForVersion& version) {
        return Notice{std::string{version.what()} + "\n"};
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    if (file_lists.empty() && ice_config != nullptr && *ice_config != '\0') {
        file_lists.emplace_back(ice_config);
    }
    for (const std::string& list : file_lists) {
        add_files(list, result.config_files);
    }
    for (const std::string& argument : app.remaining()) {
        if (!is_property(argument)) {
            throw unknown_argument(argument);
        }
        result.properties.push_back(argument);
    }
    return result;
}

}  // namespace squall::squalld
