#pragma once

#include <cstddef>
#include <string_view>

#include "wire/bytes.hpp"
#include "wire/reader.hpp"

// Whom a request is for: identity and facet path, the first part of a request record and of the
// replies that say it does not exist (behaviour reference 12.2, 12.4).
//
// Threads: free functions without state.

namespace squall::wire {

struct TargetView {
    std::string_view name;
    std::string_view category;
    /// Whether the facet path has an element. An empty facet name means the default facet too.
    bool has_facet = false;
    std::string_view facet;
};

/// A facet path of two or more elements fails with kBadFacet.
void read_target(Reader& reader, TargetView& out) noexcept;

/// Bytes that put_target() appends.
std::size_t target_size(std::string_view name, std::string_view category,
                        std::string_view facet) noexcept;

/// Appends identity and facet path; an empty facet gives an empty path.
void put_target(Buffer& out, std::string_view name, std::string_view category,
                std::string_view facet);

}  // namespace squall::wire
