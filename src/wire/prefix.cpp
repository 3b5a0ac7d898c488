#include "wire/prefix.hpp"

#include "wire/target.hpp"

namespace squall::wire {

std::uint8_t* store_batch_header(std::uint8_t* at, std::int32_t count, std::size_t message_size,
                                 Compression compression) noexcept {
    store_header(at, MessageType::kBatchRequest, compression,
                 static_cast<std::uint32_t>(message_size));
    return store_i32(at + kHeaderSize, count);
}

RequestPrefix::RequestPrefix(std::string_view name, std::string_view category,
                             std::string_view facet) {
    bytes_.reserve(kTargetOffset + target_size(name, category, facet));
    bytes_.resize(kTargetOffset);
    store_header(bytes_.data(), MessageType::kRequest, Compression::kNone, 0);
    put_target(bytes_, name, category, facet);
}

}  // namespace squall::wire
