#include "publisher_pool/dispatcher.hpp"

#include <Ice/Initialize.h>

#include <bit>
#include <utility>

#include "publisher_pool/link_object.hpp"
#include "publisher_pool/log.hpp"
#include "wire/compression.hpp"
#include "wire/encapsulation.hpp"
#include "wire/reply.hpp"
#include "wire/tail.hpp"
#include "wire/writer.hpp"

namespace squall::pool {
namespace {

/// What a publisher is told of parameters that no answer can be encoded for.
constexpr std::string_view kBadParameters =
    "the parameters are no whole encapsulation of encoding 1.0 or 1.1";

std::string identity_text(const wire::RequestView& request) {
    return Ice::identityToString({std::string(request.name), std::string(request.category)});
}

/// Compresses the reply that starts at `start`, as its request allowed (behaviour reference 12.8).
void compress_reply(wire::Buffer& replies, std::size_t start) {
    const wire::ByteView reply = wire::ByteView(replies).subspan(start);
    if (reply.empty()) {
        return;
    }
    wire::Buffer compressed;
    if (wire::compress_message(reply, compressed)) {
        replies.resize(start);
        wire::put_bytes(replies, compressed);
    } else {
        wire::store_compression(replies.data() + start, wire::Compression::kSupported);
    }
}

}  // namespace

wire::WireError Dispatcher::dispatch(const FrameReader::Frame& frame, const std::string& peer,
                                     wire::Buffer& replies) {
    if (frame.header.compression == wire::Compression::kNone) {
        return dispatch_plain(frame, peer, replies);
    }
    const std::size_t start = replies.size();
    wire::Buffer plain;
    FrameReader::Frame decompressed = frame;
    if (frame.header.compression == wire::Compression::kCompressed) {
        const wire::WireError error = wire::decompress_message(frame.message, size_max_, plain);
        if (error != wire::WireError::kNone) {
            return error;
        }
        decompressed.message = plain;
        decompressed.room = nullptr;
    }
    const wire::WireError error = dispatch_plain(decompressed, peer, replies);
    compress_reply(replies, start);
    return error;
}

wire::WireError Dispatcher::dispatch_plain(const FrameReader::Frame& frame, const std::string& peer,
                                           wire::Buffer& replies) {
    switch (frame.header.type) {
        case wire::MessageType::kRequest:
            return dispatch_request(frame, peer, replies);
        case wire::MessageType::kBatchRequest:
            return dispatch_batch(frame.message.subspan(wire::kHeaderSize), peer, replies);
        default:
            return wire::WireError::kNone;  // heartbeats, and replies to what was never asked
    }
}

wire::WireError Dispatcher::dispatch_request(const FrameReader::Frame& frame,
                                             const std::string& peer, wire::Buffer& replies) {
    std::int32_t id = 0;
    wire::RequestView request;
    const wire::WireError error =
        wire::parse_request(frame.message.subspan(wire::kHeaderSize), id, request);
    if (error == wire::WireError::kBadEncapsulation) {
        if (id != 0) {
            wire::append_unknown(replies, id, wire::ReplyStatus::kUnknownLocal, kBadParameters);
        }
        return wire::WireError::kNone;
    }
    // Bytes behind the parameters harm nobody, and Ice takes them too.
    if (error != wire::WireError::kNone && error != wire::WireError::kTrailingBytes) {
        return error;
    }
    execute(request, id, frame.room, peer, replies);
    return wire::WireError::kNone;
}

wire::WireError Dispatcher::dispatch_batch(wire::ByteView body, const std::string& peer,
                                           wire::Buffer& replies) {
    wire::BatchReader batch(body);
    for (wire::RequestView request; batch.next(request);) {
        execute(request, 0, nullptr, peer, replies);
    }
    return batch.error();
}

void Dispatcher::execute(const wire::RequestView& request, std::int32_t id, event::Room* room,
                         const std::string& peer, wire::Buffer& replies) {
    const ServedObject* object = objects_.find(request.name, request.category);
    if (object == nullptr || !request.facet.empty()) {
        log_unknown(request, peer);
        if (id != 0) {
            wire::append_not_exist(replies, id,
                                   object == nullptr ? wire::ReplyStatus::kObjectNotExist
                                                     : wire::ReplyStatus::kFacetNotExist,
                                   request.name, request.category, request.facet,
                                   request.operation);
        }
        return;
    }
    if (object->kind == ServedObject::Kind::kLink) {
        const std::size_t skipped =
            serve_link(request, id, *object->route, ledger_, sink_, replies);
        if (skipped > 0) {
            log_skipped(request, skipped, peer);
        }
        return;
    }
    const wire::Encoding encoding = wire::encoding_of(request.encapsulation);
    publish(request, *object->route, room);  // what the request refers to may be gone afterwards
    if (id == 0) {
        return;
    }
    if (wire::is_supported(encoding)) {
        wire::append_reply(replies, id, encoding);
    } else {
        wire::append_unknown(replies, id, wire::ReplyStatus::kUnknownLocal, kBadParameters);
    }
}

void Dispatcher::publish(const wire::RequestView& request, const Route& route, event::Room* room) {
    if (route.has_subscribers()) {
        sink_.publish(route, make_event(request, room));
    }
}

event::EventPtr Dispatcher::make_event(const wire::RequestView& request, event::Room* room) {
    if (!wire::is_sorted_context(request.context)) {
        wire::Context context;
        static_cast<void>(wire::read_context(request.context, context));  // was checked on parsing
        return event::Event::make(ledger_, request.operation, request.mode, context,
                                  request.encapsulation);
    }
    return room != nullptr ? room->become(request.tail, request.mode)
                           : event::Event::copy(ledger_, request.tail, request.mode);
}

void Dispatcher::log_unknown(const wire::RequestView& request, const std::string& peer) {
    // The first, second, fourth ... : whoever keeps sending to nobody must not fill the log.
    if (std::has_single_bit(++unknown_)) {
        log()->warn("unknown object identity={} facet={} operation={} peer={} times_on_shard={}",
                    quoted(identity_text(request)), quoted(request.facet),
                    quoted(request.operation), quoted(peer), unknown_);
    }
}

void Dispatcher::log_skipped(const wire::RequestView& request, std::size_t events,
                             const std::string& peer) {
    if (std::has_single_bit(++skipped_)) {
        log()->warn(
            "skipped link={} events={} reason=\"forwarded data is no encapsulation\" peer={} "
            "times_on_shard={}",
            quoted(identity_text(request)), events, quoted(peer), skipped_);
    }
}

}  // namespace squall::pool
