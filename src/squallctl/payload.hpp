#pragma once

#include <Ice/Ice.h>

#include <cstdint>
#include <string>
#include <vector>

namespace squall::ctl {

/// The parameters of the events to publish: an Ice encapsulation 1.1, header included.
class Payload {
public:
    /// No parameters.
    static Payload none();

    /// One string parameter.
    static Payload text(const std::string& text);

    /// One sequence<byte> parameter.
    static Payload bytes(const std::vector<Ice::Byte>& bytes);

    /// One sequence<byte> parameter of `size_bytes`, which starts with the event's number as 8
    /// bytes, little-endian (its low bytes only, when the size is less than 8); the rest is zero.
    static Payload numbered(std::size_t size_bytes);

    /// The encapsulation of event `number`; valid until the next call.
    const std::vector<Ice::Byte>& of(std::uint64_t number);

private:
    explicit Payload(std::vector<Ice::Byte> encapsulation);

    std::vector<Ice::Byte> encapsulation_;
    std::size_t number_offset_ = 0;
    std::size_t number_bytes_ = 0;
};

}  // namespace squall::ctl
