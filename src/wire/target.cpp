#include "wire/target.hpp"

#include "wire/writer.hpp"

namespace squall::wire {

void read_target(Reader& reader, TargetView& out) noexcept {
    out.name = reader.string();
    out.category = reader.string();
    const std::size_t facets = reader.size();
    if (facets > 1) {
        reader.fail(WireError::kBadFacet);
    }
    out.has_facet = facets == 1;
    out.facet = out.has_facet ? reader.string() : std::string_view{};
}

std::size_t target_size(std::string_view name, std::string_view category,
                        std::string_view facet) noexcept {
    const std::size_t facet_path = facet.empty() ? 1 : 1 + size_of_string(facet);
    return size_of_string(name) + size_of_string(category) + facet_path;
}

void put_target(Buffer& out, std::string_view name, std::string_view category,
                std::string_view facet) {
    put_string(out, name);
    put_string(out, category);
    put_size(out, facet.empty() ? 0 : 1);
    if (!facet.empty()) {
        put_string(out, facet);
    }
}

}  // namespace squall::wire
