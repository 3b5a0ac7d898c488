#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/encapsulation.hpp"
#include "wire/tail.hpp"
#include "wire/target.hpp"
#include "wire/writer.hpp"

// Pieces of messages for the tests of the wire room.

namespace squall::wire::test {

inline Buffer encapsulation(Encoding encoding, std::string_view payload) {
    Buffer out;
    put_i32(out, static_cast<std::int32_t>(kEncapsulationHeaderSize + payload.size()));
    put_u8(out, encoding.major);
    put_u8(out, encoding.minor);
    put_bytes(out, as_bytes(payload));
    return out;
}

/// Parts of a request record, each with a value that differs from the others.
struct Record {
    std::string name = "weather";
    std::string category = "topics";
    std::string facet;
    std::string operation = "report";
    std::uint8_t mode = 2;
    Context context = {{"cost", "3"}, {"origin", "roof"}};
    Buffer params = encapsulation(kEncoding11, "payload");
};

inline Buffer encoded_tail(const Record& record) {
    Buffer out(tail_size(record.operation, record.context, record.params));
    store_tail(out.data(), record.operation, record.mode, record.context, record.params);
    return out;
}

inline Buffer encoded(const Record& record) {
    Buffer out;
    put_target(out, record.name, record.category, record.facet);
    put_bytes(out, encoded_tail(record));
    return out;
}

inline Buffer request_body(std::int32_t id, const Record& record) {
    Buffer out;
    put_i32(out, id);
    put_bytes(out, encoded(record));
    return out;
}

/// The first `count` bytes in memory of their own, so that a sanitizer sees a read beyond them.
inline Buffer cut(const Buffer& whole, std::size_t count) {
    return {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count)};
}

inline std::string text_of(ByteView bytes) {
    return std::string(as_text(bytes));
}

}  // namespace squall::wire::test
