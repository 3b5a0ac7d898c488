#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/wire/samples.hpp"
#include "wire/request.hpp"

namespace squall::wire {
namespace {

Buffer batch_body(std::int32_t count, int records) {
    Buffer out;
    put_i32(out, count);
    for (int i = 0; i < records; ++i) {
        test::Record record;
        record.name = "n" + std::to_string(i);
        put_bytes(out, test::encoded(record));
    }
    return out;
}

struct Walk {
    std::vector<std::string> names;
    WireError error = WireError::kNone;
};

Walk walk(const Buffer& body) {
    Walk result;
    BatchReader batch(body);
    for (RequestView record; batch.next(record);) {
        result.names.emplace_back(record.name);
    }
    result.error = batch.error();
    return result;
}

TEST(BatchReaderTest, HandsOutRecordsInOrder) {
    const Walk result = walk(batch_body(3, 3));
    EXPECT_EQ(result.error, WireError::kNone);
    EXPECT_EQ(result.names, (std::vector<std::string>{"n0", "n1", "n2"}));
}

TEST(BatchReaderTest, CountsDownWhatRemains) {
    const Buffer body = batch_body(2, 2);
    BatchReader batch(body);
    RequestView record;
    EXPECT_EQ(batch.remaining(), 2);
    EXPECT_TRUE(batch.next(record));
    EXPECT_EQ(batch.remaining(), 1);
    EXPECT_TRUE(batch.next(record));
    EXPECT_FALSE(batch.next(record));
    EXPECT_FALSE(batch.next(record));
    EXPECT_EQ(batch.remaining(), 0);
}

TEST(BatchReaderTest, AcceptsEmptyBatch) {
    const Walk result = walk(batch_body(0, 0));
    EXPECT_EQ(result.error, WireError::kNone);
    EXPECT_TRUE(result.names.empty());
}

TEST(BatchReaderTest, AcceptsCountThatJustFits) {
    Buffer body;
    put_i32(body, 2);
    for (int i = 0; i < 2; ++i) {
        put_bytes(body, Buffer{0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1, 1});
    }
    EXPECT_EQ(walk(body).names.size(), 2U);
    body.pop_back();
    EXPECT_EQ(walk(body).error, WireError::kBadCount);
}

TEST(BatchReaderTest, RejectsImpossibleCountsUpFront) {
    for (const std::int32_t count : {-1, -2147483647 - 1, 100, 2147483647}) {
        const Buffer body = batch_body(count, 1);
        BatchReader batch(body);
        EXPECT_EQ(batch.error(), WireError::kBadCount) << count;
        EXPECT_EQ(batch.remaining(), 0);
        RequestView record;
        EXPECT_FALSE(batch.next(record));
    }
}

TEST(BatchReaderTest, RejectsTruncationAtEveryByte) {
    const Buffer whole = batch_body(2, 2);
    for (std::size_t given = 0; given < whole.size(); ++given) {
        EXPECT_NE(walk(test::cut(whole, given)).error, WireError::kNone) << given;
    }
}

TEST(BatchReaderTest, HandsOutWhatPrecedesABrokenRecord) {
    Buffer body = batch_body(3, 2);
    put_bytes(body, Buffer{1, 'x', 0, 2, 1, 'f', 1, 'g', 0, 0, 0, 0, 0, 0});
    const Walk result = walk(body);
    EXPECT_EQ(result.names.size(), 2U);
    EXPECT_EQ(result.error, WireError::kBadFacet);
}

TEST(BatchReaderTest, RejectsBytesBehindTheLastRecord) {
    const Walk result = walk(batch_body(1, 2));
    EXPECT_EQ(result.names.size(), 1U);
    EXPECT_EQ(result.error, WireError::kTrailingBytes);
}

}  // namespace
}  // namespace squall::wire
