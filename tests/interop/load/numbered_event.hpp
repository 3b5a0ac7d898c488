// The event that the load programs exchange: a sequence number, then padding.
#pragma once

#include <Ice/Ice.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace squall::load {

constexpr std::size_t kEncapsulationHeaderBytes = 6;

/// Parameters of event `sequence`: an encapsulation of `payload_bytes` bytes (4 at least).
inline std::vector<Ice::Byte> make_event(std::int32_t sequence, std::size_t payload_bytes) {
    const auto size = static_cast<std::int32_t>(kEncapsulationHeaderBytes + payload_bytes);
    std::vector<Ice::Byte> params(static_cast<std::size_t>(size));
    std::memcpy(params.data(), &size, sizeof size);
    params[4] = 1;  // encoding 1.1
    params[5] = 1;
    std::memcpy(params.data() + kEncapsulationHeaderBytes, &sequence, sizeof sequence);
    return params;
}

/// The sequence number in the parameters of an event, -1 if they are too short for one.
inline std::int32_t sequence_of(const std::pair<const Ice::Byte*, const Ice::Byte*>& params) {
    std::int32_t sequence = -1;
    const auto size = static_cast<std::size_t>(params.second - params.first);
    if (size >= kEncapsulationHeaderBytes + sizeof sequence) {
        std::memcpy(&sequence, params.first + kEncapsulationHeaderBytes, sizeof sequence);
    }
    return sequence;
}

}  // namespace squall::load
