#include "wire/forward.hpp"

#include "wire/encapsulation.hpp"
#include "wire/tail.hpp"

namespace squall::wire {
namespace {

/// Empty operation, mode, no data, no context: a byte each.
constexpr std::size_t kMinEventSize = 4;

ByteView read_bytes(Reader& reader) noexcept {
    return as_bytes(reader.string());
}

}  // namespace

ForwardReader::ForwardReader(ByteView encapsulation) noexcept : reader_(encapsulation) {
    reader_.skip(kEncapsulationHeaderSize);
    remaining_ = reader_.size();
    if (remaining_ > reader_.remaining() / kMinEventSize) {
        reader_.fail(WireError::kBadCount);
        remaining_ = 0;
    }
}

bool ForwardReader::next(ForwardedEvent& out) noexcept {
    if (remaining_ == 0) {
        static_cast<void>(reader_.finish());
        return false;
    }
    out.operation = reader_.string();
    out.mode = reader_.u8();
    out.data = read_bytes(reader_);
    out.context = skim_context(reader_);
    remaining_ = reader_.ok() ? remaining_ - 1 : 0;
    return reader_.ok();
}

bool is_encapsulation(ByteView bytes) noexcept {
    Reader reader(bytes);
    read_encapsulation(reader);
    return reader.finish() == WireError::kNone;
}

}  // namespace squall::wire
