#include "wire/header.hpp"

#include <string_view>

#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace squall::wire {

namespace {

constexpr std::string_view kMagic = "IceP";

bool has_body(MessageType type) noexcept {
    return type != MessageType::kValidateConnection && type != MessageType::kCloseConnection;
}

/// Two bytes that must be 1 and 0.
void expect_version_1_0(Reader& reader, WireError error) noexcept {
    const std::uint8_t major = reader.u8();
    const std::uint8_t minor = reader.u8();
    if (major != 1 || minor != 0) {
        reader.fail(error);
    }
}

}  // namespace

WireError parse_header(ByteView first14, std::uint32_t max_size, Header& out) noexcept {
    if (first14.size() < kHeaderSize) {
        return WireError::kTruncated;
    }
    Reader reader(first14.first(kHeaderSize));
    if (as_text(reader.bytes(kMagic.size())) != kMagic) {
        return WireError::kBadMagic;
    }
    expect_version_1_0(reader, WireError::kBadProtocol);
    expect_version_1_0(reader, WireError::kBadEncoding);
    const std::uint8_t type = reader.u8();
    if (type > static_cast<std::uint8_t>(MessageType::kCloseConnection)) {
        reader.fail(WireError::kBadType);
    }
    const std::uint8_t compression = reader.u8();
    if (compression > static_cast<std::uint8_t>(Compression::kCompressed)) {
        reader.fail(WireError::kBadCompression);
    }
    const std::int32_t size = reader.i32();
    if (size < static_cast<std::int32_t>(kHeaderSize)) {
        reader.fail(WireError::kBadSize);
    }
    if (!reader.ok()) {
        return reader.error();
    }
    out.type = static_cast<MessageType>(type);
    out.compression = static_cast<Compression>(compression);
    out.size = static_cast<std::uint32_t>(size);
    if (!has_body(out.type) && out.size != kHeaderSize) {
        return WireError::kBadSize;
    }
    return max_size != 0 && out.size > max_size ? WireError::kTooLarge : WireError::kNone;
}

void store_header(std::uint8_t* at, MessageType type, Compression compression,
                  std::uint32_t size) noexcept {
    at = store_bytes(at, as_bytes(kMagic));
    *at++ = 1;  // protocol 1.0
    *at++ = 0;
    *at++ = 1;  // encoding of header and body 1.0, whatever the parameters use
    *at++ = 0;
    *at++ = static_cast<std::uint8_t>(type);
    *at++ = static_cast<std::uint8_t>(compression);
    store_i32(at, static_cast<std::int32_t>(size));
}

}  // namespace squall::wire
