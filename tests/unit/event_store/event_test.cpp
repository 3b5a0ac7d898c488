#include "event_store/event.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "wire/tail.hpp"

namespace squall::event {
namespace {

const std::vector<std::uint8_t> kEncapsulation{8, 0, 0, 0, 1, 1, 0xAB, 0xCD};

TEST(EventTest, HoldsTheEncodedTail) {
    Ledger ledger;
    const EventPtr event = Event::make(ledger, "tick", 2, {{"b", "2"}, {"a", "1"}}, kEncapsulation);

    wire::TailView view;
    ASSERT_EQ(wire::parse_tail(event->tail(), view), wire::WireError::kNone);
    EXPECT_EQ(view.operation, "tick");
    EXPECT_EQ(view.mode, 2);
    EXPECT_TRUE(event->idempotent());
    std::map<std::string, std::string> context;
    ASSERT_EQ(wire::read_context(view.context, context), wire::WireError::kNone);
    EXPECT_EQ(context, (std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}));
    EXPECT_TRUE(std::equal(view.encapsulation.begin(), view.encapsulation.end(),
                           kEncapsulation.begin(), kEncapsulation.end()));
}

TEST(EventTest, CopiesATailUnchanged) {
    Ledger ledger;
    const EventPtr made = Event::make(ledger, "tick", 9, {}, kEncapsulation);
    const EventPtr copied = Event::copy(ledger, made->tail(), made->mode());
    EXPECT_TRUE(std::equal(made->tail().begin(), made->tail().end(), copied->tail().begin(),
                           copied->tail().end()));
    EXPECT_EQ(copied->mode(), 9);
    EXPECT_FALSE(copied->idempotent());
}

TEST(EventTest, IsCountedOnceHoweverManyPointersShareIt) {
    Ledger ledger;
    EventPtr first = Event::make(ledger, "tick", 0, {}, kEncapsulation);
    const std::size_t bytes = first->tail().size();
    std::vector<EventPtr> others(100, first);
    EXPECT_EQ(ledger.events(), 1U);
    EXPECT_EQ(ledger.bytes(), bytes);

    first = EventPtr();
    EXPECT_EQ(ledger.events(), 1U);
    others.clear();
    EXPECT_EQ(ledger.events(), 0U);
    EXPECT_EQ(ledger.bytes(), 0U);
}

TEST(EventTest, PointerIsMovedAndAssigned) {
    Ledger ledger;
    EventPtr a = Event::make(ledger, "a", 0, {}, kEncapsulation);
    const Event* raw = a.get();
    EventPtr b = std::move(a);
    EXPECT_FALSE(a);
    EXPECT_EQ(b.get(), raw);
    b = Event::make(ledger, "b", 0, {}, kEncapsulation);
    EXPECT_EQ(ledger.events(), 1U);
    EXPECT_EQ(sizeof(EventPtr), sizeof(void*));
}

}  // namespace
}  // namespace squall::event
