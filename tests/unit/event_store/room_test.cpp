#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "event_store/event.hpp"

namespace squall::event {
namespace {

/// A room with the bytes of the text in it.
Room filled_room(Ledger& ledger, std::string_view text) {
    Room room = Event::reserve(ledger, text.size());
    std::copy(text.begin(), text.end(), room.data());
    return room;
}

TEST(RoomTest, HasTheSizeThatWasAskedFor) {
    Ledger ledger;
    for (const std::size_t size : {std::size_t{0}, std::size_t{14}, std::size_t{1'000'000}}) {
        Room room = Event::reserve(ledger, size);
        EXPECT_TRUE(room);
        EXPECT_EQ(room.size(), size);
        std::fill_n(room.data(), size, std::uint8_t{0xff});
    }
}

TEST(RoomTest, CountsAsAnEventFromTheStart) {
    Ledger ledger;
    {
        const Room room = Event::reserve(ledger, 1000);
        EXPECT_EQ(ledger.events(), 1U);
        EXPECT_EQ(ledger.bytes(), 1000U);
    }
    EXPECT_EQ(ledger.events(), 0U);
    EXPECT_EQ(ledger.bytes(), 0U);
}

TEST(RoomTest, BecomesTheEventInItWithoutACopy) {
    Ledger ledger;
    Room room = filled_room(ledger, "head-the tail-rest");
    const std::uint8_t* const tail = room.data() + 5;
    const EventPtr event = room.become({tail, 8}, 2);
    EXPECT_FALSE(room);
    EXPECT_EQ(event->tail().data(), tail);
    EXPECT_EQ(wire::as_text(event->tail()), "the tail");
    EXPECT_EQ(event->mode(), 2);
    EXPECT_TRUE(event->idempotent());
}

TEST(RoomTest, ItsEventIsCountedWithAllOfItsMemoryUntilTheLastPointer) {
    Ledger ledger;
    Room room = filled_room(ledger, "head-tail");
    EventPtr first = room.become({room.data() + 5, 4}, 0);
    EventPtr second = first;
    EXPECT_EQ(ledger.events(), 1U);
    EXPECT_EQ(ledger.bytes(), 9U);
    first = EventPtr();
    EXPECT_EQ(ledger.events(), 1U);
    second = EventPtr();
    EXPECT_EQ(ledger.events(), 0U);
    EXPECT_EQ(ledger.bytes(), 0U);
}

TEST(RoomTest, IsMovedAndAssigned) {
    Ledger ledger;
    EXPECT_FALSE(Room());
    Room a = filled_room(ledger, "a");
    Room b = std::move(a);
    EXPECT_FALSE(a);
    EXPECT_EQ(b.data()[0], 'a');
    b = filled_room(ledger, "bb");
    EXPECT_EQ(b.size(), 2U);
    EXPECT_EQ(ledger.events(), 1U);
    EXPECT_EQ(ledger.bytes(), 2U);
    b = Room();
    EXPECT_EQ(ledger.events(), 0U);
}

}  // namespace
}  // namespace squall::event
