#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/dispatcher.hpp"
#include "publisher_pool/frame_reader.hpp"
#include "publisher_pool/served_objects.hpp"
#include "publisher_pool/shard.hpp"
#include "support/log_capture.hpp"
#include "support/messages.hpp"
#include "support/recording_sink.hpp"

namespace squall::test {

inline constexpr std::uint64_t kTopicRoute = 1;
inline constexpr std::uint64_t kQuietRoute = 2;
inline constexpr std::uint32_t kMessageSizeMax = 100'000;

/// A dispatcher with three objects of the category "topics": the publisher "weather" with a
/// subscriber, the publisher "quiet" without one, and "link", which leads to the same route as
/// "weather".
class DispatcherTest : public ::testing::Test {
protected:
    DispatcherTest() {
        weather_->listen(0);
        objects_.insert(pool::served_object("weather", "topics",
                                            pool::ServedObject::Kind::kPublisher, weather_));
        objects_.insert(
            pool::served_object("quiet", "topics", pool::ServedObject::Kind::kPublisher, quiet_));
        objects_.insert(
            pool::served_object("link", "topics", pool::ServedObject::Kind::kLink, weather_));
    }
    ~DispatcherTest() override {
        sink_.clear();
        EXPECT_EQ(ledger_.events(), 0U);
        EXPECT_EQ(ledger_.bytes(), 0U);
    }

    /// Executes whole messages, one after the other, until one ends the connection.
    wire::WireError dispatch(const wire::Buffer& stream) {
        return frames_.consume(stream, [this](const pool::FrameReader::Frame& frame) {
            return dispatcher_.dispatch(frame, "[::1]:4711", replies_);
        });
    }

    /// The same with a message that arrives in two pieces, so that it lies in a room. Returns the
    /// place behind its last byte there.
    const std::uint8_t* dispatch_in_room(const wire::Buffer& message) {
        EXPECT_EQ(dispatch({message.begin(), message.end() - 1}), wire::WireError::kNone);
        const std::uint8_t* const end = frames_.missing().data() + 1;
        EXPECT_EQ(dispatch({message.back()}), wire::WireError::kNone);
        return end;
    }

    /// All replies since the last call.
    std::vector<Reply> replies() {
        const std::vector<Reply> all = parsed_replies(replies_);
        replies_.clear();
        return all;
    }
    /// The only reply since the last call.
    Reply reply() {
        const std::vector<Reply> all = replies();
        EXPECT_EQ(all.size(), 1U);
        return all.size() == 1 ? all.front() : Reply{};
    }

    const RecordingSink& sink() const { return sink_; }
    const event::Ledger& ledger() const { return ledger_; }
    const LogCapture& log() const { return log_; }

private:
    LogCapture log_{"pool"};
    event::Ledger ledger_;
    RecordingSink sink_;
    pool::Route::Shards no_shards_;
    std::shared_ptr<pool::Route> weather_{std::make_shared<pool::Route>(kTopicRoute, no_shards_)};
    std::shared_ptr<pool::Route> quiet_{std::make_shared<pool::Route>(kQuietRoute, no_shards_)};
    pool::ServedObjects objects_;
    pool::Dispatcher dispatcher_{objects_, ledger_, sink_, kMessageSizeMax};
    pool::FrameReader frames_{ledger_, kMessageSizeMax};
    wire::Buffer replies_;
};

}  // namespace squall::test
