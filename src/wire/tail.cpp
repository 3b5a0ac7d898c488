#include "wire/tail.hpp"

#include "wire/writer.hpp"

namespace squall::wire {

namespace {

/// Number of entries; each takes two bytes or more, so most lies show here already.
std::size_t read_context_count(Reader& reader) noexcept {
    const std::size_t count = reader.size();
    if (count > reader.remaining() / 2) {
        reader.fail(WireError::kBadCount);
        return 0;
    }
    return count;
}

}  // namespace

ByteView skim_context(Reader& reader) noexcept {
    const std::size_t start = reader.position();
    const std::size_t count = read_context_count(reader);
    for (std::size_t i = 0; i < count && reader.ok(); ++i) {
        reader.string();
        reader.string();
    }
    return reader.since(start);
}

void read_tail(Reader& reader, TailView& out) noexcept {
    out.operation = reader.string();
    out.mode = reader.u8();
    out.context = skim_context(reader);
    out.encapsulation = read_encapsulation(reader);
}

WireError parse_tail(ByteView tail, TailView& out) noexcept {
    Reader reader(tail);
    read_tail(reader, out);
    return reader.finish();
}

std::size_t tail_size(std::string_view operation, const Context& context,
                      ByteView encapsulation) noexcept {
    std::size_t entries = size_of_size(context.size());
    for (const auto& [key, value] : context) {
        entries += size_of_string(key) + size_of_string(value);
    }
    return size_of_string(operation) + 1 + entries + encapsulation.size();
}

std::uint8_t* store_tail(std::uint8_t* at, std::string_view operation, std::uint8_t mode,
                         const Context& context, ByteView encapsulation) noexcept {
    at = store_string(at, operation);
    *at++ = mode;
    at = store_size(at, context.size());
    for (const auto& [key, value] : context) {
        at = store_string(at, key);
        at = store_string(at, value);
    }
    return store_bytes(at, encapsulation);
}

bool is_sorted_context(ByteView encoded) noexcept {
    Reader reader(encoded);
    const std::size_t count = reader.size();
    std::string_view last;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view key = reader.string();
        reader.string();
        if (i > 0 && key <= last) {
            return false;
        }
        last = key;
    }
    return true;
}

WireError read_context(ByteView encoded, Context& out) {
    out.clear();
    Reader reader(encoded);
    const std::size_t count = read_context_count(reader);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view key = reader.string();
        const std::string_view value = reader.string();
        if (!reader.ok()) {
            break;
        }
        out.emplace(key, value);
    }
    return reader.finish();
}

}  // namespace squall::wire
