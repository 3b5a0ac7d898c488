#include "broker/ice_logger.hpp"

namespace squall::broker {
namespace {

/// Ice breaks its messages into lines for a terminal; a log entry is one line.
std::string one_line(const std::string& text) {
    std::string result;
    bool blank = false;
    for (const char c : text) {
        const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
        if (!is_blank) {
            if (blank && !result.empty()) {
                result += ' ';
            }
            result += c;
        }
        blank = is_blank;
    }
    return result;
}

}  // namespace

void IceLogger::print(const std::string& message) {
    logger_->info("{}", one_line(message));
}

void IceLogger::trace(const std::string& category, const std::string& message) {
    logger_->info("{}: {}", category, one_line(message));
}

void IceLogger::warning(const std::string& message) {
    logger_->warn("{}", one_line(message));
}

void IceLogger::error(const std::string& message) {
    logger_->error("{}", one_line(message));
}

std::shared_ptr<Ice::Logger> IceLogger::cloneWithPrefix(const std::string& prefix) {
    return std::make_shared<IceLogger>(logger_, prefix);
}

}  // namespace squall::broker
