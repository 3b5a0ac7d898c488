#include "wire/request.hpp"

namespace squall::wire {

WireError parse_request_record(Reader& reader, RequestView& out) noexcept {
    read_target(reader, out);
    const std::size_t tail_start = reader.position();
    read_tail(reader, out);
    out.tail = reader.ok() ? reader.since(tail_start) : ByteView{};
    return reader.error();
}

WireError parse_request(ByteView body, std::int32_t& id, RequestView& out) noexcept {
    Reader reader(body);
    id = reader.i32();
    if (const WireError error = parse_request_record(reader, out); error != WireError::kNone) {
        return error;
    }
    return reader.finish();
}

BatchReader::BatchReader(ByteView body) noexcept : reader_(body) {
    const std::int32_t count = reader_.i32();
    if (count < 0 || static_cast<std::size_t>(count) > reader_.remaining() / kMinRecordSize) {
        reader_.fail(WireError::kBadCount);
        return;
    }
    remaining_ = count;
}

bool BatchReader::next(RequestView& out) noexcept {
    if (remaining_ == 0) {
        static_cast<void>(reader_.finish());
        return false;
    }
    if (parse_request_record(reader_, out) != WireError::kNone) {
        remaining_ = 0;
        return false;
    }
    --remaining_;
    return true;
}

}  // namespace squall::wire
