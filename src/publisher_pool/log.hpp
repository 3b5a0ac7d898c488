#pragma once

#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <string_view>

namespace squall::pool {

/// The folder's logger; the default one where the program has not named any.
/// Threads: any.
std::shared_ptr<spdlog::logger> log();

/// Text from outside as one quoted word of a log line: quotes, backslashes and control characters
/// are escaped, and what goes beyond 200 bytes is replaced by its length. UTF-8 stays as it is.
std::string quoted(std::string_view text);

}  // namespace squall::pool
