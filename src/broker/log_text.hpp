#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <string_view>

namespace squall::broker {

/// The spdlog logger of that name, or the default logger where there is none.
std::shared_ptr<spdlog::logger> find_logger(const std::string& name);

/// Text from outside as one quoted word of a log line: quotes, backslashes and control characters
/// are escaped, and what goes beyond 200 bytes is replaced by its length. UTF-8 stays as it is.
std::string quoted(std::string_view text);

/// The text as it is if it is one plain word, else quoted.
std::string word(std::string_view text);

/// IceStorm's rule for trace categories: from level 1 on operations are worth an info line.
inline spdlog::level::level_enum trace_level(int level) {
    return level >= 1 ? spdlog::level::info : spdlog::level::debug;
}

}  // namespace squall::broker
