#include "broker/settings.hpp"

#include <Ice/Initialize.h>
#include <Ice/Properties.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/config_error.hpp"
#include "support/temp_dir.hpp"

namespace squall::broker {
namespace {

using testing::HasSubstr;

Settings read(const std::vector<std::string>& files, const std::vector<std::string>& arguments) {
    return read_settings(files, arguments, *Ice::createProperties());
}

TEST(SettingsTest, ReadsIceFileSyntax) {
    const test::TempDir folder;
    const auto file = folder.write("a.conf", "# comment\n A.B = one two # more\nA.C=x\\#y\\\\z\n");
    const Settings settings = read({file}, {});
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings.at("A.B").value, "one two");
    EXPECT_EQ(settings.at("A.C").value, "x#y\\z");
}

TEST(SettingsTest, LaterFilesWinAndAreTheOrigin) {
    const test::TempDir folder;
    const auto first = folder.write("1.conf", "A.B=1\nA.C=1\n");
    const auto second = folder.write("2.conf", "A.B=2\n");
    const Settings settings = read({first, second}, {});
    EXPECT_EQ(settings.at("A.B").value, "2");
    EXPECT_EQ(to_string(settings.at("A.B").origin), second);
    EXPECT_EQ(to_string(settings.at("A.C").origin), first);
}

TEST(SettingsTest, TheCommandLineWinsOverFiles) {
    const test::TempDir folder;
    const auto file = folder.write("a.conf", "A.B=file\n");
    const Settings settings = read({file}, {"--A.B=argument", "--A.B=last"});
    EXPECT_EQ(settings.at("A.B").value, "last");
    EXPECT_EQ(to_string(settings.at("A.B").origin), "command line");
}

TEST(SettingsTest, ANameAloneIsOne) {
    EXPECT_EQ(read({}, {"--A.B"}).at("A.B").value, "1");
}

TEST(SettingsTest, AnEmptyValueUnsets) {
    const test::TempDir folder;
    const auto file = folder.write("a.conf", "A.B=file\nA.C=\n");
    EXPECT_TRUE(read({file}, {"--A.B="}).empty());
}

TEST(SettingsTest, NamesAFileThatIsMissing) {
    const test::TempDir folder;
    const std::string file = folder.path() + "/none.conf";
    try {
        read({file}, {});
        FAIL() << "a missing file was read";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr(file + ": cannot read"));
        EXPECT_THAT(error.what(), HasSubstr("No such file"));
    }
}

TEST(SettingsTest, RefusesAFolder) {
    const test::TempDir folder;
    EXPECT_THROW(read({folder.path()}, {}), ConfigError);
}

}  // namespace
}  // namespace squall::broker
