#pragma once

#include <Ice/Identity.h>

#include <string>

namespace squall::broker {

/// An identity as Ice prints it; distinct identities give distinct strings.
std::string to_string(const Ice::Identity& identity);

/// The topic that a topic's identity names (behaviour reference 2.1): what follows "topic.", or
/// the whole name of an identity without category.
std::string topic_name_of(const Ice::Identity& topic);

/// The identities under which a broker's objects are known (behaviour reference 2.1).
/// Threads: immutable.
class Identities {
public:
    /// `instance_name` is the category of all but the finder.
    explicit Identities(std::string instance_name) : instance_name_(std::move(instance_name)) {}

    Ice::Identity topic_manager() const { return {"TopicManager", instance_name_}; }
    /// The same in every broker, so that a client needs only host and port.
    static Ice::Identity finder() { return {"Finder", "IceStorm"}; }
    Ice::Identity topic(const std::string& name) const { return {"topic." + name, instance_name_}; }
    Ice::Identity publisher(const std::string& topic) const {
        return {topic + ".publish", instance_name_};
    }
    Ice::Identity link(const std::string& topic) const { return {topic + ".link", instance_name_}; }
    /// The publisher that reaches one subscriber only.
    Ice::Identity publisher_to(const std::string& topic, const Ice::Identity& subscriber) const {
        return {"topic." + topic + ".publish." + to_string(subscriber), instance_name_};
    }

private:
    std::string instance_name_;
};

}  // namespace squall::broker
