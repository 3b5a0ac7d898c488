#include "publisher_pool/frame_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/messages.hpp"

namespace squall::pool {
namespace {

using test::message;
using wire::Buffer;
using wire::ByteView;
using wire::MessageType;
using wire::WireError;

constexpr std::uint32_t kNoLimit = 0;

/// A message as a visitor saw it.
struct Seen {
    MessageType type;
    Buffer bytes;

    friend bool operator==(const Seen&, const Seen&) = default;
};

Buffer message_of(std::size_t size, std::uint8_t fill) {
    return message(MessageType::kRequest, Buffer(size - wire::kHeaderSize, fill));
}

const Buffer kValidate(wire::kValidateMessage.begin(), wire::kValidateMessage.end());

/// Messages of every kind of size, the smallest one at both ends and twice in a row.
std::vector<Buffer> sample_messages() {
    return {kValidate,         message_of(15, 1),
            message_of(60, 2), kValidate,
            kValidate,         message(MessageType::kBatchRequest, Buffer(40, 3)),
            message_of(29, 4), kValidate};
}

std::vector<Seen> expected_of(const std::vector<Buffer>& messages) {
    std::vector<Seen> all;
    for (const Buffer& one : messages) {
        wire::Header header;
        EXPECT_EQ(wire::parse_header(one, kNoLimit, header), WireError::kNone);
        all.push_back({header.type, one});
    }
    return all;
}

class FrameReaderTest : public ::testing::Test {
protected:
    ~FrameReaderTest() override {
        reader_.reset();
        EXPECT_EQ(ledger_.events(), 0U);
        EXPECT_EQ(ledger_.bytes(), 0U);
    }

    void restart(std::uint32_t size_max = kNoLimit) {
        seen_.clear();
        reader_.emplace(ledger_, size_max);
    }

    FrameReader& reader() { return *reader_; }
    const event::Ledger& ledger() const { return ledger_; }
    const std::vector<Seen>& seen() const { return seen_; }

    /// Gives the reader a copy of just these bytes, so that a sanitizer sees a read beyond them.
    WireError consume(ByteView bytes) {
        const Buffer copy(bytes.begin(), bytes.end());
        return reader().consume(copy, [this](const auto& frame) { return record(frame); });
    }

    WireError filled(std::size_t count) {
        return reader().filled(count, [this](const auto& frame) { return record(frame); });
    }

    /// As a socket would that gives at most `step` bytes at a time: what is missing is read to its
    /// place, the rest to a buffer.
    void read_in_steps(const Buffer& stream, std::size_t step) {
        for (ByteView rest(stream); !rest.empty();) {
            const auto missing = reader().missing();
            const std::size_t most = missing.empty() ? rest.size() : missing.size();
            const ByteView part = rest.first(std::min({step, most, rest.size()}));
            rest = rest.subspan(part.size());
            if (missing.empty()) {
                ASSERT_EQ(consume(part), WireError::kNone);
            } else {
                std::memcpy(missing.data(), part.data(), part.size());
                ASSERT_EQ(filled(part.size()), WireError::kNone);
            }
        }
    }

private:
    WireError record(const FrameReader::Frame& frame) {
        seen_.push_back({frame.header.type, {frame.message.begin(), frame.message.end()}});
        return WireError::kNone;
    }

    event::Ledger ledger_;
    std::vector<Seen> seen_;
    std::optional<FrameReader> reader_{std::in_place, ledger_, kNoLimit};
};

TEST_F(FrameReaderTest, EverySplitInTwoGivesTheSameMessages) {
    const std::vector<Buffer> messages = sample_messages();
    const Buffer stream = test::joined(messages);
    for (std::size_t split = 0; split <= stream.size(); ++split) {
        restart();
        ASSERT_EQ(consume(ByteView(stream).first(split)), WireError::kNone);
        ASSERT_EQ(consume(ByteView(stream).subspan(split)), WireError::kNone);
        EXPECT_EQ(seen(), expected_of(messages)) << split;
        EXPECT_FALSE(reader().in_message());
        EXPECT_EQ(ledger().events(), 0U);
    }
}

TEST_F(FrameReaderTest, EveryPairOfSplitsGivesTheSameMessages) {
    const std::vector<Buffer> messages{message_of(20, 1), kValidate, message_of(17, 2)};
    const Buffer stream = test::joined(messages);
    for (std::size_t second = 0; second <= stream.size(); ++second) {
        for (std::size_t first = 0; first <= second; ++first) {
            restart();
            ASSERT_EQ(consume(ByteView(stream).first(first)), WireError::kNone);
            ASSERT_EQ(consume(ByteView(stream).subspan(first, second - first)), WireError::kNone);
            ASSERT_EQ(consume(ByteView(stream).subspan(second)), WireError::kNone);
            ASSERT_EQ(seen(), expected_of(messages)) << first << ' ' << second;
        }
    }
}

TEST_F(FrameReaderTest, PiecesOfEverySizeGiveTheSameMessages) {
    const std::vector<Buffer> messages = sample_messages();
    const Buffer stream = test::joined(messages);
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        restart();
        for (ByteView rest(stream); !rest.empty();) {
            const std::size_t piece = std::min(size, rest.size());
            ASSERT_EQ(consume(rest.first(piece)), WireError::kNone);
            rest = rest.subspan(piece);
        }
        EXPECT_EQ(seen(), expected_of(messages)) << size;
    }
}

TEST_F(FrameReaderTest, DirectReadsOfEverySizeGiveTheSameMessages) {
    const std::vector<Buffer> messages = sample_messages();
    const Buffer stream = test::joined(messages);
    for (std::size_t step = 1; step <= stream.size(); ++step) {
        restart();
        read_in_steps(stream, step);
        EXPECT_EQ(seen(), expected_of(messages)) << step;
        EXPECT_FALSE(reader().in_message());
    }
}

TEST_F(FrameReaderTest, LargeMessageIsReadToItsPlace) {
    const Buffer large = message_of(2'000'000, 7);
    read_in_steps(large, 65536);
    EXPECT_EQ(seen(), expected_of({large}));
}

TEST_F(FrameReaderTest, WholeMessageIsHandedOutWhereItIs) {
    const Buffer stream = test::joined({message_of(30, 1), message_of(40, 2)});
    std::vector<const std::uint8_t*> places;
    const auto visitor = [&](const FrameReader::Frame& frame) {
        EXPECT_EQ(frame.room, nullptr);
        EXPECT_EQ(frame.header.size, frame.message.size());
        places.push_back(frame.message.data());
        return WireError::kNone;
    };
    ASSERT_EQ(reader().consume(stream, visitor), WireError::kNone);
    EXPECT_EQ(places, (std::vector{stream.data(), stream.data() + 30}));
}

TEST_F(FrameReaderTest, OnlyMessagesInPiecesTakeRooms) {
    const Buffer stream = test::joined({message_of(30, 1), message_of(40, 2), message_of(50, 3)});
    std::vector<bool> in_room;
    const auto visitor = [&](const FrameReader::Frame& frame) {
        in_room.push_back(frame.room != nullptr);
        if (frame.room != nullptr) {
            EXPECT_EQ(frame.message.data(), frame.room->data());
            EXPECT_EQ(frame.message.size(), frame.room->size());
        }
        return WireError::kNone;
    };
    ASSERT_EQ(reader().consume(ByteView(stream).first(50), visitor), WireError::kNone);
    EXPECT_EQ(ledger().events(), 1U);
    EXPECT_EQ(ledger().bytes(), 40U);
    ASSERT_EQ(reader().consume(ByteView(stream).subspan(50), visitor), WireError::kNone);
    EXPECT_EQ(in_room, (std::vector{false, true, false}));
    EXPECT_EQ(ledger().events(), 0U);
}

TEST_F(FrameReaderTest, MissingIsWhatTheMessageStillNeeds) {
    EXPECT_TRUE(reader().missing().empty());
    const Buffer bytes = message_of(100, 1);
    ASSERT_EQ(consume(ByteView(bytes).first(13)), WireError::kNone);
    EXPECT_TRUE(reader().missing().empty());  // nobody knows yet
    ASSERT_EQ(consume(ByteView(bytes).subspan(13, 1)), WireError::kNone);
    EXPECT_EQ(reader().missing().size(), 86U);
    ASSERT_EQ(consume(ByteView(bytes).subspan(14, 6)), WireError::kNone);
    EXPECT_EQ(reader().missing().size(), 80U);
    std::memset(reader().missing().data(), 1, 80);
    ASSERT_EQ(filled(79), WireError::kNone);
    EXPECT_EQ(reader().missing().size(), 1U);
    EXPECT_TRUE(seen().empty());
    ASSERT_EQ(filled(1), WireError::kNone);
    EXPECT_TRUE(reader().missing().empty());
    EXPECT_EQ(seen(), expected_of({bytes}));
}

TEST_F(FrameReaderTest, NothingReadIsNoProgress) {
    EXPECT_EQ(filled(0), WireError::kNone);
    EXPECT_EQ(consume({}), WireError::kNone);
    ASSERT_EQ(consume(ByteView(message_of(100, 1)).first(20)), WireError::kNone);
    EXPECT_EQ(filled(0), WireError::kNone);
    EXPECT_EQ(reader().missing().size(), 80U);
    EXPECT_TRUE(seen().empty());
}

TEST_F(FrameReaderTest, KnowsWhetherTheStreamMayEnd) {
    const Buffer bytes = message_of(20, 1);
    EXPECT_FALSE(reader().in_message());
    for (std::size_t given = 0; given < bytes.size(); ++given) {
        EXPECT_EQ(reader().in_message(), given > 0) << given;
        ASSERT_EQ(consume(ByteView(bytes).subspan(given, 1)), WireError::kNone);
    }
    EXPECT_FALSE(reader().in_message());
}

TEST_F(FrameReaderTest, VisitorMayKeepTheRoom) {
    const Buffer bytes = message_of(1000, 9);
    event::EventPtr event;
    const auto keep = [&](const FrameReader::Frame& frame) {
        event = frame.room->become(frame.message.subspan(100), 1);
        return WireError::kNone;
    };
    ASSERT_EQ(reader().consume(ByteView(bytes).first(500), keep), WireError::kNone);
    ASSERT_EQ(reader().consume(ByteView(bytes).subspan(500), keep), WireError::kNone);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->tail().size(), 900U);
    ASSERT_EQ(consume(message_of(1000, 8)), WireError::kNone);
    EXPECT_EQ(event->tail()[0], 9);
    EXPECT_EQ(ledger().events(), 1U);
}

TEST_F(FrameReaderTest, BrokenHeaderIsReportedWhereverItIsCut) {
    const Buffer good = message_of(20, 1);
    Buffer bad = message_of(30, 2);
    bad[3] = 'p';
    const Buffer stream = test::joined({good, bad});
    for (std::size_t split = 0; split <= stream.size(); ++split) {
        restart();
        WireError error = consume(ByteView(stream).first(split));
        if (error == WireError::kNone) {
            error = consume(ByteView(stream).subspan(split));
        }
        EXPECT_EQ(error, WireError::kBadMagic) << split;
        EXPECT_EQ(seen(), expected_of({good}));
        EXPECT_EQ(ledger().events(), 0U);
    }
}

TEST_F(FrameReaderTest, MessageMayBeAsLargeAsTheLimit) {
    restart(100);
    ASSERT_EQ(consume(message_of(100, 1)), WireError::kNone);
    read_in_steps(message_of(100, 2), 7);
    EXPECT_EQ(seen().size(), 2U);
}

TEST_F(FrameReaderTest, LargerMessageIsRefusedBeforeMemoryIsTaken) {
    for (const std::size_t split : {std::size_t{1}, std::size_t{13}, std::size_t{14}}) {
        restart(100);
        const Buffer bytes = message_of(101, 1);
        WireError error = consume(ByteView(bytes).first(split));
        if (error == WireError::kNone) {
            error = consume(ByteView(bytes).subspan(split));
        }
        EXPECT_EQ(error, WireError::kTooLarge);
        EXPECT_EQ(reader().header().size, 101U);
        EXPECT_EQ(ledger().events(), 0U);
    }
}

TEST_F(FrameReaderTest, VisitorsErrorEndsItAll) {
    const Buffer stream = test::joined({message_of(20, 1), message_of(20, 2), message_of(20, 3)});
    int visits = 0;
    const auto fail_second = [&](const FrameReader::Frame&) {
        return ++visits == 2 ? WireError::kBadCount : WireError::kNone;
    };
    EXPECT_EQ(reader().consume(stream, fail_second), WireError::kBadCount);
    EXPECT_EQ(visits, 2);
}

TEST_F(FrameReaderTest, VisitorsErrorOnAMessageInPiecesIsReported) {
    const Buffer bytes = message_of(20, 1);
    const auto fail = [](const FrameReader::Frame&) { return WireError::kBadCount; };
    ASSERT_EQ(reader().consume(ByteView(bytes).first(15), fail), WireError::kNone);
    std::memset(reader().missing().data(), 1, 5);
    EXPECT_EQ(reader().filled(5, fail), WireError::kBadCount);
}

TEST_F(FrameReaderTest, GivesBackTheRoomOfAMessageThatNeverEnds) {
    ASSERT_EQ(consume(ByteView(message_of(5000, 1)).first(100)), WireError::kNone);
    EXPECT_EQ(ledger().bytes(), 5000U);
    restart();
    EXPECT_EQ(ledger().bytes(), 0U);
}

}  // namespace
}  // namespace squall::pool
