// Reply parser and its description for logs. Input: the body of a reply.

#include "require.hpp"
#include "wire/reply.hpp"

namespace squall::wire::fuzz {
namespace {

void run(ByteView body) {
    constexpr std::size_t kLongestLine = 4096;
    ReplyView view;
    const WireError error = parse_reply(body, view);
    require_inside(body, view.rest);
    const std::string line = describe_reply(view);
    require(!line.empty() && line.size() < kLongestLine);
    for (const char c : line) {
        require(static_cast<unsigned char>(c) >= 0x20);
    }
    if (error == WireError::kNone) {
        require(view.rest.size() + 5 == body.size());
    }
}

}  // namespace
}  // namespace squall::wire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::wire::fuzz::run({data, size});
    return 0;
}
