#include "wire/prefix.hpp"

#include <gtest/gtest.h>

#include "unit/wire/samples.hpp"
#include "wire/request.hpp"

namespace squall::wire {
namespace {

Buffer whole_request(const RequestPrefix& prefix, std::int32_t id, const Buffer& tail) {
    Buffer out(prefix.request_size() + tail.size());
    std::uint8_t* at = prefix.store_request(out.data(), id, tail.size(), Compression::kSupported);
    EXPECT_EQ(at, out.data() + prefix.request_size());
    store_bytes(at, tail);
    return out;
}

TEST(RequestPrefixTest, WritesTheDocumentedBytes) {
    const RequestPrefix prefix("n", "cc", "");
    Buffer out(prefix.request_size());
    prefix.store_request(out.data(), 258, 1000, Compression::kNone);
    EXPECT_EQ(out, (Buffer{'I', 'c', 'e', 'P', 1, 0, 1, 0,   0, 0,   0,   4,
                           0,   0,   2,   1,   0, 0, 1, 'n', 2, 'c', 'c', 0}));
    EXPECT_EQ(prefix.record_size(), 6U);
}

TEST(RequestPrefixTest, WithTailParsesBackAsRequest) {
    for (const std::size_t size : {1U, 254U, 255U, 256U}) {
        const std::string name(size, 'n');
        const std::string facet(size - 1, 'f');
        const RequestPrefix prefix(name, "cat", facet);
        const Buffer tail = test::encoded_tail({});
        const Buffer message = whole_request(prefix, 2147483647, tail);

        Header header;
        ASSERT_EQ(parse_header(message, 0, header), WireError::kNone);
        EXPECT_EQ(header.type, MessageType::kRequest);
        EXPECT_EQ(header.compression, Compression::kSupported);
        EXPECT_EQ(header.size, message.size());
        std::int32_t id = 0;
        RequestView view;
        ASSERT_EQ(parse_request(ByteView(message).subspan(kHeaderSize), id, view),
                  WireError::kNone);
        EXPECT_EQ(id, 2147483647);
        EXPECT_EQ(view.name, name);
        EXPECT_EQ(view.category, "cat");
        EXPECT_EQ(view.has_facet, !facet.empty());
        EXPECT_EQ(view.facet, facet);
        EXPECT_EQ(test::text_of(view.tail), test::text_of(tail));
    }
}

TEST(RequestPrefixTest, StoresEachRequestAfresh) {
    const RequestPrefix prefix("n", "", "");
    const Buffer tail = test::encoded_tail({});
    static_cast<void>(whole_request(prefix, 77, tail));
    const Buffer second = whole_request(prefix, 0, Buffer{});
    EXPECT_EQ(second[10], prefix.request_size());
    EXPECT_EQ(second[14], 0);
}

TEST(RequestPrefixTest, RecordsWithOneTailParseBackAsBatch) {
    const RequestPrefix first("first", "", "");
    const RequestPrefix second("second", "c", "side");
    const Buffer tail = test::encoded_tail({});
    const std::size_t size =
        kBatchHeaderSize + first.record_size() + second.record_size() + 2 * tail.size();
    Buffer message(size);
    std::uint8_t* at = store_batch_header(message.data(), 2, size, Compression::kNone);
    at = store_bytes(first.store_record(at), tail);
    at = store_bytes(second.store_record(at), tail);
    ASSERT_EQ(at, message.data() + size);

    Header header;
    ASSERT_EQ(parse_header(message, 0, header), WireError::kNone);
    EXPECT_EQ(header.type, MessageType::kBatchRequest);
    EXPECT_EQ(header.size, size);
    BatchReader batch(ByteView(message).subspan(kHeaderSize));
    RequestView view;
    ASSERT_TRUE(batch.next(view));
    EXPECT_EQ(view.name, "first");
    EXPECT_EQ(test::text_of(view.tail), test::text_of(tail));
    ASSERT_TRUE(batch.next(view));
    EXPECT_EQ(view.name, "second");
    EXPECT_EQ(view.facet, "side");
    EXPECT_FALSE(batch.next(view));
    EXPECT_EQ(batch.error(), WireError::kNone);
}

}  // namespace
}  // namespace squall::wire
