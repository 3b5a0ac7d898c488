#pragma once

#include <stdexcept>

namespace squall::broker {

/// The broker cannot start. what() is one line that names the thing, its property and value, the
/// reason, and what would mend it.
class StartError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace squall::broker
