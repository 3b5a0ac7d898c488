#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/bytes.hpp"
#include "wire/encapsulation.hpp"
#include "wire/error.hpp"

// Replies (behaviour reference 12.4).
//
// Threads: free functions without state.

namespace squall::wire {

enum class ReplyStatus : std::uint8_t {
    kOk,
    kUserException,
    kObjectNotExist,
    kFacetNotExist,
    kOperationNotExist,
    kUnknownLocal,
    kUnknownUser,
    kUnknown,
    // Ice 3.8 and later.
    kInvalidData,
    kUnauthorized,
    kNotSupported,
};

struct ReplyView {
    std::int32_t id = 0;
    /// A ReplyStatus or a byte that nobody has defined yet.
    std::uint8_t status = 0;
    /// All behind the status.
    ByteView rest;
};

/// Parses the body (all behind the header) of a reply and checks that `rest` is what the status
/// promises, whole and nothing more; behind an unknown status anything passes. So an Ok without
/// an encapsulation is an error, which a subscriber's sender counts as a soft failure (6.2).
/// When the id could be read it is in `out` even after an error, otherwise it is 0, which no
/// request with a reply has.
[[nodiscard]] WireError parse_reply(ByteView body, ReplyView& out) noexcept;

/// One line for a log, such as `ObjectNotExist cat/name operation event`. The peer's text is
/// shortened and its control characters are escaped.
[[nodiscard]] std::string describe_reply(const ReplyView& reply);

/// Appends a whole reply message without compression: Ok and an empty encapsulation (25 bytes).
void append_reply(Buffer& out, std::int32_t id, Encoding encoding);

/// The same with a result: a whole encapsulation.
void append_reply(Buffer& out, std::int32_t id, ByteView encapsulation);

/// Appends ObjectNotExist, FacetNotExist or OperationNotExist; an empty facet is the default one.
void append_not_exist(Buffer& out, std::int32_t id, ReplyStatus status, std::string_view name,
                      std::string_view category, std::string_view facet,
                      std::string_view operation);

/// Appends UnknownLocal, UnknownUser or Unknown with a message for the caller.
void append_unknown(Buffer& out, std::int32_t id, ReplyStatus status, std::string_view message);

}  // namespace squall::wire
