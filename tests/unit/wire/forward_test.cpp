#include "wire/forward.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/messages.hpp"
#include "wire/tail.hpp"

namespace squall::wire {
namespace {

using squall::test::forward_parameters;

/// A forwarded event in memory of its own.
struct Forwarded {
    std::string operation;
    std::uint8_t mode;
    Buffer data;
    Buffer context;
};

struct Walk {
    std::vector<Forwarded> events;
    WireError error{WireError::kNone};
};

/// Checks on the way that all that is handed out lies within the parameters.
Walk walk(const Buffer& params) {
    const auto inside = [&](ByteView view) {
        return view.empty() || (view.data() >= params.data() &&
                                view.data() + view.size() <= params.data() + params.size());
    };
    ForwardReader reader(params);
    Walk walk;
    for (ForwardedEvent event; reader.next(event);) {
        EXPECT_TRUE(inside(as_bytes(event.operation)));
        EXPECT_TRUE(inside(event.data));
        EXPECT_TRUE(inside(event.context));
        walk.events.push_back({std::string(event.operation),
                               event.mode,
                               {event.data.begin(), event.data.end()},
                               {event.context.begin(), event.context.end()}});
    }
    walk.error = reader.error();
    return walk;
}

test::Record event(const std::string& operation, std::uint8_t mode) {
    test::Record record;
    record.operation = operation;
    record.mode = mode;
    return record;
}

TEST(ForwardTest, ReadsTheDocumentedBytes) {
    const Walk read = walk(Buffer{25, 0, 0, 0, 1, 1, 1, 2, 'o', 'p', 2,   7,  7,
                                  0,  0, 0, 1, 1, 9, 1, 1, 'k', 2,   'v', 'w'});
    EXPECT_EQ(read.error, WireError::kNone);
    ASSERT_EQ(read.events.size(), 1U);
    EXPECT_EQ(read.events[0].operation, "op");
    EXPECT_EQ(read.events[0].mode, 2);
    EXPECT_EQ(read.events[0].data, (Buffer{7, 0, 0, 0, 1, 1, 9}));
    EXPECT_EQ(read.events[0].context, (Buffer{1, 1, 'k', 2, 'v', 'w'}));
}

TEST(ForwardTest, GivesTheEventsInOrder) {
    const Walk read = walk(forward_parameters({event("a", 0), event("b", 1), event("c", 9)}));
    EXPECT_EQ(read.error, WireError::kNone);
    ASSERT_EQ(read.events.size(), 3U);
    EXPECT_EQ(read.events[0].operation, "a");
    EXPECT_EQ(read.events[1].operation, "b");
    EXPECT_EQ(read.events[2].operation, "c");
    EXPECT_EQ(read.events[2].mode, 9);
    for (const Forwarded& one : read.events) {
        EXPECT_EQ(one.data, test::Record().params);
    }
}

TEST(ForwardTest, ReadsBackEverySizeEdge) {
    for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 70000U}) {
        test::Record large;
        large.operation = std::string(size, 'o');
        large.context = {{std::string(size, 'k'), std::string(size, 'v')}};
        large.params = test::encapsulation(kEncoding10, std::string(size, 'p'));
        const Buffer params = forward_parameters({large, large});
        const Walk read = walk(params);
        EXPECT_EQ(read.error, WireError::kNone) << size;
        ASSERT_EQ(read.events.size(), 2U);
        EXPECT_EQ(read.events[1].operation, large.operation);
        EXPECT_TRUE(is_encapsulation(read.events[1].data));
        Context context;
        EXPECT_EQ(read_context(read.events[1].context, context), WireError::kNone);
        EXPECT_EQ(context, large.context);
    }
}

TEST(ForwardTest, ReadsCountsOnBothSidesOfALongSize) {
    for (const std::size_t count : {0U, 1U, 254U, 255U, 256U}) {
        const std::vector<test::Record> events(count, event("e", 0));
        const Buffer params = forward_parameters(events);
        const Walk read = walk(params);
        EXPECT_EQ(read.error, WireError::kNone);
        EXPECT_EQ(read.events.size(), count);
    }
}

TEST(ForwardTest, TakesTheSmallestEvent) {
    const Walk read = walk(Buffer{11, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0});
    EXPECT_EQ(read.error, WireError::kNone);
    ASSERT_EQ(read.events.size(), 1U);
    EXPECT_TRUE(read.events[0].data.empty());
}

TEST(ForwardTest, RefusesCountsThatCannotFit) {
    for (const std::size_t count : {3U, 254U, 255U, 0x7fffffffU}) {
        const Walk read = walk(forward_parameters(count, {{"", "", "", "", 0, {}, {}}}));
        EXPECT_EQ(read.error, WireError::kBadCount) << count;
        EXPECT_TRUE(read.events.empty());
    }
    EXPECT_EQ(walk(Buffer{11, 0, 0, 0, 1, 1, 255, 0, 0, 0, 0x80}).error, WireError::kBadSize);
}

TEST(ForwardTest, HandsOutWhatStandsBeforeABrokenEvent) {
    Buffer params = forward_parameters({event("good", 0), event("bad", 0)});
    params.pop_back();
    store_i32(params.data(), static_cast<std::int32_t>(params.size()));
    const Walk read = walk(params);
    ASSERT_EQ(read.events.size(), 1U);
    EXPECT_EQ(read.events[0].operation, "good");
    EXPECT_EQ(read.error, WireError::kBadString);
}

TEST(ForwardTest, RejectsTruncationAtEveryByte) {
    const Buffer whole = forward_parameters({event("one", 0), event("two", 0)});
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_NE(walk(test::cut(whole, given)).error, WireError::kNone) << given;
    }
}

TEST(ForwardTest, RejectsBytesBehindTheLastEvent) {
    Buffer params = forward_parameters({event("one", 0)});
    params.push_back(0);
    const Walk read = walk(params);
    EXPECT_EQ(read.events.size(), 1U);
    EXPECT_EQ(read.error, WireError::kTrailingBytes);
}

TEST(ForwardTest, IsEncapsulationWantsOneAndNothingElse) {
    EXPECT_TRUE(is_encapsulation(test::encapsulation(kEncoding11, "")));
    EXPECT_TRUE(is_encapsulation(test::encapsulation({7, 7}, "any version")));
    EXPECT_FALSE(is_encapsulation({}));
    const Buffer whole = test::encapsulation(kEncoding11, "x");
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_FALSE(is_encapsulation(test::cut(whole, given))) << given;
    }
    Buffer longer = whole;
    longer.push_back(0);
    EXPECT_FALSE(is_encapsulation(longer));
    EXPECT_FALSE(is_encapsulation(Buffer{5, 0, 0, 0, 1, 1}));
    EXPECT_FALSE(is_encapsulation(Buffer{0xff, 0xff, 0xff, 0xff, 1, 1}));
}

}  // namespace
}  // namespace squall::wire
