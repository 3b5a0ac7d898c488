#include "wire/encapsulation.hpp"

#include "wire/writer.hpp"

namespace squall::wire {

ByteView read_encapsulation(Reader& reader) noexcept {
    const std::size_t start = reader.position();
    const std::size_t available = reader.remaining();
    const std::int32_t size = reader.i32();
    if (size < static_cast<std::int32_t>(kEncapsulationHeaderSize) ||
        static_cast<std::size_t>(size) > available) {
        reader.fail(WireError::kBadEncapsulation);
        return {};
    }
    reader.skip(static_cast<std::size_t>(size) - (reader.position() - start));
    return reader.since(start);
}

Encoding encoding_of(ByteView encapsulation) noexcept {
    Reader reader(encapsulation);
    reader.skip(4);
    Encoding encoding;
    encoding.major = reader.u8();
    encoding.minor = reader.u8();
    return encoding;
}

void put_empty_encapsulation(Buffer& out, Encoding encoding) {
    put_i32(out, static_cast<std::int32_t>(kEncapsulationHeaderSize));
    put_u8(out, encoding.major);
    put_u8(out, encoding.minor);
}

}  // namespace squall::wire
