#pragma once

#include <slice/IceStormInternal.h>

#include <memory>
#include <string>
#include <utility>

#include "broker/adapters.hpp"
#include "broker/control_plane.hpp"
#include "broker/lenient_modes.hpp"
#include "broker/topic_table.hpp"

namespace squall::broker {

/// A topic as its clients see it. Once the topic is destroyed every operation raises
/// ObjectNotExist, also one that was on its way at that time.
/// Threads: any. What is given by reference must outlive the servant.
class TopicServant final : public LenientModes<IceStorm::TopicInternal> {
public:
    TopicServant(ControlPlane& control, const TopicTable& table, const Adapters& adapters,
                 TopicRef topic)
        : control_(control), table_(table), adapters_(adapters), topic_(std::move(topic)) {}

    std::string getName(const Ice::Current& current) override;
    std::shared_ptr<Ice::ObjectPrx> getPublisher(const Ice::Current& current) override;
    /// The same as getPublisher: a broker alone has no replicas.
    std::shared_ptr<Ice::ObjectPrx> getNonReplicatedPublisher(const Ice::Current& current) override;
    std::shared_ptr<Ice::ObjectPrx> subscribeAndGetPublisher(
        IceStorm::QoS qos, std::shared_ptr<Ice::ObjectPrx> subscriber,
        const Ice::Current& current) override;
    void unsubscribe(std::shared_ptr<Ice::ObjectPrx> subscriber,
                     const Ice::Current& current) override;
    /// Always refused: this version forwards nothing to other brokers.
    void link(std::shared_ptr<IceStorm::TopicPrx> target, int cost,
              const Ice::Current& current) override;
    void unlink(std::shared_ptr<IceStorm::TopicPrx> target, const Ice::Current& current) override;
    IceStorm::LinkInfoSeq getLinkInfoSeq(const Ice::Current& current) override;
    Ice::IdentitySeq getSubscribers(const Ice::Current& current) override;
    void destroy(const Ice::Current& current) override;
    std::shared_ptr<IceStorm::TopicLinkPrx> getLinkProxy(const Ice::Current& current) override;
    /// Without effect: only replicas reap.
    void reap(Ice::IdentitySeq subscribers, const Ice::Current& current) override;

private:
    void require_topic(const Ice::Current& current) const;

    ControlPlane& control_;
    const TopicTable& table_;
    const Adapters& adapters_;
    const TopicRef topic_;
};

}  // namespace squall::broker
