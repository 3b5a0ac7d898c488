#include "publisher_pool/served_objects.hpp"

#include <gtest/gtest.h>

#include <string>

#include "publisher_pool/shard.hpp"

namespace squall::pool {
namespace {

/// Objects that are told apart by the id of their route.
class ServedObjectsTest : public ::testing::Test {
protected:
    bool insert(const std::string& name, const std::string& category, std::uint64_t id,
                ServedObject::Kind kind = ServedObject::Kind::kLink) {
        return objects.insert(
            served_object(name, category, kind, std::make_shared<Route>(id, no_shards_)));
    }

    /// 0 if there is none.
    std::uint64_t found(std::string_view name, std::string_view category) const {
        const ServedObject* const object = objects.find(name, category);
        return object == nullptr ? 0 : object->route->id();
    }

    ServedObjects objects;

private:
    const Route::Shards no_shards_;
};

TEST_F(ServedObjectsTest, FindsByNameAndCategory) {
    insert("publish", "a", 1, ServedObject::Kind::kPublisher);
    insert("publish", "b", 2);
    insert("link", "a", 3);
    insert("", "", 4);
    EXPECT_EQ(found("publish", "a"), 1U);
    EXPECT_EQ(found("publish", "b"), 2U);
    EXPECT_EQ(found("link", "a"), 3U);
    EXPECT_EQ(found("", ""), 4U);
    EXPECT_EQ(objects.find("publish", "a")->kind, ServedObject::Kind::kPublisher);
    EXPECT_EQ(objects.find("link", "a")->kind, ServedObject::Kind::kLink);
}

TEST_F(ServedObjectsTest, NameAndCategoryAreNotOneText) {
    insert("ab", "c", 1);
    EXPECT_EQ(found("a", "bc"), 0U);
    EXPECT_EQ(found("abc", ""), 0U);
    EXPECT_EQ(found("c", "ab"), 0U);
    EXPECT_EQ(found("ab", "c"), 1U);
}

TEST_F(ServedObjectsTest, FindsTheSameAgainAndAgainAndInTurns) {
    insert("one", "", 1);
    insert("two", "", 2);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(found("one", ""), 1U);
        EXPECT_EQ(found("one", ""), 1U);
        EXPECT_EQ(found("two", ""), 2U);
        EXPECT_EQ(found("three", ""), 0U);
        EXPECT_EQ(found("two", ""), 2U);
    }
}

TEST_F(ServedObjectsTest, ErasedObjectIsNotFoundAnyMore) {
    insert("one", "", 1);
    insert("two", "", 2);
    EXPECT_EQ(found("one", ""), 1U);
    objects.erase("one", "");
    EXPECT_EQ(found("one", ""), 0U);
    EXPECT_EQ(found("two", ""), 2U);
    objects.erase("one", "");  // no error
    EXPECT_EQ(found("two", ""), 2U);
}

TEST_F(ServedObjectsTest, SecondObjectOfAnIdentityIsRefused) {
    EXPECT_TRUE(insert("one", "", 1));
    EXPECT_EQ(found("one", ""), 1U);
    EXPECT_FALSE(insert("one", "", 2));
    EXPECT_EQ(found("one", ""), 1U);
    objects.erase("one", "");
    EXPECT_TRUE(insert("one", "", 3));
    EXPECT_EQ(found("one", ""), 3U);
}

TEST_F(ServedObjectsTest, FindsTheLastFoundAfterManyMoreWereInserted) {
    constexpr std::uint64_t kMany = 5000;
    insert("first", "", kMany + 1);
    EXPECT_EQ(found("first", ""), kMany + 1);
    for (std::uint64_t i = 1; i <= kMany; ++i) {
        insert("publish", std::to_string(i), i);
        ASSERT_EQ(found("first", ""), kMany + 1);
    }
    for (std::uint64_t i = 1; i <= kMany; ++i) {
        ASSERT_EQ(found("publish", std::to_string(i)), i);
    }
}

TEST_F(ServedObjectsTest, HoldsItsRoutesOnlyWhileServed) {
    insert("one", "", 1);
    const std::shared_ptr<Route> route = objects.find("one", "")->route;
    EXPECT_EQ(route.use_count(), 2);
    objects.erase("one", "");
    EXPECT_EQ(route.use_count(), 1);
}

}  // namespace
}  // namespace squall::pool
