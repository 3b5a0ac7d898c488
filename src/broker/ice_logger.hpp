#pragma once

#include <Ice/Logger.h>
#include <spdlog/logger.h>

#include <memory>
#include <string>

namespace squall::broker {

/// Brings what the Ice run time logs into an spdlog logger, one line each: print and trace as
/// info, for who asks for a trace wants to see it.
/// Threads: any, as spdlog.
class IceLogger final : public Ice::Logger {
public:
    explicit IceLogger(std::shared_ptr<spdlog::logger> logger, std::string prefix = {})
        : logger_(std::move(logger)), prefix_(std::move(prefix)) {}

    void print(const std::string& message) override;
    void trace(const std::string& category, const std::string& message) override;
    void warning(const std::string& message) override;
    void error(const std::string& message) override;
    std::string getPrefix() override { return prefix_; }
    std::shared_ptr<Ice::Logger> cloneWithPrefix(const std::string& prefix) override;

private:
    std::shared_ptr<spdlog::logger> logger_;
    std::string prefix_;
};

}  // namespace squall::broker
