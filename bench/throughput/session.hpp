#pragma once

#include <Ice/Ice.h>
#include <Throughput.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "operations.hpp"

namespace squall::throughput {

/// kBatch: oneway calls gathered by Ice, which flushes when Ice.BatchAutoFlushSize is reached; the
/// rest is flushed at the end.
enum class Mode { kBatch, kOneway, kTwoway };

/// Both count from the first call.
struct Timing {
    /// Until the last call returned and all was handed to the network.
    std::chrono::nanoseconds sent;
    /// Until the server said that it had counted every call.
    std::chrono::nanoseconds delivered;
};

/// The way from this process to a throughput_server: direct, or through a topic to which the
/// server's events object is subscribed oneway.
///
/// Threads: confined to the caller's.
class Session {
public:
    /// `server` is the stringified proxy of its control object. `manager` is that of a topic
    /// manager, or empty for the direct way. `deadline` bounds the wait for the last delivery.
    /// Returns when one event has come through. Throws Ice exceptions and what run() throws.
    Session(const Ice::CommunicatorPtr& communicator, const std::string& server,
            const std::string& manager, std::chrono::milliseconds deadline);

    /// Throws std::runtime_error when the server did not count exactly `calls` of the operation.
    Timing run(Mode mode, const Operation& operation, std::int64_t calls);

    /// Throws std::runtime_error when more calls have come since the last run() returned.
    void finish();

private:
    Throughput::Tally await_delivery();
    void check(const Throughput::Tally& tally) const;

    std::chrono::milliseconds deadline_;
    std::shared_ptr<Throughput::ControlPrx> control_;
    std::shared_ptr<Throughput::EventsPrx> twoway_;
    std::shared_ptr<Throughput::EventsPrx> oneway_;
    std::shared_ptr<Throughput::EventsPrx> batch_;
    // The measurement that began last.
    std::string name_;
    std::int64_t calls_ = 0;
};

}  // namespace squall::throughput
