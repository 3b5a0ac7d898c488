#pragma once

namespace squall::squalld {

/// The process's logging, from construction to destruction: spdlog loggers named config, broker,
/// pool, queue and ice, and a default one, all asynchronous to stderr (stdout is for the ready
/// line). When the log queue is full its oldest lines are lost, so that a slow stderr never holds
/// up delivery. Ice's process logger, which communicators inherit, is `ice`.
/// Destruction writes what is left; nothing may log afterwards.
/// Threads: construct and destroy on the main thread, alone.
class LogSetup {
public:
    LogSetup();
    ~LogSetup();
    LogSetup(const LogSetup&) = delete;
    LogSetup& operator=(const LogSetup&) = delete;
};

}  // namespace squall::squalld
