#include <gtest/gtest.h>

#include <vector>

#include "event_store/event.hpp"

namespace squall::event {
namespace {

EventPtr event_in(Ledger& ledger) {
    return Event::make(ledger, "tick", 0, {}, {});
}

TEST(SharesTest, EachIsAPointerOfItsOwn) {
    Ledger ledger;
    std::vector<EventPtr> pointers;
    {
        EventPtr event = event_in(ledger);
        const Event* const raw = event.get();
        Shares shares(event, 3);
        for (int i = 0; i < 3; ++i) {
            pointers.push_back(shares.take());
            EXPECT_EQ(pointers.back().get(), raw);
        }
    }
    while (!pointers.empty()) {
        EXPECT_EQ(ledger.events(), 1U);
        pointers.pop_back();
    }
    EXPECT_EQ(ledger.events(), 0U);
}

TEST(SharesTest, ThoseNotTakenAreGivenBack) {
    Ledger ledger;
    {
        const EventPtr event = event_in(ledger);
        Shares shares(event, 5);
        const EventPtr taken = shares.take();
        EXPECT_EQ(taken.get(), event.get());
    }
    EXPECT_EQ(ledger.events(), 0U);
}

TEST(SharesTest, NoneIsFine) {
    Ledger ledger;
    {
        const EventPtr event = event_in(ledger);
        const Shares shares(event, 0);
        EXPECT_EQ(ledger.events(), 1U);
    }
    EXPECT_EQ(ledger.events(), 0U);
}

}  // namespace
}  // namespace squall::event
