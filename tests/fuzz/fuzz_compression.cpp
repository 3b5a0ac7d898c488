// Decompression of hostile messages, and the round trip. Input: a whole message.

#include "require.hpp"
#include "wire/compression.hpp"
#include "wire/header.hpp"

namespace squall::wire::fuzz {
namespace {

constexpr std::uint32_t kMaxSize = 1 << 20;

void decompress(ByteView message) {
    Buffer out;
    const WireError error = decompress_message(message, kMaxSize, out);
    require(out.capacity() <= 2 * kMaxSize);
    if (error != WireError::kNone) {
        return;
    }
    require(out.size() >= kHeaderSize && out.size() <= kMaxSize);
    require(out[8] == message[8]);
}

void round_trip(ByteView message) {
    Buffer packed;
    if (!compress_message(message, packed)) {
        return;
    }
    require(packed.size() < message.size());
    Buffer unpacked;
    require(decompress_message(packed, kMaxSize, unpacked) == WireError::kNone);
    require(as_text(ByteView(unpacked).subspan(kHeaderSize)) ==
            as_text(message.subspan(kHeaderSize)));
}

}  // namespace
}  // namespace squall::wire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::wire::fuzz::decompress({data, size});
    squall::wire::fuzz::round_trip({data, size});
    return 0;
}
