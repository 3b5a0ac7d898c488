#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "wire/bytes.hpp"
#include "wire/header.hpp"
#include "wire/writer.hpp"

namespace squall::wire {

/// Header and record count of a batch request.
inline constexpr std::size_t kBatchHeaderSize = kHeaderSize + 4;

/// Writes the 18 bytes in front of the records of a batch request and returns the place behind.
/// `message_size` counts these bytes too and must fit in an int32.
/// Threads: free function without state.
std::uint8_t* store_batch_header(std::uint8_t* at, std::int32_t count, std::size_t message_size,
                                 Compression compression) noexcept;

/// What stands in front of the shared tail (tail.hpp) in every message to one subscriber: header,
/// request id, identity and facet path (behaviour reference 5.2, 12.2). Encoded once, when the
/// subscriber is made; after that an event costs one copy and two or three small stores.
///
/// Threads: immutable after construction.
class RequestPrefix {
public:
    /// An empty facet stands for the default facet.
    RequestPrefix(std::string_view name, std::string_view category, std::string_view facet);

    /// Bytes that store_request() writes.
    [[nodiscard]] std::size_t request_size() const noexcept { return bytes_.size(); }

    /// Bytes that store_record() writes.
    [[nodiscard]] std::size_t record_size() const noexcept { return bytes_.size() - kTargetOffset; }

    /// Writes the front of a single request whose tail has `tail_size` bytes, and returns the
    /// place for that tail. request_size() + tail_size must fit in an int32. `request_id` is 0
    /// for oneway.
    std::uint8_t* store_request(std::uint8_t* at, std::int32_t request_id, std::size_t tail_size,
                                Compression compression) const noexcept {
        std::memcpy(at, bytes_.data(), bytes_.size());
        store_compression(at, compression);
        store_i32(at + kSizeOffset, static_cast<std::int32_t>(bytes_.size() + tail_size));
        store_i32(at + kHeaderSize, request_id);
        return at + bytes_.size();
    }

    /// Writes the front of a record of a batch and returns the place for its tail.
    std::uint8_t* store_record(std::uint8_t* at) const noexcept {
        std::memcpy(at, bytes_.data() + kTargetOffset, record_size());
        return at + record_size();
    }

private:
    static constexpr std::size_t kSizeOffset = 10;
    static constexpr std::size_t kTargetOffset = kHeaderSize + 4;

    /// A whole request front with size and id 0.
    Buffer bytes_;
};

}  // namespace squall::wire
