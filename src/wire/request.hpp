#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"
#include "wire/error.hpp"
#include "wire/reader.hpp"
#include "wire/tail.hpp"
#include "wire/target.hpp"

// Requests, alone and in batches (behaviour reference 12.2).

namespace squall::wire {

/// One request record: target and tail, as views into the message.
struct RequestView : TargetView, TailView {
    /// Operation to encapsulation in one piece, exactly as received; empty after an error.
    ByteView tail;
};

/// A record with every string empty, one byte each, plus mode and an empty encapsulation.
inline constexpr std::size_t kMinRecordSize = 12;

/// Reads one record from the middle of a message; the reader's error is also returned.
/// After kBadEncapsulation all but `encapsulation` and `tail` are valid: IceStorm then answers
/// UnknownLocalException and keeps the connection (12.4), while any other error ends it.
/// Threads: free function without state.
[[nodiscard]] WireError parse_request_record(Reader& reader, RequestView& out) noexcept;

/// Parses the body (all behind the header) of a request. `id` is 0 for a oneway; it is valid
/// unless the error is kTruncated. Bytes after the record are kTrailingBytes.
/// Threads: free function without state.
[[nodiscard]] WireError parse_request(ByteView body, std::int32_t& id, RequestView& out) noexcept;

/// Walks the records of a batch request:
///
///     BatchReader batch(body);
///     for (RequestView record; batch.next(record);) { ... }
///     if (batch.error() != WireError::kNone) { ... }
///
/// Records before a broken one are handed out, as Ice dispatches them too. A record cannot be
/// skipped once its encapsulation is broken, so every error ends the batch.
///
/// Threads: a value; confined to its user.
class BatchReader {
public:
    /// `body` is all behind the header. A count that is negative or needs more bytes than there
    /// are fails at once with kBadCount.
    explicit BatchReader(ByteView body) noexcept;

    [[nodiscard]] WireError error() const noexcept { return reader_.error(); }

    /// Records not handed out yet; 0 after an error.
    [[nodiscard]] std::int32_t remaining() const noexcept { return remaining_; }

    /// False at the end and on an error; error() tells which. Bytes after the last record show
    /// when the end is reached.
    [[nodiscard]] bool next(RequestView& out) noexcept;

private:
    Reader reader_;
    std::int32_t remaining_ = 0;
};

}  // namespace squall::wire
