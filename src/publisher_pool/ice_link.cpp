#include "publisher_pool/ice_link.hpp"

#include <Ice/Ice.h>

#include <boost/asio/post.hpp>
#include <map>
#include <utility>
#include <vector>

#include "publisher_pool/shard.hpp"
#include "publisher_pool/subscriber.hpp"
#include "wire/tail.hpp"

namespace squall::pool {
namespace {

/// Requests handed to Ice and not reported sent: what waits beyond them stays a pointer.
constexpr std::size_t kUnsentMax = 16;

using Bytes = std::pair<const Ice::Byte*, const Ice::Byte*>;

/// A request as Ice's invocation calls want it.
struct Invocation {
    std::string operation;
    Ice::OperationMode mode;
    Ice::Context context;
    Bytes parameters;
};

Invocation decode(const event::Event& event) {
    Invocation invocation;
    wire::TailView tail;
    if (wire::parse_tail(event.tail(), tail) == wire::WireError::kNone) {
        invocation.operation = std::string(tail.operation);
        invocation.mode = static_cast<Ice::OperationMode>(tail.mode);
        static_cast<void>(wire::read_context(tail.context, invocation.context));
        invocation.parameters = {tail.encapsulation.data(),
                                 tail.encapsulation.data() + tail.encapsulation.size()};
    }
    return invocation;
}

std::shared_ptr<Ice::ObjectPrx> delivery_proxy(const SubscriberSpec& spec,
                                               const PoolOptions& options) {
    auto proxy = spec.proxy->ice_collocationOptimized(false);
    const auto timeout = options.send_timeout;
    proxy = proxy->ice_timeout(timeout ? static_cast<int>(timeout->count()) : -1);
    proxy = proxy->ice_connectionCached(spec.qos.connection_cached);
    if (spec.qos.locator_cache_timeout) {
        proxy = proxy->ice_locatorCacheTimeout(*spec.qos.locator_cache_timeout);
    }
    return proxy;
}

enum class Failure { kSoft, kHard, kUnsendable };

}  // namespace

struct IceLink::Verdict {
    Failure failure;
    std::string what;
};

IceLink::Verdict IceLink::judge(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Ice::ObjectNotExistException& e) {
        return {Failure::kHard, e.ice_id() + " " + Ice::identityToString(e.id)};
    } catch (const Ice::NotRegisteredException& e) {
        return {Failure::kHard, e.ice_id() + " " + e.kindOfObject + " " + e.id};
    } catch (const Ice::DatagramLimitException&) {
        return {Failure::kUnsendable,
                "event is larger than a datagram may be (Ice.UDP.SndSize, 65507 bytes at most)"};
    } catch (const std::exception& e) {
        return {Failure::kSoft, e.what()};
    } catch (...) {
        return {Failure::kSoft, "unknown exception"};
    }
}

IceLink::IceLink(Shard& shard, const SubscriberSpec& spec)
    : shard_(shard), proxy_(delivery_proxy(spec, shard.options())) {}

void IceLink::attach(Subscriber& subscriber) {
    subscriber_ = &subscriber;
}

void IceLink::detach(Subscriber&) {
    subscriber_ = nullptr;
}

void IceLink::ready(Subscriber& subscriber) {
    subscriber.listed = true;
    shard_.flush_later(*this);
}

void IceLink::flush() {
    if (subscriber_ == nullptr) {
        return;
    }
    if (subscriber_->queue().mode() == queue::DeliveryMode::kBatch) {
        send_batch();
    } else {
        send_requests();
    }
    // Listed while Ice still holds as much as it may: completions flush again.
    subscriber_->listed = subscriber_->has_work(shard_.now());
}

void IceLink::send_requests() {
    while (outstanding_ < kUnsentMax) {
        const auto issued = subscriber_->take(shard_.now());
        if (!issued) {
            return;
        }
        ++outstanding_;
        send(*issued);
    }
}

template <typename Action>
auto IceLink::later(Action action) {
    return [&io = shard_.io(), weak = weak_from_this(), action](auto... arguments) {
        boost::asio::post(io, [weak, action, arguments...] {
            const auto self = weak.lock();
            if (self && self->subscriber_ != nullptr) {
                self->shard_.update_time();
                action(*self, arguments...);
                self->shard_.flush_later(*self);
            }
        });
    };
}

void IceLink::send(const queue::Issued& issued) {
    const std::uint32_t ticket = issued.ticket;
    const Invocation invocation = decode(*issued.event);
    const auto report = later([ticket](IceLink& self, const Verdict& verdict) {
        --self.outstanding_;
        self.fail(ticket, verdict);
    });
    const auto failed = [report](const std::exception_ptr& error) { report(judge(error)); };
    auto done = later([ticket](IceLink& self, bool) { self.complete(ticket); });
    try {
        if (proxy_->ice_isTwoway()) {
            proxy_->ice_invokeAsync(
                invocation.operation, invocation.mode, invocation.parameters,
                [done](bool ok, const Bytes&) { done(ok); }, failed, nullptr, invocation.context);
        } else {
            proxy_->ice_invokeAsync(invocation.operation, invocation.mode, invocation.parameters,
                                    nullptr, failed, done, invocation.context);
        }
    } catch (const std::exception&) {
        failed(std::current_exception());
    }
}

void IceLink::complete(std::uint32_t ticket) {
    --outstanding_;
    subscriber_->completed(ticket, queue::Reply::kSuccess, {});
}

void IceLink::fail(std::uint32_t ticket, const Verdict& verdict) {
    switch (verdict.failure) {
        case Failure::kUnsendable:
            subscriber_->unsendable(ticket, verdict.what);
            break;
        case Failure::kHard:
            subscriber_->completed(ticket, queue::Reply::kHardFailure, verdict.what);
            break;
        case Failure::kSoft:
            subscriber_->completed(ticket, queue::Reply::kSoftFailure, verdict.what);
            break;
    }
}

void IceLink::send_batch() {
    if (flushing_batch_) {
        return;
    }
    std::size_t events = 0;
    std::uint32_t last_ticket = 0;
    while (const auto issued = subscriber_->take(shard_.now())) {
        add_to_batch(*issued);
        last_ticket = issued->ticket;
        ++events;
    }
    if (events == 0) {
        return;
    }
    flushing_batch_ = true;
    // Ice splits batches of datagrams by itself, so one that is too large holds a single event,
    // the last: those before it have been sent.
    const auto report = later([last_ticket, events](IceLink& self, const Verdict& verdict) {
        self.flushing_batch_ = false;
        if (verdict.failure == Failure::kUnsendable) {
            self.subscriber_->sent(events - 1);
        }
        self.fail(last_ticket, verdict);
    });
    const auto failed = [report](const std::exception_ptr& error) { report(judge(error)); };
    auto done = later([events](IceLink& self, bool) {
        self.flushing_batch_ = false;
        self.subscriber_->sent(events);
    });
    try {
        proxy_->ice_flushBatchRequestsAsync(failed, done);
    } catch (const std::exception&) {
        failed(std::current_exception());
    }
}

void IceLink::add_to_batch(const queue::Issued& issued) {
    const Invocation invocation = decode(*issued.event);
    std::vector<Ice::Byte> ignored;
    try {
        proxy_->ice_invoke(invocation.operation, invocation.mode, invocation.parameters, ignored,
                           invocation.context);
    } catch (const std::exception&) {
        fail(issued.ticket, judge(std::current_exception()));
    }
}

void IceLink::close() {
    if (outstanding_ == 0 && !flushing_batch_) {
        return;
    }
    try {
        if (const auto connection = proxy_->ice_getCachedConnection()) {
            connection->close(Ice::ConnectionClose::Forcefully);
        }
    } catch (const Ice::Exception&) {
        // It is gone already.
    }
}

std::string IceLink::describe() const {
    return proxy_->ice_toString();
}

}  // namespace squall::pool
