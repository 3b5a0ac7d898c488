#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "event_store/ledger.hpp"
#include "publisher_pool/event_sink.hpp"
#include "publisher_pool/frame_reader.hpp"
#include "publisher_pool/served_objects.hpp"
#include "wire/bytes.hpp"
#include "wire/error.hpp"
#include "wire/request.hpp"

namespace squall::pool {

/// Executes what publishers send: makes events of requests, alone or in batches, and appends the
/// replies (behaviour reference 1.3, 5.1, 12.4). No sockets.
/// Threads: confined to the owning shard's.
class Dispatcher {
public:
    /// `size_max` limits a decompressed message in bytes, 0 is no limit. All that is given by
    /// reference must outlive the dispatcher.
    Dispatcher(const ServedObjects& objects, event::Ledger& ledger, EventSink& sink,
               std::uint32_t size_max)
        : objects_(objects), ledger_(ledger), sink_(sink), size_max_(size_max) {}

    /// Executes the requests of a message; messages that hold none are ignored. After an error the
    /// connection must end; the requests before the error have been executed.
    /// `peer` names the sender for the log.
    wire::WireError dispatch(const FrameReader::Frame& frame, const std::string& peer,
                             wire::Buffer& replies);

private:
    wire::WireError dispatch_plain(const FrameReader::Frame& frame, const std::string& peer,
                                   wire::Buffer& replies);
    wire::WireError dispatch_request(const FrameReader::Frame& frame, const std::string& peer,
                                     wire::Buffer& replies);
    wire::WireError dispatch_batch(wire::ByteView body, const std::string& peer,
                                   wire::Buffer& replies);
    void execute(const wire::RequestView& request, std::int32_t id, event::Room* room,
                 const std::string& peer, wire::Buffer& replies);
    void publish(const wire::RequestView& request, const Route& route, event::Room* room);
    event::EventPtr make_event(const wire::RequestView& request, event::Room* room);
    void log_unknown(const wire::RequestView& request, const std::string& peer);
    void log_skipped(const wire::RequestView& request, std::size_t events, const std::string& peer);

    const ServedObjects& objects_;
    event::Ledger& ledger_;
    EventSink& sink_;
    const std::uint32_t size_max_;
    std::uint64_t unknown_{0};
    std::uint64_t skipped_{0};
};

}  // namespace squall::pool
