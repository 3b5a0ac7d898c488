// Header, request and batch parsers. Input: a whole message; the header's type picks the parser.

#include "require.hpp"
#include "wire/header.hpp"
#include "wire/request.hpp"

namespace squall::wire::fuzz {
namespace {

/// What was parsed without an error says the same when its tail is parsed alone.
void require_consistent(ByteView body, const RequestView& view) {
    require_inside(body, view.name);
    require_inside(body, view.category);
    require_inside(body, view.facet);
    require_inside(body, view.tail);
    TailView tail;
    require(parse_tail(view.tail, tail) == WireError::kNone);
    require(tail.operation == view.operation && tail.mode == view.mode);
    require(tail.context.data() == view.context.data());
    require(tail.encapsulation.size() == view.encapsulation.size());
    require(view.encapsulation.size() >= kEncapsulationHeaderSize);
}

void walk_batch(ByteView body) {
    BatchReader batch(body);
    std::int32_t expected = batch.remaining();
    require(static_cast<std::size_t>(expected) <= body.size() / kMinRecordSize);
    for (RequestView record; batch.next(record);) {
        require(batch.remaining() == --expected);
        require_consistent(body, record);
    }
    require(batch.remaining() == 0);
    require(batch.error() != WireError::kNone || expected == 0);
}

void run(ByteView message) {
    constexpr std::uint32_t kMaxSize = 1 << 20;
    Header header;
    const WireError error = parse_header(message, kMaxSize, header);
    require(!to_string(error).empty());
    if (message.size() < kHeaderSize) {
        require(error == WireError::kTruncated);
        return;
    }
    if (error == WireError::kNone) {
        require(header.size >= kHeaderSize && header.size <= kMaxSize);
    }
    // The size in the header is the framing's matter; here the body is what the input has.
    const ByteView body = message.subspan(kHeaderSize);
    if (header.type == MessageType::kBatchRequest) {
        walk_batch(body);
        return;
    }
    std::int32_t id = 0;
    RequestView view;
    if (parse_request(body, id, view) == WireError::kNone) {
        require_consistent(body, view);
    }
}

}  // namespace
}  // namespace squall::wire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::wire::fuzz::run({data, size});
    return 0;
}
