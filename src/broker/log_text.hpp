#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <string_view>

#include "publisher_pool/log.hpp"

namespace squall::broker {

/// The spdlog logger of that name, or the default logger where there is none.
std::shared_ptr<spdlog::logger> find_logger(const std::string& name);

using pool::quoted;

/// The text as it is if it is one plain word, else quoted.
std::string word(std::string_view text);

/// IceStorm's rule for trace categories: from level 1 on operations are worth an info line.
inline spdlog::level::level_enum trace_level(int level) {
    return level >= 1 ? spdlog::level::info : spdlog::level::debug;
}

}  // namespace squall::broker
