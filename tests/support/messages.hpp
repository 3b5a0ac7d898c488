#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unit/wire/samples.hpp"
#include "wire/compression.hpp"
#include "wire/header.hpp"
#include "wire/reply.hpp"

// Whole messages, as publishers send them and as they get them back.

namespace squall::test {

using wire::test::Record;

inline wire::Buffer message(wire::MessageType type, wire::ByteView body,
                            wire::Compression compression = wire::Compression::kNone) {
    wire::Buffer bytes(wire::kHeaderSize);
    wire::store_header(bytes.data(), type, compression,
                       static_cast<std::uint32_t>(wire::kHeaderSize + body.size()));
    wire::put_bytes(bytes, body);
    return bytes;
}

/// `id` is 0 for oneway.
inline wire::Buffer request(std::int32_t id, const Record& record,
                            wire::Compression compression = wire::Compression::kNone) {
    return message(wire::MessageType::kRequest, wire::test::request_body(id, record), compression);
}

inline wire::Buffer batch(const std::vector<Record>& records) {
    wire::Buffer body;
    wire::put_i32(body, static_cast<std::int32_t>(records.size()));
    for (const Record& record : records) {
        wire::put_bytes(body, wire::test::encoded(record));
    }
    return message(wire::MessageType::kBatchRequest, body);
}

/// The parameters of a link's `forward`: of each record the event, with its parameters as bytes.
/// `count` is what stands in front of them, whether it is true or not.
inline wire::Buffer forward_parameters(std::size_t count, const std::vector<Record>& events,
                                       wire::Encoding encoding = wire::kEncoding11) {
    wire::Buffer content;
    wire::put_size(content, count);
    for (const Record& event : events) {
        wire::put_string(content, event.operation);
        wire::put_u8(content, event.mode);
        wire::put_string(content, wire::as_text(event.params));
        wire::put_size(content, event.context.size());
        for (const auto& [key, value] : event.context) {
            wire::put_string(content, key);
            wire::put_string(content, value);
        }
    }
    return wire::test::encapsulation(encoding, wire::as_text(content));
}

inline wire::Buffer forward_parameters(const std::vector<Record>& events,
                                       wire::Encoding encoding = wire::kEncoding11) {
    return forward_parameters(events.size(), events, encoding);
}

/// The same message compressed; it must be one that becomes smaller.
inline wire::Buffer compressed(const wire::Buffer& plain) {
    wire::Buffer bytes;
    EXPECT_TRUE(wire::compress_message(plain, bytes)) << "does not become smaller";
    return bytes;
}

inline wire::Buffer joined(const std::vector<wire::Buffer>& messages) {
    wire::Buffer all;
    for (const wire::Buffer& one : messages) {
        wire::put_bytes(all, one);
    }
    return all;
}

/// A reply as it arrived. Threads: a value.
struct Reply {
    wire::Compression compression{wire::Compression::kNone};
    std::int32_t id{0};
    wire::ReplyStatus status{wire::ReplyStatus::kOk};
    wire::Buffer rest;
};

/// Checks and reads one whole message, compressed or not.
inline Reply parsed_reply(wire::ByteView bytes) {
    constexpr std::uint32_t kNoLimit = 0;
    Reply reply;
    wire::Header header;
    EXPECT_EQ(wire::parse_header(bytes, kNoLimit, header), wire::WireError::kNone);
    EXPECT_EQ(header.type, wire::MessageType::kReply);
    EXPECT_EQ(header.size, bytes.size());
    reply.compression = header.compression;
    wire::Buffer plain(bytes.begin(), bytes.end());
    if (header.compression == wire::Compression::kCompressed) {
        EXPECT_EQ(wire::decompress_message(bytes, kNoLimit, plain), wire::WireError::kNone);
    }
    wire::ReplyView view;
    EXPECT_EQ(wire::parse_reply(wire::ByteView(plain).subspan(wire::kHeaderSize), view),
              wire::WireError::kNone);
    reply.id = view.id;
    reply.status = static_cast<wire::ReplyStatus>(view.status);
    reply.rest.assign(view.rest.begin(), view.rest.end());
    return reply;
}

/// The replies in a stream that holds nothing else.
inline std::vector<Reply> parsed_replies(wire::ByteView stream) {
    std::vector<Reply> replies;
    while (!stream.empty()) {
        wire::Header header;
        EXPECT_EQ(wire::parse_header(stream, 0, header), wire::WireError::kNone);
        if (::testing::Test::HasFailure() || header.size > stream.size()) {
            ADD_FAILURE() << "the stream ends within a message";
            break;
        }
        replies.push_back(parsed_reply(stream.first(header.size)));
        stream = stream.subspan(header.size);
    }
    return replies;
}

}  // namespace squall::test
