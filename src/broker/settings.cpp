#include "broker/settings.hpp"

#include <Ice/LocalException.h>
#include <Ice/Properties.h>

#include <filesystem>
#include <system_error>

#include "broker/config_error.hpp"

namespace squall::broker {
namespace {

void load_file(Ice::Properties& properties, const std::string& file) {
    // Ice reads a folder as an empty file.
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw ConfigError(file + ": is a folder; name a configuration file");
    }
    try {
        properties.load(file);
    } catch (const Ice::FileException& error) {
        throw ConfigError(file + ": cannot read the configuration file: " +
                          std::generic_category().message(error.error));
    }
}

/// Brings `settings` up to date with `properties`; what is new or changed is from `origin`.
void take_over(Ice::Properties& properties, const Origin& origin, Settings& settings) {
    const auto values = properties.getPropertiesForPrefix("");
    std::erase_if(settings, [&](const auto& entry) { return !values.contains(entry.first); });
    for (const auto& [name, value] : values) {
        const auto [entry, added] = settings.try_emplace(name, Setting{value, origin});
        if (!added && entry->second.value != value) {
            entry->second = Setting{value, origin};
        }
    }
}

}  // namespace

std::string to_string(const Origin& origin) {
    switch (origin.kind) {
        case Origin::Kind::kFile:
            return origin.file;
        case Origin::Kind::kCommandLine:
            return "command line";
        case Origin::Kind::kDefault:
            break;
    }
    return "default";
}

Settings read_settings(const std::vector<std::string>& files,
                       const std::vector<std::string>& arguments, Ice::Properties& properties) {
    Settings settings;
    for (const auto& file : files) {
        load_file(properties, file);
        take_over(properties, Origin{Origin::Kind::kFile, file}, settings);
    }
    properties.parseCommandLineOptions("", arguments);
    take_over(properties, Origin{Origin::Kind::kCommandLine, {}}, settings);
    return settings;
}

}  // namespace squall::broker
