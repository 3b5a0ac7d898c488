// Forwarded events. Input: the parameters of `forward`, a whole encapsulation.

#include "require.hpp"
#include "wire/forward.hpp"
#include "wire/tail.hpp"

namespace squall::wire::fuzz {
namespace {

/// What was handed out without an error can be read to its end.
void require_readable(ByteView parameters, const ForwardedEvent& event) {
    require_inside(parameters, event.operation);
    require_inside(parameters, event.data);
    require_inside(parameters, event.context);
    Context context;
    require(read_context(event.context, context) == WireError::kNone);
    Buffer tail(tail_size(event.operation, context, event.data));
    store_tail(tail.data(), event.operation, event.mode, context, event.data);
    TailView view;
    const WireError error = parse_tail(tail, view);
    require((error == WireError::kNone) == is_encapsulation(event.data));
    require(view.operation == event.operation && view.mode == event.mode);
    require(is_sorted_context(view.context));
}

void run(ByteView parameters) {
    ForwardReader events(parameters);
    std::size_t bytes = 0;
    for (ForwardedEvent event; events.next(event);) {
        require_readable(parameters, event);
        bytes += event.operation.size() + event.data.size() + event.context.size();
        require(bytes <= parameters.size());
    }
    const WireError error = events.error();
    ForwardedEvent none;
    require(!events.next(none) && events.error() == error);
}

}  // namespace
}  // namespace squall::wire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::wire::fuzz::run({data, size});
    return 0;
}
