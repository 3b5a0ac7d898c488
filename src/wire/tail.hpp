#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "wire/bytes.hpp"
#include "wire/encapsulation.hpp"
#include "wire/error.hpp"
#include "wire/reader.hpp"

// The tail of a request record: operation, mode, context, parameters (behaviour reference 12.2).
// It is the part of an event that all its subscribers share; what differs between them is in
// front of it (prefix.hpp).
//
// Threads: free functions without state.

namespace squall::wire {

/// As the Ice run time has it, so that a context passes without a copy.
using Context = std::map<std::string, std::string>;

struct TailView {
    std::string_view operation;
    /// Operation mode as received: 0 normal, 1 nonmutating, 2 idempotent; others pass untouched.
    std::uint8_t mode = 0;
    /// The encoded dictionary, its size included; each of its entries lies inside.
    ByteView context;
    /// Header included. Its encoding version is not checked (encoding_of()).
    ByteView encapsulation;
};

/// Reads over a context and returns it encoded, its size included.
ByteView skim_context(Reader& reader) noexcept;

/// Reads a tail from the middle of a message. After kBadEncapsulation the other three are valid.
void read_tail(Reader& reader, TailView& out) noexcept;

/// Reads a tail that fills `tail` exactly; bytes after it are kTrailingBytes.
[[nodiscard]] WireError parse_tail(ByteView tail, TailView& out) noexcept;

/// Bytes that store_tail() writes for the same arguments.
[[nodiscard]] std::size_t tail_size(std::string_view operation, const Context& context,
                                    ByteView encapsulation) noexcept;

/// Writes tail_size() bytes, the context sorted by key, and returns the place behind them.
/// `encapsulation` is copied as it is, so it must be a whole one.
std::uint8_t* store_tail(std::uint8_t* at, std::string_view operation, std::uint8_t mode,
                         const Context& context, ByteView encapsulation) noexcept;

/// True when the keys of a context that read_tail() has found stand in ascending order, each once:
/// the order in which store_tail() would write them again.
[[nodiscard]] bool is_sorted_context(ByteView encoded) noexcept;

/// Decodes a context; it replaces what `out` held. Of equal keys the first one wins, as with
/// IceStorm (5.2). After an error `out` holds the entries before it.
[[nodiscard]] WireError read_context(ByteView encoded, Context& out);

}  // namespace squall::wire
