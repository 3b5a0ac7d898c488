// Tail and context parsers, and the writers against them. Input: a tail.

#include "require.hpp"
#include "wire/tail.hpp"

namespace squall::wire::fuzz {
namespace {

void run(ByteView bytes) {
    Context context;
    static_cast<void>(read_context(bytes, context));

    TailView view;
    if (parse_tail(bytes, view) != WireError::kNone) {
        return;
    }
    require_inside(bytes, view.operation);
    require_inside(bytes, view.encapsulation);
    require(read_context(view.context, context) == WireError::kNone);

    // Written anew it is canonical: it reads back the same and is never longer.
    const std::size_t size = tail_size(view.operation, context, view.encapsulation);
    require(size <= bytes.size());
    Buffer copy(size);
    const std::uint8_t* end =
        store_tail(copy.data(), view.operation, view.mode, context, view.encapsulation);
    require(end == copy.data() + size);
    TailView again;
    require(parse_tail(copy, again) == WireError::kNone);
    require(again.operation == view.operation && again.mode == view.mode);
    require(as_text(again.encapsulation) == as_text(view.encapsulation));
    Context context_again;
    require(read_context(again.context, context_again) == WireError::kNone);
    require(context_again == context);
}

}  // namespace
}  // namespace squall::wire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::wire::fuzz::run({data, size});
    return 0;
}
