#include "publisher_pool/wire_link.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "publisher_pool/log.hpp"
#include "publisher_pool/shard.hpp"
#include "publisher_pool/subscriber.hpp"

namespace squall::pool {
namespace {

/// What one subscriber may add to a write before the next one's turn.
constexpr std::size_t kShareBytes = 16 * 1024;

}  // namespace

WireLink::WireLink(Shard& shard, WireTarget target) : shard_(shard), target_(std::move(target)) {}

WireLink::~WireLink() {
    if (connector_) {
        connector_->cancel();
    }
    if (connection_) {
        connection_->drop();
    }
}

void WireLink::attach(Subscriber& subscriber) {
    subscribers_.push_back(&subscriber);
}

void WireLink::detach(Subscriber& subscriber) {
    std::erase(subscribers_, &subscriber);
    for (std::size_t i = ready_.size(); i-- > 0;) {
        if (ready_[i] == &subscriber) {
            ready_.remove(i);
        }
    }
    boost::unordered::erase_if(
        requests_, [&](const auto& entry) { return entry.second.subscriber == &subscriber; });
    if (connection_) {
        connection_->forget(subscriber);
    }
}

void WireLink::ready(Subscriber& subscriber) {
    subscriber.listed = true;
    ready_.push_back(&subscriber);
    shard_.flush_later(*this);
}

void WireLink::flush() {
    if (closing_) {
        return;
    }
    if (!connection_) {
        if (!connector_) {
            drop_idle_from_ready();
            if (!ready_.empty()) {
                connect();
            }
        }
        return;
    }
    while (connection_ && connection_->writable() && !ready_.empty()) {
        std::unique_ptr<Outbound> outbound = shard_.outbounds().take();
        gather(*outbound);
        if (outbound->empty()) {
            shard_.outbounds().give_back(std::move(outbound));
            return;
        }
        const auto connection = connection_;
        connection->write(std::move(outbound));
    }
}

void WireLink::gather(Outbound& outbound) {
    while (!ready_.empty() && !outbound.full()) {
        Subscriber& subscriber = *ready_.pop_front();
        if (subscriber.queue().mode() == queue::DeliveryMode::kBatch) {
            gather_batches(subscriber, outbound);
        } else {
            gather_requests(subscriber, outbound);
        }
        if (subscriber.has_work(shard_.now())) {
            ready_.push_back(&subscriber);
        } else {
            subscriber.listed = false;
        }
    }
}

void WireLink::gather_requests(Subscriber& subscriber, Outbound& outbound) {
    const bool oneway = subscriber.queue().mode() == queue::DeliveryMode::kOneway;
    const std::uint64_t share_end = outbound.size() + kShareBytes;
    while (!outbound.full() && outbound.size() < share_end) {
        const auto issued = subscriber.take(shard_.now());
        if (!issued) {
            return;
        }
        const std::int32_t id = oneway ? 0 : new_request(subscriber, issued->ticket);
        outbound.append_request(subscriber.prefix(), id, *issued->event, compress_);
        outbound.end_frame(subscriber, 1);
    }
}

void WireLink::gather_batches(Subscriber& subscriber, Outbound& outbound) {
    const std::size_t limit = shard_.options().queue.batch_bytes_max;
    std::vector<const event::Event*> events;
    std::size_t bytes = wire::kBatchHeaderSize;
    const auto emit = [&] {
        outbound.append_batch(subscriber.prefix(), events, compress_);
        outbound.end_frame(subscriber, static_cast<std::uint32_t>(events.size()));
        events.clear();
        bytes = wire::kBatchHeaderSize;
    };
    while (!outbound.full() || !events.empty()) {
        const auto issued = subscriber.take(shard_.now());
        if (!issued) {
            break;
        }
        const std::size_t record = subscriber.prefix().record_size() + issued->event->tail().size();
        if (!events.empty() && limit != 0 && bytes + record >= limit) {
            emit();
        }
        const bool last = events.empty() && outbound.full();
        events.push_back(issued->event);
        bytes += record;
        if (last) {
            break;
        }
    }
    if (!events.empty()) {
        emit();
    }
}

std::int32_t WireLink::new_request(Subscriber& subscriber, std::uint32_t ticket) {
    do {
        last_request_id_ =
            last_request_id_ == std::numeric_limits<std::int32_t>::max() ? 1 : last_request_id_ + 1;
    } while (requests_.contains(last_request_id_));
    if (requests_.empty()) {
        awaiting_since_ = shard_.now();
    }
    requests_.emplace(last_request_id_, Request{&subscriber, ticket});
    return last_request_id_;
}

void WireLink::events_written(Subscriber& subscriber, std::size_t events) {
    switch (subscriber.queue().mode()) {
        case queue::DeliveryMode::kOneway:
        case queue::DeliveryMode::kBatch:
            progress_ = true;
            subscriber.sent(events);
            break;
        default:
            subscriber.written(events);
            break;
    }
}

void WireLink::connection_writable() {
    flush();
}

void WireLink::reply_received(const wire::ReplyView& reply) {
    const auto it = requests_.find(reply.id);
    if (it == requests_.end()) {
        return;
    }
    const Request request = it->second;
    requests_.erase(it);
    progress_ = true;
    switch (static_cast<wire::ReplyStatus>(reply.status)) {
        case wire::ReplyStatus::kOk:
        case wire::ReplyStatus::kUserException:
            request.subscriber->completed(request.ticket, queue::Reply::kSuccess, {});
            break;
        case wire::ReplyStatus::kObjectNotExist:
            request.subscriber->completed(request.ticket, queue::Reply::kHardFailure,
                                          wire::describe_reply(reply));
            break;
        default:
            request.subscriber->completed(request.ticket, queue::Reply::kSoftFailure,
                                          wire::describe_reply(reply));
            break;
    }
}

void WireLink::connection_closed() {
    lost(progress_ ? queue::Loss::kClosedAfterProgress : queue::Loss::kClosed,
         "connection closed by the subscriber");
}

void WireLink::connection_failed(std::string_view what) {
    if (!closing_) {
        log_loss(what);
    }
    lost(queue::Loss::kAbrupt, connected_to_ + ' ' + std::string(what));
}

void WireLink::connection_unusable(std::string_view what) {
    // Nothing is sent again: a new connection's empty buffers would only hide that nobody reads.
    log_loss(what);
    const auto gone = std::exchange(connection_, nullptr);  // alive until this is done
    requests_.clear();
    if (!closing_) {
        unreachable(connected_to_ + ' ' + std::string(what));
    }
}

void WireLink::lost(queue::Loss loss, std::string_view what) {
    const auto gone = std::exchange(connection_, nullptr);  // alive until this is done
    requests_.clear();
    if (closing_) {
        return;  // we said goodbye, so what is not delivered is not the subscribers' fault
    }
    for (Subscriber* subscriber : subscribers_) {
        subscriber->lost(loss, what);
    }
    shard_.flush_later(*this);
}

void WireLink::connect() {
    progress_ = false;
    connector_ = std::make_shared<Connector>(
        shard_.io(), target_.endpoints, shard_.options(),
        [this](Connector::Result result) { connected(std::move(result)); });
    connector_->start();
}

void WireLink::connected(Connector::Result result) {
    shard_.update_time();
    connector_.reset();
    if (!result.socket) {
        unreachable(result.what);
        return;
    }
    log()->debug("link connected endpoint=\"{}\"", result.what);
    connected_to_ = std::move(result.what);
    compress_ = result.compress ? Outbound::Compress::kYes : Outbound::Compress::kNo;
    connection_ = std::make_shared<WireConnection>(shard_, std::move(*result.socket), *this,
                                                   expected_replies());
    connection_->start();
    flush();
}

WireConnection::Replies WireLink::expected_replies() const {
    const bool some = std::any_of(subscribers_.begin(), subscribers_.end(), [](const auto* each) {
        return each->queue().mode() == queue::DeliveryMode::kTwoway ||
               each->queue().mode() == queue::DeliveryMode::kOrdered;
    });
    return some ? WireConnection::Replies::kSome : WireConnection::Replies::kNone;
}

void WireLink::unreachable(std::string_view what) {
    for (Subscriber* subscriber : subscribers_) {
        if (!subscriber->queue().idle()) {
            subscriber->failed_softly(what);
        }
    }
    shard_.flush_later(*this);
}

void WireLink::drop_idle_from_ready() {
    for (std::size_t i = ready_.size(); i > 0; --i) {
        Subscriber* subscriber = ready_.pop_front();
        subscriber->listed = subscriber->has_work(shard_.now());
        if (subscriber->listed) {
            ready_.push_back(subscriber);
        }
    }
}

void WireLink::tick(std::chrono::steady_clock::time_point now) {
    const auto connection = connection_;
    if (!connection) {
        return;
    }
    const auto silence_max = shard_.options().reply_silence_max;
    if (!requests_.empty() && !connection->closed() &&
        now - std::max(awaiting_since_, connection->last_heard()) > silence_max) {
        connection->drop();
        connection_unusable("answered nothing for " + std::to_string(silence_max.count()) + " ms");
        return;
    }
    connection->tick(now);
}

void WireLink::log_loss(std::string_view what) {
    // The first, second, fourth ... : one that is lost with every event must not fill the log.
    if (std::has_single_bit(++losses_)) {
        log()->warn("connection lost endpoint={} reason={} times={}", quoted(connected_to_),
                    quoted(what), losses_);
    }
}

void WireLink::close() {
    closing_ = true;
    if (connector_) {
        connector_->cancel();
        connector_.reset();
    }
    if (connection_) {
        connection_->close();
    }
}

bool WireLink::closed() const {
    return !connector_ && (!connection_ || connection_->closed());
}

std::string WireLink::describe() const {
    if (connection_) {
        return connected_to_;
    }
    std::string names;
    for (const WireEndpoint& endpoint : target_.endpoints) {
        names += (names.empty() ? "" : ", ") + endpoint.host + ':' + std::to_string(endpoint.port);
    }
    return names;
}

}  // namespace squall::pool
