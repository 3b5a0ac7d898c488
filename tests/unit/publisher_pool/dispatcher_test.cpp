#include "publisher_pool/dispatcher.hpp"

#include <gtest/gtest.h>

#include "unit/publisher_pool/dispatcher_fixture.hpp"

// Requests as such: who gets an event, who gets which answer.

namespace squall::test {
namespace {

using wire::ReplyStatus;
using wire::WireError;

Record record_to(const std::string& name, const std::string& operation = "report") {
    Record record;
    record.name = name;
    record.operation = operation;
    return record;
}

Record record_in(wire::Encoding encoding) {
    Record record;
    record.params = wire::test::encapsulation(encoding, "payload");
    return record;
}

/// A request whose encapsulation claims more bytes than there are.
wire::Buffer request_with_bad_encapsulation(std::int32_t id, Record record = {}) {
    wire::store_i32(record.params.data(), 1000);
    return request(id, record);
}

wire::Buffer empty_result(wire::Encoding encoding) {
    return wire::test::encapsulation(encoding, "");
}

/// What stands behind the status when somebody does not exist.
wire::Buffer not_exist_rest(const Record& record) {
    wire::Buffer rest;
    wire::put_target(rest, record.name, record.category, record.facet);
    wire::put_string(rest, record.operation);
    return rest;
}

TEST_F(DispatcherTest, OnewayBecomesAnEventAndIsNotAnswered) {
    EXPECT_EQ(dispatch(request(0, {})), WireError::kNone);
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().published()[0].route, kTopicRoute);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail({}));
    EXPECT_EQ(sink().event(0).mode(), Record().mode);
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, TwowayIsAnsweredInTheEncodingOfTheRequest) {
    for (const wire::Encoding encoding : {wire::kEncoding10, wire::kEncoding11}) {
        EXPECT_EQ(dispatch(request(17, record_in(encoding))), WireError::kNone);
        const Reply got = reply();
        EXPECT_EQ(got.id, 17);
        EXPECT_EQ(got.status, ReplyStatus::kOk);
        EXPECT_EQ(got.compression, wire::Compression::kNone);
        EXPECT_EQ(got.rest, empty_result(encoding));
    }
    EXPECT_EQ(sink().count(), 2U);
}

TEST_F(DispatcherTest, RepliesStandInTheOrderOfTheRequests) {
    EXPECT_EQ(dispatch(joined({request(5, {}), request(0, {}), request(-3, {}),
                               request(7, record_to("unknown"))})),
              WireError::kNone);
    const std::vector<Reply> got = replies();
    ASSERT_EQ(got.size(), 3U);
    EXPECT_EQ(got[0].id, 5);
    EXPECT_EQ(got[1].id, -3);
    EXPECT_EQ(got[2].id, 7);
}

TEST_F(DispatcherTest, EventInAnUnknownEncodingIsDeliveredThoughNoAnswerCanBeEncoded) {
    // Behaviour reference 5.1.
    for (const wire::Encoding encoding : {wire::Encoding{1, 2}, wire::Encoding{2, 0}}) {
        EXPECT_EQ(dispatch(request(3, record_in(encoding))), WireError::kNone);
        EXPECT_EQ(reply().status, ReplyStatus::kUnknownLocal);
    }
    ASSERT_EQ(sink().count(), 2U);
    EXPECT_EQ(sink().tail(1), wire::test::encoded_tail(record_in({2, 0})));
}

TEST_F(DispatcherTest, EveryOperationOfAPublisherIsAnEvent) {
    // Behaviour reference 1.3.
    for (const std::string operation : {"ice_ping", "ice_isA", "ice_ids", "forward", ""}) {
        EXPECT_EQ(dispatch(request(1, record_to("weather", operation))), WireError::kNone);
        EXPECT_EQ(reply().rest, empty_result(wire::kEncoding11));
    }
    EXPECT_EQ(sink().operations(),
              (std::vector<std::string>{"ice_ping", "ice_isA", "ice_ids", "forward", ""}));
}

TEST_F(DispatcherTest, PassesAnyModeByte) {
    for (const int mode : {0, 1, 2, 9, 255}) {
        Record record;
        record.mode = static_cast<std::uint8_t>(mode);
        EXPECT_EQ(dispatch(request(0, record)), WireError::kNone);
        EXPECT_EQ(sink().event(sink().count() - 1).mode(), mode);
        EXPECT_EQ(sink().tail(sink().count() - 1), wire::test::encoded_tail(record));
    }
}

TEST_F(DispatcherTest, BatchBecomesAnEventEachInOrder) {
    EXPECT_EQ(dispatch(batch({record_to("weather", "a"), record_to("quiet", "b"),
                              record_to("unknown", "c"), record_to("weather", "d")})),
              WireError::kNone);
    EXPECT_EQ(sink().operations(), (std::vector<std::string>{"a", "d"}));
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, EmptyBatchIsFine) {
    EXPECT_EQ(dispatch(batch({})), WireError::kNone);
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(DispatcherTest, BatchIsExecutedUpToItsBrokenRecord) {
    Record broken = record_to("weather", "broken");
    wire::store_i32(broken.params.data(), 5);
    EXPECT_EQ(dispatch(batch({record_to("weather", "a"), record_to("weather", "b"), broken,
                              record_to("weather", "c")})),
              WireError::kBadEncapsulation);
    EXPECT_EQ(sink().operations(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(DispatcherTest, BatchOfAnImpossibleCountEndsTheConnection) {
    wire::Buffer body = {3, 0, 0, 0};
    wire::put_bytes(body, wire::test::encoded({}));
    wire::store_i32(body.data(), 1000);
    EXPECT_EQ(dispatch(message(wire::MessageType::kBatchRequest, body)), WireError::kBadCount);
    EXPECT_EQ(dispatch(message(wire::MessageType::kBatchRequest, wire::Buffer{1, 0})),
              WireError::kTruncated);
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(DispatcherTest, RequestThatCannotBeReadEndsTheConnection) {
    EXPECT_EQ(dispatch(message(wire::MessageType::kRequest, wire::Buffer{1, 0, 0})),
              WireError::kTruncated);
    EXPECT_EQ(sink().count(), 0U);
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, BytesBehindASingleRequestAreIgnored) {
    wire::Buffer body = wire::test::request_body(1, {});
    wire::put_bytes(body, wire::Buffer(100, 0xff));
    EXPECT_EQ(dispatch(message(wire::MessageType::kRequest, body)), WireError::kNone);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    dispatch_in_room(message(wire::MessageType::kRequest, body));
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    ASSERT_EQ(sink().count(), 2U);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail({}));
    EXPECT_EQ(sink().tail(1), wire::test::encoded_tail({}));
}

TEST_F(DispatcherTest, BytesBehindTheLastRecordOfABatchEndTheConnection) {
    wire::Buffer body = {1, 0, 0, 0};
    wire::put_bytes(body, wire::test::encoded({}));
    body.push_back(0);
    EXPECT_EQ(dispatch(message(wire::MessageType::kBatchRequest, body)), WireError::kTrailingBytes);
    EXPECT_EQ(sink().count(), 1U);
}

TEST_F(DispatcherTest, MessagesThatHoldNoRequestAreIgnored) {
    wire::Buffer unasked_reply;
    wire::append_reply(unasked_reply, 9, wire::kEncoding11);
    EXPECT_EQ(dispatch(joined({unasked_reply,
                               {wire::kValidateMessage.begin(), wire::kValidateMessage.end()},
                               request(0, {})})),
              WireError::kNone);
    EXPECT_EQ(sink().count(), 1U);
    EXPECT_TRUE(replies().empty());
}

TEST_F(DispatcherTest, UnknownObjectIsAnsweredWithWhatWasAskedFor) {
    Record record = record_to("unknown", "ask");
    EXPECT_EQ(dispatch(request(4, record)), WireError::kNone);
    const Reply got = reply();
    EXPECT_EQ(got.id, 4);
    EXPECT_EQ(got.status, ReplyStatus::kObjectNotExist);
    EXPECT_EQ(got.rest, not_exist_rest(record));

    record.name = "weather";
    record.category = "";
    record.facet = "side";
    EXPECT_EQ(dispatch(request(5, record)), WireError::kNone);
    const Reply other = reply();
    EXPECT_EQ(other.status, ReplyStatus::kObjectNotExist);
    EXPECT_EQ(other.rest, not_exist_rest(record));
}

TEST_F(DispatcherTest, OnewayToAnUnknownObjectIsNotAnswered) {
    EXPECT_EQ(dispatch(request(0, record_to("unknown"))), WireError::kNone);
    EXPECT_TRUE(replies().empty());
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(DispatcherTest, FacetsExistOfNoObject) {
    for (const std::string name : {"weather", "quiet", "link"}) {
        Record record = record_to(name);
        record.facet = "side";
        EXPECT_EQ(dispatch(request(6, record)), WireError::kNone);
        const Reply got = reply();
        EXPECT_EQ(got.status, ReplyStatus::kFacetNotExist);
        EXPECT_EQ(got.rest, not_exist_rest(record));
    }
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(DispatcherTest, EmptyFacetIsTheDefaultOne) {
    wire::Buffer body;
    wire::put_i32(body, 8);
    wire::put_string(body, "weather");
    wire::put_string(body, "topics");
    wire::put_size(body, 1);
    wire::put_string(body, "");
    wire::put_bytes(body, wire::test::encoded_tail({}));
    EXPECT_EQ(dispatch(message(wire::MessageType::kRequest, body)), WireError::kNone);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(sink().count(), 1U);
}

TEST_F(DispatcherTest, FacetPathOfTwoElementsEndsTheConnection) {
    wire::Buffer body;
    wire::put_i32(body, 8);
    wire::put_string(body, "weather");
    wire::put_string(body, "topics");
    wire::put_size(body, 2);
    wire::put_string(body, "a");
    wire::put_string(body, "b");
    wire::put_bytes(body, wire::test::encoded_tail({}));
    EXPECT_EQ(dispatch(message(wire::MessageType::kRequest, body)), WireError::kBadFacet);
}

TEST_F(DispatcherTest, BadEncapsulationIsAnsweredAndTheConnectionGoesOn) {
    // Behaviour reference 12.4.
    EXPECT_EQ(dispatch(joined({request_with_bad_encapsulation(11),
                               request_with_bad_encapsulation(0), request(12, {})})),
              WireError::kNone);
    const std::vector<Reply> got = replies();
    ASSERT_EQ(got.size(), 2U);
    EXPECT_EQ(got[0].id, 11);
    EXPECT_EQ(got[0].status, ReplyStatus::kUnknownLocal);
    EXPECT_EQ(got[1].id, 12);
    EXPECT_EQ(got[1].status, ReplyStatus::kOk);
    EXPECT_EQ(sink().count(), 1U);
}

TEST_F(DispatcherTest, EventForNobodyIsNotMadeButAnswered) {
    EXPECT_EQ(dispatch(joined({request(1, record_to("quiet")), request(0, record_to("quiet")),
                               batch({record_to("quiet"), record_to("quiet")})})),
              WireError::kNone);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(sink().count(), 0U);
    EXPECT_EQ(ledger().events(), 0U);
}

TEST_F(DispatcherTest, RequestsToALinkAreForwardedEvents) {
    Record forward = record_to("link", "forward");
    forward.mode = 0;
    forward.params = forward_parameters({record_to("", "a"), record_to("", "b")});
    EXPECT_EQ(dispatch(request(2, forward)), WireError::kNone);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(dispatch(batch({forward})), WireError::kNone);
    EXPECT_TRUE(replies().empty());
    EXPECT_EQ(sink().operations(), (std::vector<std::string>{"a", "b", "a", "b"}));
    EXPECT_TRUE(log().lines().empty());
}

TEST_F(DispatcherTest, UnknownObjectsAreLoggedEverMoreRarely) {
    Record record = record_to("no\nbody", "a\"sk");
    record.facet = "side";
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(dispatch(request(0, record)), WireError::kNone);
    }
    const std::vector<std::string> lines = log().lines();
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_NE(lines[0].find("operation=\"a\\\"sk\""), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("facet=\"side\""), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("peer=\"[::1]:4711\" times_on_shard=1"), std::string::npos) << lines[0];
    EXPECT_NE(lines[3].find("times_on_shard=8"), std::string::npos) << lines[3];
}

TEST_F(DispatcherTest, SkippedForwardedEventsAreLoggedEverMoreRarely) {
    Record bad = record_to("", "bad");
    bad.params = {1, 2, 3};
    Record forward = record_to("link", "forward");
    forward.mode = 0;
    forward.params = forward_parameters({bad, record_to("", "good"), bad});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(dispatch(request(0, forward)), WireError::kNone);
    }
    EXPECT_EQ(sink().count(), 3U);
    const std::vector<std::string> lines = log().lines_with("topics/link");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NE(lines[1].find("events=2"), std::string::npos) << lines[1];
    EXPECT_NE(lines[1].find("times_on_shard=2"), std::string::npos) << lines[1];
}

}  // namespace
}  // namespace squall::test
