#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "publisher_pool/connector.hpp"
#include "publisher_pool/link.hpp"
#include "publisher_pool/outbound.hpp"
#include "publisher_pool/wire_connection.hpp"
#include "publisher_pool/wire_target.hpp"
#include "subscriber_queue/ring.hpp"
#include "subscriber_queue/subscriber_queue.hpp"

namespace squall::pool {

class Shard;
class Subscriber;

/// The native link: speaks the Ice protocol to one subscriber process over tcp, for all
/// subscribers with equal endpoints. Connects when there is work, writes only when the last write
/// is done, and asks its subscribers for events in turn.
/// Threads: confined to the owning shard's.
class WireLink final : public Link,
                       public WireConnection::Owner,
                       public std::enable_shared_from_this<WireLink> {
public:
    /// The shard must outlive the link.
    WireLink(Shard& shard, WireTarget target);
    ~WireLink() override;

    void attach(Subscriber& subscriber) override;
    void detach(Subscriber& subscriber) override;
    void ready(Subscriber& subscriber) override;
    void flush() override;
    void tick(std::chrono::steady_clock::time_point now) override;
    void close() override;
    bool closed() const override;
    bool unused() const override { return subscribers_.empty(); }
    const std::string& key() const override { return target_.key; }
    std::string describe() const override;

private:
    struct Request {
        Subscriber* subscriber;
        std::uint32_t ticket;
    };

    void events_written(Subscriber& subscriber, std::size_t events) override;
    void connection_writable() override;
    void reply_received(const wire::ReplyView& reply) override;
    void connection_closed() override;
    void connection_failed(std::string_view what) override;
    void connection_unusable(std::string_view what) override;

    void connect();
    void connected(Connector::Result result);
    WireConnection::Replies expected_replies() const;
    void unreachable(std::string_view what);
    void lost(queue::Loss loss, std::string_view what);
    void gather(Outbound& outbound);
    void gather_requests(Subscriber& subscriber, Outbound& outbound);
    void gather_batches(Subscriber& subscriber, Outbound& outbound);
    std::int32_t new_request(Subscriber& subscriber, std::uint32_t ticket);
    void drop_idle_from_ready();
    void log_loss(std::string_view what);

    Shard& shard_;
    const WireTarget target_;
    std::vector<Subscriber*> subscribers_;
    queue::Ring<Subscriber*> ready_;
    std::shared_ptr<Connector> connector_;
    std::shared_ptr<WireConnection> connection_;
    boost::unordered_flat_map<std::int32_t, Request> requests_;
    std::int32_t last_request_id_{0};
    /// When requests_ was last empty.
    std::chrono::steady_clock::time_point awaiting_since_{};
    std::uint64_t losses_{0};
    Outbound::Compress compress_{Outbound::Compress::kNo};
    /// The peer has taken or answered something on this connection.
    bool progress_{false};
    bool closing_{false};
    std::string connected_to_;
};

}  // namespace squall::pool
