#include "publisher_pool/link_object.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "publisher_pool/shard.hpp"
#include "support/messages.hpp"
#include "support/recording_sink.hpp"

namespace squall::test {
namespace {

using wire::ReplyStatus;

constexpr std::int32_t kId = 21;

Record event(const std::string& operation) {
    Record record;
    record.operation = operation;
    return record;
}

/// An event whose data is no encapsulation.
Record bad_event() {
    Record record;
    record.params.push_back(0);
    return record;
}

/// Requests to the link with this mode and these parameters.
class LinkObjectTest : public ::testing::Test {
protected:
    LinkObjectTest() { route_.listen(0); }
    ~LinkObjectTest() override {
        sink_.clear();
        EXPECT_EQ(ledger_.events(), 0U);
    }

    /// Returns the number of skipped events.
    std::size_t serve(const Record& record, std::int32_t id = kId) {
        const wire::Buffer body = wire::test::request_body(id, record);
        std::int32_t parsed_id = 0;
        wire::RequestView view;
        EXPECT_EQ(wire::parse_request(body, parsed_id, view), wire::WireError::kNone);
        return serve_link(view, parsed_id, route_, ledger_, sink_, replies_);
    }

    std::size_t forward(const wire::Buffer& parameters, std::uint8_t mode = 0,
                        std::int32_t id = kId) {
        Record record = event("forward");
        record.mode = mode;
        record.params = parameters;
        return serve(record, id);
    }

    Reply ask(const std::string& operation, const wire::Buffer& parameters, std::uint8_t mode = 1) {
        Record record = event(operation);
        record.mode = mode;
        record.params = parameters;
        EXPECT_EQ(serve(record), 0U);
        return reply();
    }

    Reply reply() {
        const std::vector<Reply> all = parsed_replies(replies_);
        replies_.clear();
        EXPECT_EQ(all.size(), 1U);
        return all.size() == 1 ? all.front() : Reply{};
    }
    bool answered() const { return !replies_.empty(); }

    void nobody_listens() { route_.unlisten(0); }
    const RecordingSink& sink() const { return sink_; }
    const event::Ledger& ledger() const { return ledger_; }

private:
    event::Ledger ledger_;
    RecordingSink sink_;
    const pool::Route::Shards no_shards_;
    pool::Route route_{5, no_shards_};
    wire::Buffer replies_;
};

wire::Buffer result(const wire::Buffer& content, wire::Encoding encoding = wire::kEncoding11) {
    return wire::test::encapsulation(encoding, wire::as_text(content));
}

wire::Buffer string_parameter(const std::string& text) {
    wire::Buffer content;
    wire::put_string(content, text);
    return result(content);
}

const wire::Buffer kNoParameters = result({});

TEST_F(LinkObjectTest, ForwardPublishesEveryEventInOrder) {
    EXPECT_EQ(forward(forward_parameters({event("a"), event("b"), event("c")})), 0U);
    EXPECT_EQ(sink().operations(), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(sink().published()[0].route, 5U);
    const Reply got = reply();
    EXPECT_EQ(got.id, kId);
    EXPECT_EQ(got.status, ReplyStatus::kOk);
    EXPECT_EQ(got.rest, kNoParameters);
}

TEST_F(LinkObjectTest, ForwardedEventIsTheOriginalOne) {
    Record original = event("original");
    original.mode = 9;
    original.params = wire::test::encapsulation({1, 2}, "any encoding");
    EXPECT_EQ(forward(forward_parameters({original})), 0U);
    ASSERT_EQ(sink().count(), 1U);
    EXPECT_EQ(sink().tail(0), wire::test::encoded_tail(original));
    EXPECT_EQ(sink().event(0).mode(), 9);
}

TEST_F(LinkObjectTest, ForwardIsAnsweredInTheEncodingOfTheRequest) {
    forward(forward_parameters({event("a")}, wire::kEncoding10));
    EXPECT_EQ(reply().rest, result({}, wire::kEncoding10));
    EXPECT_EQ(sink().count(), 1U);
}

TEST_F(LinkObjectTest, OnewayForwardIsNotAnswered) {
    forward(forward_parameters({event("a")}), 0, 0);
    EXPECT_EQ(sink().count(), 1U);
    EXPECT_FALSE(answered());
}

TEST_F(LinkObjectTest, ForwardOfNothingIsFine) {
    EXPECT_EQ(forward(forward_parameters({})), 0U);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, EventThatIsNoEncapsulationIsSkippedAlone) {
    EXPECT_EQ(forward(forward_parameters({bad_event(), event("a"), bad_event(), event("b")})), 2U);
    EXPECT_EQ(sink().operations(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
}

TEST_F(LinkObjectTest, EventsForNobodyAreNotMade) {
    nobody_listens();
    EXPECT_EQ(forward(forward_parameters({event("a"), bad_event()})), 1U);
    EXPECT_EQ(reply().status, ReplyStatus::kOk);
    EXPECT_EQ(ledger().events(), 0U);
}

TEST_F(LinkObjectTest, MalformedParametersPublishNothing) {
    wire::Buffer cut = forward_parameters({event("a"), event("b")});
    cut.pop_back();
    wire::store_i32(cut.data(), static_cast<std::int32_t>(cut.size()));
    wire::Buffer longer = forward_parameters({event("a"), event("b")});
    longer.push_back(0);
    wire::store_i32(longer.data(), static_cast<std::int32_t>(longer.size()));
    for (const wire::Buffer& bad : {cut, longer, forward_parameters(3, {event("a"), event("b")}),
                                    forward_parameters(1000, {event("a")}), kNoParameters}) {
        EXPECT_EQ(forward(bad), 0U);
        EXPECT_EQ(reply().status, ReplyStatus::kUnknownLocal);
        EXPECT_EQ(forward(bad, 0, 0), 0U);
        EXPECT_FALSE(answered());
    }
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, ForwardInAnotherModeIsRefused) {
    // Behaviour reference 1.6.
    for (const std::uint8_t mode : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{9}}) {
        forward(forward_parameters({event("a")}), mode);
        EXPECT_EQ(reply().status, ReplyStatus::kUnknownLocal) << int{mode};
        forward(forward_parameters({event("a")}), mode, 0);
        EXPECT_FALSE(answered());
    }
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, ForwardInAnUnknownEncodingIsRefused) {
    forward(forward_parameters({event("a")}, {1, 2}));
    EXPECT_EQ(reply().status, ReplyStatus::kUnknownLocal);
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, AnswersIcePing) {
    for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
        const Reply got = ask("ice_ping", kNoParameters, mode);
        EXPECT_EQ(got.status, ReplyStatus::kOk);
        EXPECT_EQ(got.rest, kNoParameters);
    }
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, AnswersIceIsA) {
    // Behaviour reference 1.1.
    for (const std::string type : {"::IceStorm::TopicLink", "::Ice::Object"}) {
        EXPECT_EQ(ask("ice_isA", string_parameter(type)).rest, result({1})) << type;
    }
    for (const std::string type : {"::IceStorm::Topic", "", "::Ice::Objec", "::ice::object"}) {
        EXPECT_EQ(ask("ice_isA", string_parameter(type)).rest, result({0})) << type;
    }
}

TEST_F(LinkObjectTest, IceIsAWithoutAStringIsRefused) {
    EXPECT_EQ(ask("ice_isA", kNoParameters).status, ReplyStatus::kUnknownLocal);
    EXPECT_EQ(ask("ice_isA", result({9, 'x'})).status, ReplyStatus::kUnknownLocal);
    EXPECT_EQ(ask("ice_isA", result({1, 'x', 0})).status, ReplyStatus::kUnknownLocal);
}

TEST_F(LinkObjectTest, AnswersIceId) {
    EXPECT_EQ(ask("ice_id", kNoParameters).rest, string_parameter("::IceStorm::TopicLink"));
}

TEST_F(LinkObjectTest, AnswersIceIdsInAlphabeticalOrder) {
    wire::Buffer content{2};
    wire::put_string(content, "::Ice::Object");
    wire::put_string(content, "::IceStorm::TopicLink");
    EXPECT_EQ(ask("ice_ids", kNoParameters).rest, result(content));
    EXPECT_EQ(ask("ice_ids", result({}, wire::kEncoding10)).rest,
              result(content, wire::kEncoding10));
}

TEST_F(LinkObjectTest, AnswersInAnUnknownEncodingAreRefused) {
    EXPECT_EQ(ask("ice_ping", result({}, {2, 0})).status, ReplyStatus::kUnknownLocal);
}

TEST_F(LinkObjectTest, OtherOperationsDoNotExist) {
    for (const std::string operation : {"Forward", "ice_pin", "", "getName"}) {
        const Reply got = ask(operation, kNoParameters);
        EXPECT_EQ(got.status, ReplyStatus::kOperationNotExist);
        wire::Buffer rest;
        wire::put_target(rest, "weather", "topics", "");
        wire::put_string(rest, operation);
        EXPECT_EQ(got.rest, rest);
    }
    EXPECT_EQ(sink().count(), 0U);
}

TEST_F(LinkObjectTest, OnewayQuestionsAreNotAnswered) {
    for (const std::string operation : {"ice_ping", "ice_ids", "unknown"}) {
        EXPECT_EQ(serve(event(operation), 0), 0U);
        EXPECT_FALSE(answered());
    }
}

}  // namespace
}  // namespace squall::test
