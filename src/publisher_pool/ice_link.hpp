#pragma once

#include <Ice/Proxy.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "publisher_pool/link.hpp"
#include "publisher_pool/subscriber_spec.hpp"
#include "subscriber_queue/subscriber_queue.hpp"

namespace squall::pool {

class Shard;
class Subscriber;

/// The link over the Ice run time, for whatever the native one does not speak: ssl, ws, udp,
/// locators, routers. One for each subscriber; connections, timeouts and repeats are Ice's.
/// Threads: confined to the owning shard's; Ice's callbacks post there.
class IceLink final : public Link, public std::enable_shared_from_this<IceLink> {
public:
    /// The shard's io_context must outlive the communicator of the proxy.
    IceLink(Shard& shard, const SubscriberSpec& spec);

    void attach(Subscriber& subscriber) override;
    void detach(Subscriber& subscriber) override;
    void ready(Subscriber& subscriber) override;
    void flush() override;
    void tick(std::chrono::steady_clock::time_point) override {}
    /// The communicator closes its connections itself; one that still holds events is cut off,
    /// since Ice would wait for a peer that takes none.
    void close() override;
    bool closed() const override { return true; }
    bool unused() const override { return subscriber_ == nullptr; }
    const std::string& key() const override { return key_; }
    std::string describe() const override;

private:
    /// What an exception says of the subscriber. Exceptions stay on the thread that Ice reports
    /// them on.
    struct Verdict;
    static Verdict judge(const std::exception_ptr& error);

    void send_requests();
    void send_batch();
    void send(const queue::Issued& issued);
    void add_to_batch(const queue::Issued& issued);
    void complete(std::uint32_t ticket);
    void fail(std::uint32_t ticket, const Verdict& verdict);
    /// Runs `action` on the shard's thread, unless the subscriber is gone by then.
    template <typename Action>
    auto later(Action action);

    Shard& shard_;
    const std::shared_ptr<Ice::ObjectPrx> proxy_;
    const std::string key_;  ///< empty
    Subscriber* subscriber_{nullptr};
    /// Requests that Ice has not reported sent (oneway) or answered (twoway).
    std::size_t outstanding_{0};
    bool flushing_batch_{false};
};

}  // namespace squall::pool
