#pragma once

#include <spdlog/spdlog.h>

#include <memory>

namespace squall::pool {

/// The folder's logger; the default one where the program has not named any.
/// Threads: any.
inline std::shared_ptr<spdlog::logger> log() {
    auto logger = spdlog::get("pool");
    return logger ? logger : spdlog::default_logger();
}

}  // namespace squall::pool
