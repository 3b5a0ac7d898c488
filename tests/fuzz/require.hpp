#pragma once

#include <cstdlib>
#include <string_view>

#include "wire/bytes.hpp"

// Checks that fuzz targets make on top of the sanitizers.

namespace squall::wire::fuzz {

/// A broken promise ends the run, and libFuzzer keeps the input.
inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// A view that a parser hands out is empty or lies inside what it was given.
inline void require_inside(ByteView outer, ByteView inner) {
    require(inner.empty() || (inner.data() >= outer.data() &&
                              inner.data() + inner.size() <= outer.data() + outer.size()));
}

inline void require_inside(ByteView outer, std::string_view inner) {
    require_inside(outer, as_bytes(inner));
}

}  // namespace squall::wire::fuzz
