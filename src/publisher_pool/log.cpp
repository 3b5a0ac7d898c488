#include "publisher_pool/log.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace squall::pool {
namespace {

constexpr std::size_t kQuotedBytesMax = 200;

/// The longest prefix of at most `size` bytes that does not end within a UTF-8 sequence.
std::string_view utf8_prefix(std::string_view text, std::size_t size) {
    if (text.size() <= size) {
        return text;
    }
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        --size;
    }
    return text.substr(0, size);
}

}  // namespace

std::shared_ptr<spdlog::logger> log() {
    auto logger = spdlog::get("pool");
    return logger ? logger : spdlog::default_logger();
}

std::string quoted(std::string_view text) {
    const std::string_view shown = utf8_prefix(text, kQuotedBytesMax);
    std::string result = "\"";
    for (const char c : shown) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += c;
        }
    }
    result += '"';
    if (shown.size() < text.size()) {
        result += fmt::format("...({} bytes)", text.size());
    }
    return result;
}

}  // namespace squall::pool
