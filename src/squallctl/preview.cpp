#include "squallctl/preview.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace squall::ctl {
namespace {

constexpr std::size_t kTextBytes = 200;
constexpr std::size_t kHexBytes = 32;

std::uint8_t byte_at(std::string_view text, std::size_t at) {
    return static_cast<std::uint8_t>(text[at]);
}

/// Bytes of the printable UTF-8 character at the start of `text`; 0 for anything else.
std::size_t printable_bytes(std::string_view text) {
    const std::uint8_t lead = byte_at(text, 0);
    if (lead < 0x80) {
        return lead >= 0x20 && lead != 0x7f ? 1 : 0;
    }
    const std::size_t length = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || length == 0 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(text, i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const std::uint8_t second = byte_at(text, 1);
    const bool is_control = lead == 0xc2 && second < 0xa0;
    const bool is_overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool is_outside = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
    return is_control || is_overlong || is_outside ? 0 : length;
}

bool is_text(std::string_view text) {
    while (!text.empty()) {
        std::size_t length = printable_bytes(text);
        if (length == 0 && (text[0] == '\n' || text[0] == '\t' || text[0] == '\r')) {
            length = 1;
        }
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

/// What follows an Ice size, when that is exactly all there is (behaviour reference 12.3).
std::optional<std::string_view> as_string(std::span<const std::uint8_t> parameters) {
    std::size_t prefix = 1;
    std::size_t size = parameters[0];
    if (size == 255) {
        prefix = 5;
        if (parameters.size() < prefix) {
            return std::nullopt;
        }
        size = 0;
        for (std::size_t i = 4; i > 0; --i) {
            size = size << 8 | parameters[i];
        }
    }
    if (parameters.size() - prefix != size) {
        return std::nullopt;
    }
    const auto body = parameters.subspan(prefix);
    return std::string_view(reinterpret_cast<const char*>(body.data()), body.size());
}

std::string hex(std::span<const std::uint8_t> bytes) {
    std::string out;
    for (const auto byte : bytes.first(std::min(bytes.size(), kHexBytes))) {
        std::array<char, 4> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", byte);
        out += (out.empty() ? "" : " ");
        out += digits.data();
    }
    return out + (bytes.size() > kHexBytes ? " ..." : "");
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t length = printable_bytes(text);
        if (length > 0) {
            out += text.substr(0, length);
        } else if (const auto at = std::string_view("\n\t\r").find(text[0]);
                   at != std::string_view::npos) {
            length = 1;
            out += '\\';
            out += "ntr"[at];
        } else {
            length = 1;
            std::array<char, 5> code{};
            std::snprintf(code.data(), code.size(), "\\x%02x", byte_at(text, 0));
            out += code.data();
        }
        text.remove_prefix(length);
    }
    return out;
}

std::string preview(std::span<const std::uint8_t> parameters) {
    if (parameters.empty()) {
        return "-";
    }
    const auto text = as_string(parameters);
    if (!text || !is_text(*text)) {
        return hex(parameters);
    }
    if (text->size() <= kTextBytes) {
        return '"' + escape(*text) + '"';
    }
    std::size_t end = kTextBytes;
    while ((byte_at(*text, end) & 0xc0) == 0x80) {
        --end;
    }
    return '"' + escape(text->substr(0, end)) + "\" ...";
}

}  // namespace squall::ctl
