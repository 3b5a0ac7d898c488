#include "wire/reply.hpp"

#include <array>

#include "wire/header.hpp"
#include "wire/reader.hpp"
#include "wire/target.hpp"
#include "wire/writer.hpp"

namespace squall::wire {

namespace {

/// What follows a status byte.
enum class RestKind : std::uint8_t { kEncapsulation, kNotExist, kText, kAnything };

struct StatusInfo {
    std::string_view name;
    RestKind kind;
};

/// In the order of ReplyStatus.
constexpr std::array<StatusInfo, 11> kStatuses{{
    {"Ok", RestKind::kEncapsulation},
    {"UserException", RestKind::kEncapsulation},
    {"ObjectNotExist", RestKind::kNotExist},
    {"FacetNotExist", RestKind::kNotExist},
    {"OperationNotExist", RestKind::kNotExist},
    {"UnknownLocalException", RestKind::kText},
    {"UnknownUserException", RestKind::kText},
    {"UnknownException", RestKind::kText},
    {"InvalidData", RestKind::kText},
    {"Unauthorized", RestKind::kText},
    {"NotSupported", RestKind::kText},
}};

StatusInfo info_of(std::uint8_t status) noexcept {
    return status < kStatuses.size() ? kStatuses[status] : StatusInfo{{}, RestKind::kAnything};
}

/// At most 200 bytes of the text. A peer must not be able to forge or flood a log.
void append_printable(std::string& out, std::string_view text) {
    constexpr std::size_t kMaxBytes = 200;
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text.substr(0, kMaxBytes)) {
        const auto byte = static_cast<std::uint8_t>(c);
        if (byte < 0x20 || byte == 0x7f) {
            out += "\\x";
            out += kHex[byte >> 4];
            out += kHex[byte & 0xf];
        } else {
            out += c;
        }
    }
    if (text.size() > kMaxBytes) {
        out += "...";
    }
}

void append_target(std::string& out, const TargetView& target, std::string_view operation) {
    out += ' ';
    if (!target.category.empty()) {
        append_printable(out, target.category);
        out += '/';
    }
    append_printable(out, target.name);
    if (target.has_facet) {
        out += " facet ";
        append_printable(out, target.facet);
    }
    out += " operation ";
    append_printable(out, operation);
}

/// Room for header and body front; the size is set by finish_reply().
std::size_t begin_reply(Buffer& out, std::int32_t id, ReplyStatus status) {
    const std::size_t start = out.size();
    out.resize(start + kHeaderSize);
    put_i32(out, id);
    put_u8(out, static_cast<std::uint8_t>(status));
    return start;
}

void finish_reply(Buffer& out, std::size_t start) {
    store_header(out.data() + start, MessageType::kReply, Compression::kNone,
                 static_cast<std::uint32_t>(out.size() - start));
}

}  // namespace

WireError parse_reply(ByteView body, ReplyView& out) noexcept {
    Reader reader(body);
    out.id = reader.i32();
    out.status = reader.u8();
    out.rest = body.subspan(reader.position());
    switch (info_of(out.status).kind) {
        case RestKind::kEncapsulation:
            read_encapsulation(reader);
            break;
        case RestKind::kNotExist: {
            TargetView target;
            read_target(reader, target);
            reader.string();
            break;
        }
        case RestKind::kText:
            reader.string();
            break;
        case RestKind::kAnything:
            reader.skip(reader.remaining());
            break;
    }
    return reader.finish();
}

std::string describe_reply(const ReplyView& reply) {
    const StatusInfo info = info_of(reply.status);
    Reader reader(reply.rest);
    if (info.kind == RestKind::kAnything) {
        return "unknown reply status " + std::to_string(reply.status);
    }
    std::string text(info.name);
    if (info.kind == RestKind::kNotExist) {
        TargetView target;
        read_target(reader, target);
        append_target(text, target, reader.string());
    } else if (info.kind == RestKind::kText) {
        text += ' ';
        append_printable(text, reader.string());
    }
    return text;
}

void append_reply(Buffer& out, std::int32_t id, Encoding encoding) {
    const std::size_t start = begin_reply(out, id, ReplyStatus::kOk);
    put_empty_encapsulation(out, encoding);
    finish_reply(out, start);
}

void append_reply(Buffer& out, std::int32_t id, ByteView encapsulation) {
    const std::size_t start = begin_reply(out, id, ReplyStatus::kOk);
    put_bytes(out, encapsulation);
    finish_reply(out, start);
}

void append_not_exist(Buffer& out, std::int32_t id, ReplyStatus status, std::string_view name,
                      std::string_view category, std::string_view facet,
                      std::string_view operation) {
    const std::size_t start = begin_reply(out, id, status);
    put_target(out, name, category, facet);
    put_string(out, operation);
    finish_reply(out, start);
}

void append_unknown(Buffer& out, std::int32_t id, ReplyStatus status, std::string_view message) {
    const std::size_t start = begin_reply(out, id, status);
    put_string(out, message);
    finish_reply(out, start);
}

}  // namespace squall::wire
