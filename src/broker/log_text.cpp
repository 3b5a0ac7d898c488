#include "broker/log_text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace squall::broker {
namespace {

constexpr std::size_t kWordBytesMax = 200;

}  // namespace

std::shared_ptr<spdlog::logger> find_logger(const std::string& name) {
    auto logger = spdlog::get(name);
    return logger ? logger : spdlog::default_logger();
}

std::string word(std::string_view text) {
    const auto is_plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("-_.+").find(c) != std::string_view::npos;
    };
    const bool plain = !text.empty() && text.size() <= kWordBytesMax &&
                       std::all_of(text.begin(), text.end(), is_plain);
    return plain ? std::string(text) : quoted(text);
}

}  // namespace squall::broker
