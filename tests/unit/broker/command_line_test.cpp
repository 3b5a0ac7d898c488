#include "squalld/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace squall::squalld {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

CommandLine parse(const std::vector<std::string>& arguments, const char* ice_config = nullptr) {
    return std::get<CommandLine>(parse_command_line(arguments, ice_config));
}

std::string notice(const std::string& argument) {
    return std::get<Notice>(parse_command_line({argument}, nullptr)).text;
}

/// The message that refuses the arguments; empty when they are taken.
std::string usage_error(const std::vector<std::string>& arguments) {
    try {
        parse_command_line(arguments, nullptr);
        return {};
    } catch (const UsageError& error) {
        return error.what();
    }
}

TEST(CommandLineTest, NoArgumentsAreTheDefaults) {
    const CommandLine line = parse({});
    EXPECT_EQ(line.service_name, "IceStorm");
    EXPECT_THAT(line.config_files, IsEmpty());
    EXPECT_THAT(line.properties, IsEmpty());
    EXPECT_FALSE(line.check_config);
}

TEST(CommandLineTest, TakesOptionsWithBlankOrEqualsSign) {
    EXPECT_EQ(parse({"--service-name", "News"}).service_name, "News");
    EXPECT_EQ(parse({"--service-name=News"}).service_name, "News");
    EXPECT_TRUE(parse({"--check-config"}).check_config);
}

TEST(CommandLineTest, KeepsTheOrderOfFilesOfBothOptions) {
    EXPECT_THAT(parse({"--config", "a", "--Ice.Config=b, c", "--config=d"}).config_files,
                ElementsAre("a", "b", "c", "d"));
}

TEST(CommandLineTest, OneFileBelongsToAnOption) {
    EXPECT_THAT(usage_error({"--config", "a", "b"}), HasSubstr("unexpected argument 'b'"));
}

TEST(CommandLineTest, ReadsIceConfigFromTheEnvironmentOnlyWithoutFiles) {
    EXPECT_THAT(parse({}, "a,b").config_files, ElementsAre("a", "b"));
    EXPECT_THAT(parse({}, "").config_files, IsEmpty());
    EXPECT_THAT(parse({"--config", "c"}, "a,b").config_files, ElementsAre("c"));
}

TEST(CommandLineTest, EmptyFileNamesAreUsageErrors) {
    for (const char* argument : {"--Ice.Config=", "--Ice.Config=a,,b", "--config=a,"}) {
        EXPECT_NE(usage_error({argument}), "") << argument;
    }
}

TEST(CommandLineTest, EverythingWithADotIsAProperty) {
    EXPECT_THAT(parse({"--IceStorm.Transient", "--Ice.Trace.Network=2", "--A.B=x y=z"}).properties,
                ElementsAre("--IceStorm.Transient", "--Ice.Trace.Network=2", "--A.B=x y=z"));
}

TEST(CommandLineTest, OptionsAndPropertiesMix) {
    const CommandLine line = parse({"--A.B=1", "--service-name", "News", "--A.C=-1"});
    EXPECT_EQ(line.service_name, "News");
    EXPECT_THAT(line.properties, ElementsAre("--A.B=1", "--A.C=-1"));
}

TEST(CommandLineTest, AMisspeltOptionSuggestsTheRightOne) {
    EXPECT_THAT(usage_error({"--serivce-name", "News"}), EndsWith("did you mean --service-name?"));
    EXPECT_THAT(usage_error({"--check-confg"}), EndsWith("did you mean --check-config?"));
    EXPECT_THAT(usage_error({"--confg=x"}), EndsWith("did you mean --config?"));
}

TEST(CommandLineTest, AnythingElseSaysHowToWriteIt) {
    for (const char* argument :
         {"--Transient=1", "IceStorm.Transient=1", "-x", "--A.=1", "--.B=1"}) {
        EXPECT_THAT(usage_error({argument}), HasSubstr("--Name.Sub=Value")) << argument;
    }
}

TEST(CommandLineTest, AnOptionWithoutItsValueIsAUsageError) {
    EXPECT_NE(usage_error({"--config"}), "");
    EXPECT_NE(usage_error({"--service-name"}), "");
    EXPECT_NE(usage_error({"--Ice.Config"}), "");
}

TEST(CommandLineTest, HelpNamesEveryOption) {
    for (const char* option :
         {"--config", "--service-name", "--check-config", "--version", "--help", "--Name.Sub"}) {
        EXPECT_THAT(notice("--help"), HasSubstr(option));
    }
}

TEST(CommandLineTest, VersionIsOneLine) {
    EXPECT_THAT(notice("--version"), testing::MatchesRegex("squalld [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace squall::squalld
