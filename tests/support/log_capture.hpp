#pragma once

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace squall::test {

/// Takes what a folder's logger writes while this lives, the last thousand lines of it.
/// Threads: any.
class LogCapture {
public:
    explicit LogCapture(std::string logger) : name_(std::move(logger)) {
        const auto named = std::make_shared<spdlog::logger>(name_, sink_);
        named->set_pattern("%l %v");
        named->set_level(spdlog::level::trace);
        spdlog::register_logger(named);
    }
    ~LogCapture() { spdlog::drop(name_); }
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    /// The lines that contain this text, such as `warning something happened peer="..."`.
    std::vector<std::string> lines_with(const std::string& text) const {
        std::vector<std::string> lines = sink_->last_formatted();
        std::erase_if(lines, [&](const auto& line) { return line.find(text) == line.npos; });
        return lines;
    }
    std::vector<std::string> lines() const { return lines_with({}); }

private:
    static constexpr std::size_t kLinesMax = 1000;

    const std::string name_;
    const std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> sink_{
        std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kLinesMax)};
};

}  // namespace squall::test
