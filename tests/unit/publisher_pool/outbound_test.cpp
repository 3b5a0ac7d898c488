#include "publisher_pool/outbound.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "event_store/ledger.hpp"
#include "wire/compression.hpp"
#include "wire/request.hpp"

namespace squall::pool {
namespace {

using Compress = Outbound::Compress;

/// Events as large as wanted; their bytes tell them apart.
class OutboundTest : public ::testing::Test {
protected:
    /// `tail_bytes` from 12 on.
    event::EventPtr event(std::size_t tail_bytes) {
        const std::size_t size = tail_bytes - kTailFrontBytes;
        wire::Buffer encapsulation;
        wire::put_i32(encapsulation, static_cast<std::int32_t>(size));
        encapsulation.resize(size, static_cast<std::uint8_t>(++made_));
        return event::Event::make(ledger_, "op", 0, {}, encapsulation);
    }

    /// Subscribers are only told apart by address: an Outbound never looks into one.
    Subscriber& subscriber(std::size_t index) {
        return reinterpret_cast<Subscriber&>(subscribers_.at(index));
    }

    /// All that is left to write, collected call by call as a socket would take it.
    static wire::Buffer left(Outbound& outbound, std::size_t bytes_per_call = SIZE_MAX) {
        wire::Buffer all;
        while (!outbound.done()) {
            std::size_t taken = 0;
            for (const auto& buffer : outbound.buffers()) {
                EXPECT_GT(buffer.size(), 0U);
                const std::size_t part = std::min(buffer.size(), bytes_per_call - taken);
                wire::put_bytes(all, {static_cast<const std::uint8_t*>(buffer.data()), part});
                taken += part;
            }
            EXPECT_GT(taken, 0U);
            outbound.consume(taken);
        }
        return all;
    }

    /// Bytes of the tail besides the encapsulation: "op", mode, empty context.
    static constexpr std::size_t kTailFrontBytes = 5;

    event::Ledger ledger_;
    const wire::RequestPrefix prefix_{"name", "category", "facet"};

private:
    std::array<std::max_align_t, 4> subscribers_{};
    int made_{0};
};

wire::RequestView parsed_request(const wire::Buffer& message, std::int32_t expected_id) {
    wire::Header header;
    EXPECT_EQ(wire::parse_header(message, 0, header), wire::WireError::kNone);
    EXPECT_EQ(header.size, message.size());
    wire::RequestView view;
    std::int32_t id = -1;
    EXPECT_EQ(wire::parse_request(wire::ByteView(message).subspan(wire::kHeaderSize), id, view),
              wire::WireError::kNone);
    EXPECT_EQ(id, expected_id);
    return view;
}

std::vector<wire::Buffer> parsed_batch(const wire::Buffer& message) {
    std::vector<wire::Buffer> tails;
    wire::BatchReader batch(wire::ByteView(message).subspan(wire::kHeaderSize));
    for (wire::RequestView record; batch.next(record);) {
        EXPECT_EQ(record.name, "name");
        tails.emplace_back(record.tail.begin(), record.tail.end());
    }
    EXPECT_EQ(batch.error(), wire::WireError::kNone);
    return tails;
}

wire::Buffer tail_of(const event::EventPtr& event) {
    return {event->tail().begin(), event->tail().end()};
}

TEST_F(OutboundTest, StartsEmptyAndDone) {
    Outbound outbound;
    EXPECT_TRUE(outbound.empty());
    EXPECT_TRUE(outbound.done());
    EXPECT_FALSE(outbound.full());
    EXPECT_TRUE(outbound.buffers().empty());
}

TEST_F(OutboundTest, WritesARequestOfAnySize) {
    for (const std::size_t size :
         {std::size_t{12}, Outbound::kGatherBytes - 1, Outbound::kGatherBytes,
          Outbound::kGatherBytes + 1, Outbound::kFullBytes, std::size_t{1'000'000}}) {
        SCOPED_TRACE(size);
        Outbound outbound;
        const event::EventPtr sent = event(size);
        outbound.append_request(prefix_, 7, *sent, Compress::kNo);
        EXPECT_EQ(outbound.size(), prefix_.request_size() + size);
        const wire::Buffer bytes = left(outbound);
        const wire::RequestView view = parsed_request(bytes, 7);
        EXPECT_EQ(view.category, "category");
        EXPECT_EQ(view.facet, "facet");
        EXPECT_EQ(wire::Buffer(view.tail.begin(), view.tail.end()), tail_of(sent));
        EXPECT_EQ(bytes[9], 0);  // compression: none
    }
}

TEST_F(OutboundTest, NeedsASmallEventNoLongerOnceAppended) {
    Outbound outbound;
    outbound.append_request(prefix_, 1, *event(Outbound::kGatherBytes - 1), Compress::kNo);
    EXPECT_EQ(ledger_.events(), 0U);
    parsed_request(left(outbound), 1);
}

TEST_F(OutboundTest, KeepsALargeEventUntilCleared) {
    Outbound outbound;
    outbound.append_request(prefix_, 1, *event(Outbound::kGatherBytes), Compress::kNo);
    EXPECT_EQ(ledger_.events(), 1U);
    parsed_request(left(outbound), 1);
    EXPECT_EQ(ledger_.events(), 1U);
    outbound.clear();
    EXPECT_EQ(ledger_.events(), 0U);
}

TEST_F(OutboundTest, ContinuesFromAnyByte) {
    const event::EventPtr small = event(20);
    const event::EventPtr large = event(Outbound::kGatherBytes);
    const auto fill = [&](Outbound& outbound) {
        outbound.append_request(prefix_, 1, *small, Compress::kNo);
        outbound.append_request(prefix_, 2, *large, Compress::kNo);
        outbound.append_request(prefix_, 3, *large, Compress::kNo);
        outbound.append_request(prefix_, 4, *small, Compress::kNo);
    };
    Outbound whole;
    fill(whole);
    const wire::Buffer expected = left(whole);
    for (const std::size_t bytes_per_call : {1U, 7U, 61U, 8191U, 8193U, 20000U}) {
        SCOPED_TRACE(bytes_per_call);
        Outbound outbound;
        fill(outbound);
        EXPECT_EQ(left(outbound, bytes_per_call), expected);
    }
}

TEST_F(OutboundTest, GivesNoMoreBuffersThanASystemCallTakes) {
    Outbound outbound;
    std::vector<event::EventPtr> events;
    std::vector<const event::Event*> pointers;
    for (std::size_t i = 0; i < 2 * Outbound::kBuffersMax; ++i) {
        pointers.push_back(events.emplace_back(event(Outbound::kGatherBytes + i)).get());
    }
    outbound.append_batch(prefix_, pointers, Compress::kNo);
    EXPECT_LE(outbound.buffers().size(), Outbound::kBuffersMax);
    const std::vector<wire::Buffer> tails = parsed_batch(left(outbound));
    ASSERT_EQ(tails.size(), events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(tails[i], tail_of(events[i]));
    }
}

TEST_F(OutboundTest, IsFullFromKFullBytesOn) {
    Outbound outbound;
    outbound.append_bytes(wire::Buffer(Outbound::kFullBytes - 1));
    EXPECT_FALSE(outbound.full());
    outbound.append_bytes(wire::Buffer(1));
    EXPECT_TRUE(outbound.full());
}

TEST_F(OutboundTest, IsFullBeforeItNeedsMoreBuffersThanASystemCallTakes) {
    Outbound outbound;
    const event::EventPtr large = event(Outbound::kGatherBytes);
    while (!outbound.full()) {
        outbound.append_request(prefix_, 0, *large, Compress::kNo);
    }
    std::size_t bytes = 0;
    for (const auto& buffer : outbound.buffers()) {
        bytes += buffer.size();
    }
    EXPECT_EQ(bytes, outbound.size());
}

TEST_F(OutboundTest, ReportsFramesOnceWhenTheirLastByteIsWritten) {
    Outbound outbound;
    outbound.append_bytes(wire::Buffer(10));
    outbound.end_frame(subscriber(0), 1);
    outbound.append_bytes(wire::Buffer(5));
    outbound.end_frame(subscriber(1), 3);
    std::vector<std::pair<const Subscriber*, std::uint32_t>> reported;
    const auto report = [&] {
        reported.clear();
        outbound.report_written(
            [&](const Frame& frame) { reported.emplace_back(frame.subscriber, frame.events); });
        return reported;
    };
    using Rows = decltype(reported);
    EXPECT_EQ(report(), Rows());
    outbound.consume(9);
    EXPECT_EQ(report(), Rows());
    outbound.consume(1);
    EXPECT_EQ(report(), (Rows{{&subscriber(0), 1}}));
    outbound.consume(4);
    EXPECT_EQ(report(), Rows());
    outbound.consume(1);
    EXPECT_EQ(report(), (Rows{{&subscriber(1), 3}}));
    EXPECT_EQ(report(), Rows());
}

TEST_F(OutboundTest, ReportsNothingToASubscriberItForgot) {
    Outbound outbound;
    for (const std::size_t index : {0U, 1U, 0U}) {
        outbound.append_bytes(wire::Buffer(1));
        outbound.end_frame(subscriber(index), 1);
    }
    outbound.forget(subscriber(0));
    outbound.consume(3);
    std::vector<const Subscriber*> reported;
    outbound.report_written([&](const Frame& frame) { reported.push_back(frame.subscriber); });
    EXPECT_EQ(reported, (std::vector<const Subscriber*>{nullptr, &subscriber(1), nullptr}));
}

TEST_F(OutboundTest, CompressesMessagesThatAreLongEnough) {
    Outbound outbound;
    const event::EventPtr sent = event(5000);
    outbound.append_request(prefix_, 9, *sent, Compress::kYes);
    const wire::Buffer bytes = left(outbound);
    EXPECT_LT(bytes.size(), 1000U);
    wire::Buffer plain;
    ASSERT_EQ(wire::decompress_message(bytes, 0, plain), wire::WireError::kNone);
    const wire::RequestView view = parsed_request(plain, 9);
    EXPECT_EQ(wire::Buffer(view.tail.begin(), view.tail.end()), tail_of(sent));
}

TEST_F(OutboundTest, SendsShortMessagesAsTheyAreButLetsThePeerCompress) {
    Outbound outbound;
    outbound.append_request(prefix_, 9, *event(20), Compress::kYes);
    const wire::Buffer bytes = left(outbound);
    ASSERT_LT(bytes.size(), wire::kMinCompressedSource);
    EXPECT_EQ(bytes[9], 1);  // compression: supported
    parsed_request(bytes, 9);
}

TEST_F(OutboundTest, CompressesBatches) {
    Outbound outbound;
    const event::EventPtr one = event(3000);
    const event::EventPtr two = event(Outbound::kGatherBytes);
    const std::array<const event::Event*, 2> events{one.get(), two.get()};
    outbound.append_batch(prefix_, events, Compress::kYes);
    wire::Buffer plain;
    ASSERT_EQ(wire::decompress_message(left(outbound), 0, plain), wire::WireError::kNone);
    EXPECT_EQ(parsed_batch(plain), (std::vector{tail_of(one), tail_of(two)}));
}

TEST_F(OutboundTest, CanBeUsedAgainAfterClear) {
    Outbound outbound;
    outbound.append_request(prefix_, 1, *event(Outbound::kGatherBytes), Compress::kNo);
    outbound.end_frame(subscriber(0), 1);
    outbound.consume(3);
    outbound.clear();
    EXPECT_TRUE(outbound.empty());
    EXPECT_TRUE(outbound.done());
    outbound.append_request(prefix_, 2, *event(30), Compress::kNo);
    outbound.report_written([](const Frame&) { FAIL() << "a frame of before clear()"; });
    parsed_request(left(outbound), 2);
}

TEST_F(OutboundTest, PoolHandsOutOnlyEmptyOnes) {
    OutboundPool outbounds;
    auto outbound = outbounds.take();
    outbound->append_request(prefix_, 1, *event(Outbound::kGatherBytes), Compress::kNo);
    outbounds.give_back(std::move(outbound));
    EXPECT_EQ(ledger_.events(), 0U);
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(outbounds.take()->empty());
    }
}

}  // namespace
}  // namespace squall::pool
