#include "publisher_pool/link_object.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "wire/encapsulation.hpp"
#include "wire/forward.hpp"
#include "wire/reply.hpp"
#include "wire/tail.hpp"
#include "wire/writer.hpp"

namespace squall::pool {
namespace {

constexpr std::array<std::string_view, 2> kTypeIds{"::Ice::Object", "::IceStorm::TopicLink"};

/// A result with this content in the encoding of the request.
wire::Buffer result(const wire::RequestView& request, wire::ByteView content) {
    wire::Buffer out;
    const wire::Encoding encoding = wire::encoding_of(request.encapsulation);
    wire::put_i32(out, static_cast<std::int32_t>(wire::kEncapsulationHeaderSize + content.size()));
    wire::put_u8(out, encoding.major);
    wire::put_u8(out, encoding.minor);
    wire::put_bytes(out, content);
    return out;
}

bool well_formed(wire::ByteView encapsulation) {
    wire::ForwardReader events(encapsulation);
    for (wire::ForwardedEvent event; events.next(event);) {
    }
    return events.error() == wire::WireError::kNone;
}

/// The parameters are well-formed. Returns how many events were skipped.
std::size_t forward(wire::ByteView encapsulation, const Route& route, event::Ledger& ledger,
                    EventSink& sink) {
    std::size_t skipped = 0;
    wire::Context context;
    wire::ForwardReader events(encapsulation);
    for (wire::ForwardedEvent event; events.next(event);) {
        if (!wire::is_encapsulation(event.data)) {
            ++skipped;
        } else if (route.has_subscribers() &&
                   wire::read_context(event.context, context) == wire::WireError::kNone) {
            sink.publish(route, event::Event::make(ledger, event.operation, event.mode, context,
                                                   event.data));
        }
    }
    return skipped;
}

/// The answer to one of the operations that every Ice object has; false for any other operation.
bool reply_to_ice_operation(const wire::RequestView& request, std::int32_t id,
                            wire::Buffer& replies) {
    wire::Buffer content;
    if (request.operation == "ice_ids") {
        wire::put_size(content, kTypeIds.size());
        for (const std::string_view type : kTypeIds) {
            wire::put_string(content, type);
        }
    } else if (request.operation == "ice_id") {
        wire::put_string(content, kTypeIds.back());
    } else if (request.operation == "ice_isA") {
        wire::Reader parameters(request.encapsulation.subspan(wire::kEncapsulationHeaderSize));
        const std::string_view type = parameters.string();
        if (parameters.finish() != wire::WireError::kNone) {
            wire::append_unknown(replies, id, wire::ReplyStatus::kUnknownLocal,
                                 "the parameters of ice_isA are not one string");
            return true;
        }
        const bool known = std::find(kTypeIds.begin(), kTypeIds.end(), type) != kTypeIds.end();
        wire::put_u8(content, known ? 1 : 0);
    } else if (request.operation != "ice_ping") {
        return false;
    }
    wire::append_reply(replies, id, result(request, content));
    return true;
}

}  // namespace

std::size_t serve_link(const wire::RequestView& request, std::int32_t id, const Route& route,
                       event::Ledger& ledger, EventSink& sink, wire::Buffer& replies) {
    const bool forwards = request.operation == "forward" && request.mode == 0;
    const bool readable = wire::is_supported(wire::encoding_of(request.encapsulation));
    std::size_t skipped = 0;
    if (forwards && readable && well_formed(request.encapsulation)) {
        skipped = forward(request.encapsulation, route, ledger, sink);
        if (id != 0) {
            wire::append_reply(replies, id, wire::encoding_of(request.encapsulation));
        }
    } else if (id == 0) {
        // Nobody waits for an answer.
    } else if (!readable || request.operation == "forward") {
        wire::append_unknown(replies, id, wire::ReplyStatus::kUnknownLocal,
                             "the request is not a well-formed forward with mode normal and an "
                             "encapsulation of encoding 1.0 or 1.1");
    } else if (!reply_to_ice_operation(request, id, replies)) {
        wire::append_not_exist(replies, id, wire::ReplyStatus::kOperationNotExist, request.name,
                               request.category, {}, request.operation);
    }
    return skipped;
}

}  // namespace squall::pool
