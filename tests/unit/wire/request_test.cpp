#include "wire/request.hpp"

#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"

namespace squall::wire {
namespace {

using test::Record;

WireError error_of(const Buffer& body) {
    std::int32_t id = 0;
    RequestView view;
    return parse_request(body, id, view);
}

TEST(RequestTest, ReadsHandWrittenRequest) {
    const Buffer body{7, 0, 0, 0,   1, 'n', 2, 'c', 'c', 0, 3, 'p', 'u', 't',
                      1, 1, 1, 'k', 1, 'v', 8, 0,   0,   0, 1, 0,   'a', 'b'};
    std::int32_t id = 0;
    RequestView view;
    ASSERT_EQ(parse_request(body, id, view), WireError::kNone);
    EXPECT_EQ(id, 7);
    EXPECT_EQ(view.name, "n");
    EXPECT_EQ(view.category, "cc");
    EXPECT_FALSE(view.has_facet);
    EXPECT_EQ(view.operation, "put");
    EXPECT_EQ(view.mode, 1);
    EXPECT_EQ(test::text_of(view.context), "\x01\x01k\x01v");
    EXPECT_EQ(encoding_of(view.encapsulation), kEncoding10);
    EXPECT_EQ(test::text_of(view.encapsulation.subspan(6)), "ab");
}

TEST(RequestTest, TailIsOperationToEncapsulationExactlyAsReceived) {
    Record record;
    record.facet = "side";
    const Buffer body = test::request_body(1, record);
    std::int32_t id = 0;
    RequestView view;
    ASSERT_EQ(parse_request(body, id, view), WireError::kNone);
    EXPECT_EQ(test::text_of(view.tail), test::text_of(test::encoded_tail(record)));
    EXPECT_EQ(view.tail.data() + view.tail.size(), body.data() + body.size());
    TailView tail;
    ASSERT_EQ(parse_tail(view.tail, tail), WireError::kNone);
    EXPECT_EQ(tail.operation, "report");
}

TEST(RequestTest, ReadsFacetPaths) {
    Record record;
    record.facet = "side";
    const Buffer with_facet = test::request_body(1, record);
    std::int32_t id = 0;
    RequestView view;
    ASSERT_EQ(parse_request(with_facet, id, view), WireError::kNone);
    EXPECT_TRUE(view.has_facet);
    EXPECT_EQ(view.facet, "side");
    record.facet.clear();
    const Buffer without_facet = test::request_body(1, record);
    ASSERT_EQ(parse_request(without_facet, id, view), WireError::kNone);
    EXPECT_FALSE(view.has_facet);
    EXPECT_TRUE(view.facet.empty());
}

TEST(RequestTest, RejectsFacetPathOfTwoElements) {
    EXPECT_EQ(error_of({0, 0, 0, 0, 1, 'n', 0, 2, 1, 'a', 1, 'b', 1, 'o', 0, 0, 6, 0, 0, 0, 1, 1}),
              WireError::kBadFacet);
    EXPECT_EQ(error_of({0, 0, 0, 0, 1, 'n', 0, 255, 0xff, 0xff, 0xff, 0xff}), WireError::kBadSize);
}

TEST(RequestTest, ReadsSmallestRecord) {
    const Buffer body{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1, 1};
    EXPECT_EQ(body.size(), 4 + kMinRecordSize);
    EXPECT_EQ(error_of(body), WireError::kNone);
}

TEST(RequestTest, ReadsNamesOfEverySizeEdge) {
    for (const std::size_t size : {0U, 254U, 255U, 256U}) {
        Record record;
        record.name = std::string(size, 'n');
        record.category = std::string(size, 'c');
        record.facet = std::string(size, 'f');
        const Buffer body = test::request_body(-1, record);
        std::int32_t id = 0;
        RequestView view;
        ASSERT_EQ(parse_request(body, id, view), WireError::kNone) << size;
        EXPECT_EQ(id, -1);
        EXPECT_EQ(view.name, record.name);
        EXPECT_EQ(view.category, record.category);
        EXPECT_EQ(view.facet, record.facet);
    }
}

TEST(RequestTest, RejectsTruncationAtEveryByte) {
    Record record;
    record.facet = "f";
    record.name = std::string(300, 'n');
    const Buffer whole = test::request_body(5, record);
    ASSERT_EQ(error_of(whole), WireError::kNone);
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_NE(error_of(test::cut(whole, given)), WireError::kNone) << given;
    }
}

TEST(RequestTest, RejectsBytesBehindTheRecord) {
    Buffer body = test::request_body(1, {});
    body.push_back(0);
    EXPECT_EQ(error_of(body), WireError::kTrailingBytes);
}

TEST(RequestTest, KeepsIdAndTargetForTheAnswerToBadEncapsulation) {
    Record record;
    store_i32(record.params.data(), 1000);
    const Buffer body = test::request_body(42, record);
    std::int32_t id = 0;
    RequestView view;
    EXPECT_EQ(parse_request(body, id, view), WireError::kBadEncapsulation);
    EXPECT_EQ(id, 42);
    EXPECT_EQ(view.name, "weather");
    EXPECT_EQ(view.operation, "report");
    EXPECT_TRUE(view.tail.empty());
}

TEST(RequestTest, AcceptsUnknownEncodingVersion) {
    Record record;
    record.params = test::encapsulation({2, 5}, "opaque");
    EXPECT_EQ(error_of(test::request_body(1, record)), WireError::kNone);
}

TEST(RequestTest, RecordIsReadFromTheMiddleOfAMessage) {
    const Record record;
    Buffer bytes = test::encoded(record);
    bytes.push_back(0x55);
    Reader reader(bytes);
    RequestView view;
    ASSERT_EQ(parse_request_record(reader, view), WireError::kNone);
    EXPECT_EQ(view.name, "weather");
    EXPECT_EQ(reader.u8(), 0x55);
}

}  // namespace
}  // namespace squall::wire
