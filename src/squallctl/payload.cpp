#include "squallctl/payload.hpp"

#include <algorithm>
#include <utility>

namespace squall::ctl {
namespace {

/// An encapsulation of what `write` puts in the stream.
template <class Write>
std::vector<Ice::Byte> encapsulate(const Write& write) {
    Ice::OutputStream stream;
    stream.startEncapsulation(Ice::Encoding_1_1, Ice::FormatType::DefaultFormat);
    write(stream);
    stream.endEncapsulation();
    std::vector<Ice::Byte> encapsulation;
    stream.finished(encapsulation);
    return encapsulation;
}

}  // namespace

Payload::Payload(std::vector<Ice::Byte> encapsulation) : encapsulation_(std::move(encapsulation)) {}

Payload Payload::none() {
    return Payload(encapsulate([](Ice::OutputStream&) {}));
}

Payload Payload::text(const std::string& text) {
    // What the command line gives is UTF-8 already, as Ice wants it on the wire.
    constexpr bool kConvert = false;
    return Payload(encapsulate([&](Ice::OutputStream& stream) { stream.write(text, kConvert); }));
}

Payload Payload::bytes(const std::vector<Ice::Byte>& bytes) {
    return Payload(encapsulate([&](Ice::OutputStream& stream) { stream.write(bytes); }));
}

Payload Payload::numbered(std::size_t size_bytes) {
    Payload payload = bytes(std::vector<Ice::Byte>(size_bytes));
    payload.number_offset_ = payload.encapsulation_.size() - size_bytes;
    payload.number_bytes_ = std::min<std::size_t>(size_bytes, sizeof(std::uint64_t));
    return payload;
}

const std::vector<Ice::Byte>& Payload::of(std::uint64_t number) {
    for (std::size_t i = 0; i < number_bytes_; ++i) {
        encapsulation_[number_offset_ + i] = static_cast<Ice::Byte>(number >> (8 * i));
    }
    return encapsulation_;
}

}  // namespace squall::ctl
