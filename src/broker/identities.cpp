#include "broker/identities.hpp"

#include <Ice/Initialize.h>

#include <string_view>

namespace squall::broker {

std::string to_string(const Ice::Identity& identity) {
    return Ice::identityToString(identity, Ice::ToStringMode::Unicode);
}

std::string topic_name_of(const Ice::Identity& topic) {
    constexpr std::string_view kPrefix = "topic.";
    if (!topic.category.empty() && topic.name.starts_with(kPrefix)) {
        return topic.name.substr(kPrefix.size());
    }
    return topic.name;
}

}  // namespace squall::broker
