#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace squall::broker {

/// The configuration cannot be used. Holds every problem found, one clear line each: where the
/// property was set, its name and value, what is allowed. Threads: immutable.
class ConfigError : public std::runtime_error {
public:
    /// `problems` is not empty.
    explicit ConfigError(std::vector<std::string> problems)
        : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

    explicit ConfigError(std::string problem)
        : ConfigError(std::vector<std::string>{std::move(problem)}) {}

    const std::vector<std::string>& problems() const { return problems_; }

private:
    static std::string joined(const std::vector<std::string>& problems) {
        std::string text;
        for (const auto& problem : problems) {
            text += text.empty() ? "" : "\n";
            text += problem;
        }
        return text;
    }

    std::vector<std::string> problems_;
};

}  // namespace squall::broker
