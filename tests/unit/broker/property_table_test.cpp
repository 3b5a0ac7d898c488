#include "broker/property_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace squall::broker {
namespace {

TEST(PropertyTableTest, NamesEveryPropertyOnce) {
    std::set<std::string> names;
    for (const Property& property : property_table()) {
        EXPECT_TRUE(names.insert(property.name).second) << property.name;
    }
}

TEST(PropertyTableTest, AcceptsItsOwnDefaults) {
    for (const Property& property : property_table()) {
        if (!property.default_text.empty() && property.accepts != nullptr) {
            EXPECT_TRUE(property.accepts(property.default_text)) << property.name;
        }
    }
}

TEST(PropertyTableTest, SaysWhatEachPropertyDoes) {
    for (const Property& property : property_table()) {
        EXPECT_FALSE(property.meaning.empty()) << property.name;
        EXPECT_EQ(property.support == Support::kSupported, !property.values.empty())
            << property.name;
    }
}

TEST(PropertyTableTest, FindsBelowTheServiceNameOnly) {
    ASSERT_NE(find_property("News.Send.Timeout", "News"), nullptr);
    EXPECT_EQ(find_property("News.Send.Timeout", "News")->name, "Send.Timeout");
    EXPECT_EQ(find_property("IceStorm.Send.Timeout", "News"), nullptr);
    EXPECT_EQ(find_property("Send.Timeout", "News"), nullptr);
}

TEST(PropertyTableTest, FindsBelowAServiceNameWithDots) {
    EXPECT_NE(find_property("App.IceStorm.InstanceName", "App.IceStorm"), nullptr);
}

TEST(PropertyTableTest, FindsGlobalNames) {
    ASSERT_NE(find_property("Ice.MessageSizeMax", "IceStorm"), nullptr);
    EXPECT_EQ(find_property("Ice.MessageSizeMax", "IceStorm")->scope, Scope::kGlobal);
    EXPECT_EQ(find_property("IceStorm.Ice.MessageSizeMax", "IceStorm"), nullptr);
}

TEST(PropertyTableTest, PatternsCoverWhatIsBelowThem) {
    ASSERT_NE(find_property("IceStorm.Nodes.0", "IceStorm"), nullptr);
    EXPECT_EQ(find_property("IceStorm.Nodes.0", "IceStorm")->name, "Nodes.*");
    EXPECT_EQ(find_property("IceStorm.Nodes", "IceStorm"), nullptr);
    EXPECT_EQ(find_property("IceStorm.NodesX", "IceStorm"), nullptr);
}

TEST(PropertyTableTest, AnExactNameWinsOverAPattern) {
    ASSERT_NE(find_property("IceStorm.Publish.Locator", "IceStorm"), nullptr);
    EXPECT_EQ(find_property("IceStorm.Publish.Locator", "IceStorm")->name, "Publish.Locator");
    EXPECT_EQ(find_property("IceStorm.Publish.Locator.Router", "IceStorm")->name,
              "Publish.Locator.*");
}

TEST(PropertyTableTest, RefusesToLookUpAnUnsupportedProperty) {
    EXPECT_EQ(supported_property("Flush.Timeout").unit, "ms");
    EXPECT_THROW(supported_property("LMDB.Path"), std::logic_error);
}

}  // namespace
}  // namespace squall::broker
