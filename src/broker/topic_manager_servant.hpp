#pragma once

#include <slice/IceStormInternal.h>

#include <memory>
#include <string>

#include "broker/adapters.hpp"
#include "broker/control_plane.hpp"
#include "broker/lenient_modes.hpp"
#include "broker/topic_table.hpp"

namespace squall::broker {

/// Makes and finds topics. Names have no rules: any string is a topic's name (behaviour reference
/// 2.4).
/// Threads: any. What is given by reference must outlive the servant.
class TopicManagerServant final : public LenientModes<IceStorm::TopicManagerInternal> {
public:
    TopicManagerServant(ControlPlane& control, const TopicTable& table, const Adapters& adapters)
        : control_(control), table_(table), adapters_(adapters) {}

    std::shared_ptr<IceStorm::TopicPrx> create(std::string name,
                                               const Ice::Current& current) override;
    std::shared_ptr<IceStorm::TopicPrx> retrieve(std::string name,
                                                 const Ice::Current& current) override;
    IceStorm::TopicDict retrieveAll(const Ice::Current& current) override;
    /// Empty, as IceStorm 3.7 answers.
    Ice::SliceChecksumDict getSliceChecksums(const Ice::Current& current) override;
    std::shared_ptr<IceStorm::TopicPrx> createOrRetrieve(std::string name,
                                                         const Ice::Current& current) override;
    /// Null: the broker is not replicated.
    std::shared_ptr<IceStormElection::NodePrx> getReplicaNode(const Ice::Current& current) override;

private:
    ControlPlane& control_;
    const TopicTable& table_;
    const Adapters& adapters_;
};

/// Leads from a host and port to the topic manager.
/// Threads: any. The adapters must outlive the servant.
class FinderServant final : public IceStorm::Finder {
public:
    explicit FinderServant(const Adapters& adapters) : adapters_(adapters) {}

    std::shared_ptr<IceStorm::TopicManagerPrx> getTopicManager(
        const Ice::Current& current) override;

private:
    const Adapters& adapters_;
};

}  // namespace squall::broker
