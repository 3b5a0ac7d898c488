#include "broker/topic_manager_servant.hpp"

#include <Ice/Current.h>

#include "broker/exact_exception.hpp"

namespace squall::broker {

std::shared_ptr<IceStorm::TopicPrx> TopicManagerServant::create(std::string name,
                                                                const Ice::Current& /*current*/) {
    if (!control_.create(name)) {
        throw Exact<IceStorm::TopicExists>(name);
    }
    return adapters_.topic_proxy(name);
}

std::shared_ptr<IceStorm::TopicPrx> TopicManagerServant::retrieve(std::string name,
                                                                  const Ice::Current& /*current*/) {
    if (!table_.contains(name)) {
        throw Exact<IceStorm::NoSuchTopic>(name);
    }
    return adapters_.topic_proxy(name);
}

IceStorm::TopicDict TopicManagerServant::retrieveAll(const Ice::Current& /*current*/) {
    IceStorm::TopicDict topics;
    for (const std::string& name : table_.names()) {
        topics.emplace_hint(topics.end(), name, adapters_.topic_proxy(name));
    }
    return topics;
}

Ice::SliceChecksumDict TopicManagerServant::getSliceChecksums(const Ice::Current& /*current*/) {
    return {};
}

std::shared_ptr<IceStorm::TopicPrx> TopicManagerServant::createOrRetrieve(
    std::string name, const Ice::Current& /*current*/) {
    // Either there is one, or it is created now: a proxy names the topic, not one of its lives.
    if (!table_.contains(name)) {
        control_.create(name);
    }
    return adapters_.topic_proxy(name);
}

std::shared_ptr<IceStormElection::NodePrx> TopicManagerServant::getReplicaNode(
    const Ice::Current& /*current*/) {
    return nullptr;
}

std::shared_ptr<IceStorm::TopicManagerPrx> FinderServant::getTopicManager(
    const Ice::Current& /*current*/) {
    return adapters_.topic_manager_proxy();
}

}  // namespace squall::broker
