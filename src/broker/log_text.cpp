#include "broker/log_text.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace squall::broker {
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

std::shared_ptr<spdlog::logger> find_logger(const std::string& name) {
    auto logger = spdlog::get(name);
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

std::string word(std::string_view text) {
    const auto is_plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("-_.+").find(c) != std::string_view::npos;
    };
    const bool plain = !text.empty() && text.size() <= kQuotedBytesMax &&
                       std::all_of(text.begin(), text.end(), is_plain);
    return plain ? std::string(text) : quoted(text);
}

}  // namespace squall::broker
