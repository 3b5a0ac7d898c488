#include "registry/commit.hpp"

namespace squall::registry {

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::kOk:
            return "ok";
        case Outcome::kGuardFailed:
            return "a condition did not hold";
        case Outcome::kUnknown:
            return "it is not known whether the change happened";
        case Outcome::kUnavailable:
            return "the registry is unavailable";
        case Outcome::kKeyTooLong:
            return "the topic's name or the subscriber's identity is too long";
        case Outcome::kFull:
            return "the registry is full";
        case Outcome::kClosed:
            return "the registry is closed";
    }
    return "unknown outcome";
}

}  // namespace squall::registry
