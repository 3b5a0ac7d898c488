#include "broker/nearest_name.hpp"

#include <gtest/gtest.h>

namespace squall::broker {
namespace {

TEST(NearestNameTest, CountsEachKindOfEditOnce) {
    EXPECT_EQ(edit_distance("Timeout", "Timeout"), 0U);
    EXPECT_EQ(edit_distance("Timeout", "Timout"), 1U);     // delete
    EXPECT_EQ(edit_distance("Timout", "Timeout"), 1U);     // insert
    EXPECT_EQ(edit_distance("Timeout", "Timebut"), 1U);    // replace
    EXPECT_EQ(edit_distance("IceStrom", "IceStorm"), 1U);  // swap
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestNameTest, IgnoresCase) {
    EXPECT_EQ(edit_distance("icestorm", "IceStorm"), 0U);
}

TEST(NearestNameTest, PicksTheFewestEdits) {
    EXPECT_EQ(nearest_name("Send.Timout", {"Flush.Timeout", "Send.Timeout", "Send.Timed"}),
              "Send.Timeout");
}

TEST(NearestNameTest, PicksTheFirstOfEquals) {
    EXPECT_EQ(nearest_name("bat", {"cat", "hat"}), "cat");
}

TEST(NearestNameTest, SuggestsNothingForAnUnrelatedName) {
    EXPECT_EQ(nearest_name("Colour", {"Send.Timeout", "InstanceName"}), std::nullopt);
}

TEST(NearestNameTest, SuggestsNoCandidateThatSharesNoCharacter) {
    EXPECT_EQ(nearest_name("xy", {"ab", "c"}), std::nullopt);
}

}  // namespace
}  // namespace squall::broker
