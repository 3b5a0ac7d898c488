#include "session.hpp"

#include <slice/IceStorm.h>

#include <stdexcept>

namespace squall::throughput {
namespace {

using Clock = std::chrono::steady_clock;

/// Where events for the server's events object go: the object itself without a topic manager.
std::shared_ptr<Ice::ObjectPrx> event_target(const Ice::CommunicatorPtr& communicator,
                                             const std::shared_ptr<Ice::ObjectPrx>& events,
                                             const std::string& manager) {
    if (manager.empty()) {
        return events;
    }
    const auto topics =
        Ice::uncheckedCast<IceStorm::TopicManagerPrx>(communicator->stringToProxy(manager));
    const auto topic = topics->create("throughput");
    topic->subscribeAndGetPublisher({}, events->ice_oneway());
    return topic->getPublisher();
}

const char* mode_name(Mode mode) {
    switch (mode) {
        case Mode::kBatch:
            return "batch ";
        case Mode::kOneway:
            return "oneway ";
        case Mode::kTwoway:
            return "twoway ";
    }
    return "";
}

}  // namespace

Session::Session(const Ice::CommunicatorPtr& communicator, const std::string& server,
                 const std::string& manager, std::chrono::milliseconds deadline)
    : deadline_(deadline),
      control_(Ice::uncheckedCast<Throughput::ControlPrx>(communicator->stringToProxy(server))) {
    const auto events = control_->ice_identity({"events", ""});
    twoway_ =
        Ice::uncheckedCast<Throughput::EventsPrx>(event_target(communicator, events, manager));
    oneway_ = twoway_->ice_oneway();
    batch_ = twoway_->ice_batchOneway();
    const Operation warm_up = all_operations().front();
    for (const Mode mode : {Mode::kTwoway, Mode::kOneway, Mode::kBatch}) {
        run(mode, warm_up, 1);
    }
}

Timing Session::run(Mode mode, const Operation& operation, std::int64_t calls) {
    const auto previous = control_->begin(operation.name, calls);
    if (calls_ > 0) {
        check(previous);
    }
    name_ = mode_name(mode) + operation.name;
    calls_ = calls;

    Throughput::EventsPrx& target = mode == Mode::kBatch    ? *batch_
                                    : mode == Mode::kOneway ? *oneway_
                                                            : *twoway_;
    const auto start = Clock::now();
    operation.repeat(target, calls);
    if (mode == Mode::kBatch) {
        target.ice_flushBatchRequests();
    }
    const auto sent = Clock::now();
    const auto tally = await_delivery();
    const auto delivered = Clock::now();
    check(tally);
    return {sent - start, delivered - start};
}

void Session::finish() {
    check(control_->current());
}

/// The tally so far when not all arrived in time.
Throughput::Tally Session::await_delivery() {
    try {
        const auto patient = control_->ice_invocationTimeout(static_cast<int>(deadline_.count()));
        return patient->awaitExpected();
    } catch (const Ice::InvocationTimeoutException&) {
        return control_->current();
    }
}

void Session::check(const Throughput::Tally& tally) const {
    if (tally.counted != calls_ || tally.strays != 0) {
        throw std::runtime_error(
            name_ + ": of " + std::to_string(calls_) + " calls " + std::to_string(tally.counted) +
            " arrived, and " + std::to_string(tally.strays) + " that were not asked for, within " +
            std::to_string(deadline_.count() / 1000) +
            " s of the last call; raise --deadline if the broker is only slow");
    }
}

}  // namespace squall::throughput
