#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace squall::ctl {

constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

/// What was asked could not be done: one line that says what was tried and what to do.
class OperationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The command line makes no sense: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where a call went, for its error message.
struct Target {
    /// What was called, with its address: "the topic manager at 127.0.0.1:10000".
    std::string name;
    /// What to do when nothing listens there.
    std::string when_unreachable;
    /// What to do when there is no such object.
    std::string when_absent;
};

/// One plain line for a failed Ice call. Only ever called with an exception at hand.
std::string explain(const std::exception_ptr& error, const Target& target);

/// Writes "squallctl: MESSAGE" to stderr.
void print_error(const std::string& message);

}  // namespace squall::ctl
