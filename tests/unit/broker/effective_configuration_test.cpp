#include "broker/effective_configuration.hpp"

#include <Ice/Initialize.h>
#include <Ice/Properties.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_dir.hpp"
#include "unit/broker/config_fixture.hpp"

namespace squall::broker {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EffectiveConfigurationTest, ShowsValueAndOriginOfEach) {
    const test::TempDir folder;
    OptionsSource source;
    source.files = {folder.write("a.conf", "IceStorm.Flush.Timeout=20\n")};
    source.arguments = {"--IceStorm.Transient=1"};
    const std::string text = effective_configuration(load_options(source).effective);
    EXPECT_THAT(text, HasSubstr("IceStorm.Transient=1  # command line\n"));
    EXPECT_THAT(text, HasSubstr("IceStorm.Flush.Timeout=20  # file " + source.files[0] + "\n"));
    EXPECT_THAT(text, HasSubstr("IceStorm.Discard.Interval=60  # default\n"));
}

TEST(EffectiveConfigurationTest, IsSortedByName) {
    const Settings settings{{"B.b", {"1", {}}}, {"A.z", {"2", {}}}, {"A.a", {"3", {}}}};
    EXPECT_EQ(effective_configuration(settings),
              "A.a=3  # default\nA.z=2  # default\nB.b=1  # default\n");
}

TEST(EffectiveConfigurationTest, CanBeReadBack) {
    const test::TempDir folder;
    const Settings settings{{"A.b", {"x#y\\z = 1", {}}}, {"A.c", {"tcp -h \"::1\" -p 1", {}}}};
    const auto file = folder.write("a.conf", effective_configuration(settings));
    const Settings again = read_settings({file}, {}, *Ice::createProperties());
    ASSERT_EQ(again.size(), settings.size());
    EXPECT_EQ(again.at("A.b").value, settings.at("A.b").value);
    EXPECT_EQ(again.at("A.c").value, settings.at("A.c").value);
}

TEST(EffectiveConfigurationTest, KeepsPasswordsToItself) {
    const Settings settings{{"IceSSL.Password", {"secret", {}}}};
    EXPECT_THAT(effective_configuration(settings), HasSubstr("IceSSL.Password is set"));
    EXPECT_THAT(effective_configuration(settings), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace squall::broker
