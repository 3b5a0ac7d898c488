#pragma once

#include <Ice/Communicator.h>
#include <Ice/Object.h>
#include <spdlog/logger.h>

#include <functional>
#include <memory>

#include "broker/adapters.hpp"
#include "broker/topic_table.hpp"
#include "publisher_pool/publisher_pool.hpp"
#include "registry/registry.hpp"

namespace squall::broker {

/// Makes the broker do what the registry says: routes and subscribers in the pool, objects on the
/// adapters, entries in the table. An entry that cannot be served is logged and skipped; the table
/// does not show it then.
/// Threads: confined to the control thread, which the pool and the adapters may keep waiting. All
/// that is given by reference must outlive it.
class TopicApplier final : public registry::Listener {
public:
    using TopicServants = std::function<std::shared_ptr<Ice::Object>(const TopicRef&)>;

    TopicApplier(TopicTable& table, pool::PublisherPool& pool, const Adapters& adapters,
                 TopicServants make_topic_servant, std::shared_ptr<spdlog::logger> logger);

    void apply(const registry::Batch& batch) override;
    void reset(const registry::Snapshot& snapshot) override;

private:
    void put(const registry::Entry& entry);
    void put_topic(const registry::Entry& entry);
    void put_subscriber(const registry::Entry& entry);
    void erase(const registry::Key& key);
    void erase_topic(const std::string& name);
    void erase_subscriber(const registry::Key& key);

    TopicTable& table_;
    pool::PublisherPool& pool_;
    const Adapters& adapters_;
    const TopicServants make_topic_servant_;
    const std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace squall::broker
