#include "broker/topic_servant.hpp"

#include <Ice/Current.h>
#include <Ice/LocalException.h>

#include <stdexcept>
#include <variant>

#include "broker/exact_exception.hpp"
#include "broker/identities.hpp"
#include "broker/subscriber_record.hpp"
#include "publisher_pool/proxy_mode.hpp"
#include "subscriber_queue/qos.hpp"

namespace squall::broker {
namespace {

[[noreturn]] void topic_gone(const Ice::Current& current) {
    throw Ice::ObjectNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                       current.operation);
}

void require_subscriber(const std::shared_ptr<Ice::ObjectPrx>& subscriber) {
    if (!subscriber) {
        throw Exact<IceStorm::InvalidSubscriber>("the subscriber's proxy is null");
    }
    if (subscriber->ice_getIdentity().name.empty()) {
        throw Exact<IceStorm::InvalidSubscriber>(
            "the identity of the subscriber's proxy has no name");
    }
}

/// Ice makes UnknownException of it, as IceStorm answers (behaviour reference 1.7).
void require_link_target(const std::shared_ptr<IceStorm::TopicPrx>& target) {
    if (!target) {
        throw std::invalid_argument("the linked topic's proxy is null");
    }
}

}  // namespace

void TopicServant::require_topic(const Ice::Current& current) const {
    if (!table_.contains(topic_)) {
        topic_gone(current);
    }
}

std::string TopicServant::getName(const Ice::Current& current) {
    require_topic(current);
    return topic_.name;
}

std::shared_ptr<Ice::ObjectPrx> TopicServant::getPublisher(const Ice::Current& current) {
    require_topic(current);
    return adapters_.publisher_proxy(topic_.name);
}

std::shared_ptr<Ice::ObjectPrx> TopicServant::getNonReplicatedPublisher(
    const Ice::Current& current) {
    return getPublisher(current);
}

std::shared_ptr<Ice::ObjectPrx> TopicServant::subscribeAndGetPublisher(
    IceStorm::QoS qos, std::shared_ptr<Ice::ObjectPrx> subscriber, const Ice::Current& current) {
    require_topic(current);
    require_subscriber(subscriber);
    const Ice::Identity identity = subscriber->ice_getIdentity();
    // A duplicate is reported before a bad QoS (behaviour reference 4.1); the commit checks again.
    if (table_.is_subscribed(topic_, identity)) {
        throw Exact<IceStorm::AlreadySubscribed>();
    }
    const auto checked = queue::parse_qos(qos, pool::proxy_mode(*subscriber));
    if (const auto* bad = std::get_if<queue::BadQos>(&checked)) {
        throw Exact<IceStorm::BadQoS>(bad->reason);
    }
    switch (control_.subscribe(topic_, {subscriber, std::move(qos)})) {
        case SubscribeResult::kAlreadySubscribed:
            throw Exact<IceStorm::AlreadySubscribed>();
        case SubscribeResult::kTopicGone:
            topic_gone(current);
        case SubscribeResult::kSubscribed:
            break;
    }
    return adapters_.publisher_proxy_to(topic_.name, identity);
}

void TopicServant::unsubscribe(std::shared_ptr<Ice::ObjectPrx> subscriber,
                               const Ice::Current& current) {
    require_topic(current);
    require_subscriber(subscriber);
    if (!control_.unsubscribe(topic_, subscriber->ice_getIdentity())) {
        topic_gone(current);
    }
}

void TopicServant::link(std::shared_ptr<IceStorm::TopicPrx> target, int /*cost*/,
                        const Ice::Current& current) {
    require_topic(current);
    require_link_target(target);
    throw std::runtime_error("links are not supported yet by this version of Squall");
}

void TopicServant::unlink(std::shared_ptr<IceStorm::TopicPrx> target, const Ice::Current& current) {
    require_topic(current);
    require_link_target(target);
    throw Exact<IceStorm::NoSuchLink>(topic_name_of(target->ice_getIdentity()));
}

IceStorm::LinkInfoSeq TopicServant::getLinkInfoSeq(const Ice::Current& current) {
    require_topic(current);
    return {};
}

Ice::IdentitySeq TopicServant::getSubscribers(const Ice::Current& current) {
    require_topic(current);
    return table_.subscribers(topic_);
}

void TopicServant::destroy(const Ice::Current& current) {
    if (!control_.destroy(topic_)) {
        topic_gone(current);
    }
}

std::shared_ptr<IceStorm::TopicLinkPrx> TopicServant::getLinkProxy(const Ice::Current& current) {
    require_topic(current);
    return adapters_.link_proxy(topic_.name);
}

void TopicServant::reap(Ice::IdentitySeq /*subscribers*/, const Ice::Current& current) {
    require_topic(current);
}

}  // namespace squall::broker
