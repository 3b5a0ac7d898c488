#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "broker/property_table.hpp"
#include "support/temp_dir.hpp"
#include "unit/broker/config_fixture.hpp"

namespace squall::broker {
namespace {

using testing::IsEmpty;

std::string read(const std::string& file) {
    std::ifstream in(std::string{SQUALL_SOURCE_DIR "/"} + file);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_FALSE(text.str().empty()) << file << " cannot be read";
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The cells of a Markdown table row, without the blanks around them.
std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream in(row.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) {
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos
                            ? ""
                            : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
    return cells;
}

/// What stands between backticks in a cell.
std::vector<std::string> code_in(const std::string& cell) {
    std::vector<std::string> parts;
    std::istringstream in(cell);
    bool inside = false;
    for (std::string part; std::getline(in, part, '`'); inside = !inside) {
        if (inside) {
            parts.push_back(part);
        }
    }
    return parts;
}

/// The rows of the table below a heading of docs/configuration.md, by property name.
std::map<std::string, std::vector<std::string>> documented(const std::string& heading) {
    std::map<std::string, std::vector<std::string>> rows;
    bool below = false;
    for (const auto& line : lines_of(read("docs/configuration.md"))) {
        if (line.starts_with("## ")) {
            below = line == "## " + heading;
        } else if (below && line.starts_with("| `")) {
            const auto cells = cells_of(line);
            for (const auto& name : code_in(cells.at(0))) {
                EXPECT_TRUE(rows.emplace(name, cells).second) << name << " stands there twice";
            }
        }
    }
    return rows;
}

/// The properties of config/squall.conf, name to value.
std::map<std::string, std::string> sample_properties() {
    std::map<std::string, std::string> properties;
    for (const auto& line : lines_of(read("config/squall.conf"))) {
        EXPECT_TRUE(line.empty() || line.starts_with("#")) << "in effect: " << line;
        if (line.size() > 1 && line[1] != ' ') {
            const auto equals = line.find('=');
            const std::string name = line.substr(1, equals - 1);
            EXPECT_TRUE(properties.emplace(name, line.substr(equals + 1)).second)
                << name << " stands there twice";
        }
    }
    return properties;
}

TEST(ConfigurationDocsTest, SupportedTableIsThatOfTheCode) {
    auto rows = documented("Supported properties");
    for (const Property& property : property_table()) {
        if (property.support != Support::kSupported) {
            continue;
        }
        const auto row = rows.extract(property.name);
        ASSERT_FALSE(row.empty()) << property.name << " is not documented";
        const auto& cells = row.mapped();
        ASSERT_EQ(cells.size(), 5U) << property.name;
        const auto default_text = code_in(cells[1]);
        EXPECT_EQ(default_text.empty() ? "" : default_text[0], property.default_text)
            << property.name;
        EXPECT_EQ(cells[2], property.unit) << property.name;
        EXPECT_EQ(cells[3], property.values) << property.name;
        EXPECT_FALSE(cells[4].empty()) << property.name;
    }
    for (const auto& [name, cells] : rows) {
        ADD_FAILURE() << name << " is documented as supported, but is not";
    }
}

TEST(ConfigurationDocsTest, IgnoredTableIsThatOfTheCode) {
    auto rows = documented("Accepted and ignored");
    for (const Property& property : property_table()) {
        if (property.support != Support::kSupported) {
            EXPECT_EQ(rows.erase(property.name), 1U) << property.name << " is not documented";
        }
    }
    for (const auto& [name, cells] : rows) {
        ADD_FAILURE() << name << " is documented as ignored, but is not";
    }
}

TEST(ConfigurationDocsTest, SampleHasEveryPropertyAtItsDefault) {
    auto sample = sample_properties();
    for (const Property& property : property_table()) {
        if (property.support != Support::kSupported || property.is_pattern()) {
            continue;
        }
        const auto entry = sample.extract(full_name(property, "IceStorm"));
        ASSERT_FALSE(entry.empty()) << property.name << " is not in config/squall.conf";
        EXPECT_EQ(entry.mapped(), property.default_text) << property.name;
    }
    for (const auto& [name, value] : sample) {
        ADD_FAILURE() << name << " stands in config/squall.conf, but is not supported";
    }
}

TEST(ConfigurationDocsTest, SampleChangesNothingWhenUncommented) {
    std::string text;
    for (const auto& [name, value] : sample_properties()) {
        text += name + "=" + value + "\n";
    }
    const test::TempDir folder;
    OptionsSource source;
    source.cores = 4;
    source.files = {folder.write("squall.conf", text)};
    const LoadedOptions loaded = load_options(source);
    EXPECT_THAT(loaded.warnings, IsEmpty());
    const LoadedOptions defaults = load({});
    for (const auto& [name, setting] : defaults.effective) {
        EXPECT_EQ(loaded.effective.at(name).value, setting.value) << name;
    }
}

}  // namespace
}  // namespace squall::broker
