#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "publisher_pool/route.hpp"

namespace squall::pool {

/// An object that publishers reach at the publish endpoints (behaviour reference 2.1).
struct ServedObject {
    enum class Kind : std::uint8_t {
        kPublisher,  ///< every operation is an event
        kLink,       ///< another broker forwards events to it
    };

    Kind kind{Kind::kPublisher};
    std::shared_ptr<Route> route;
};

/// The objects by identity, as one shard knows them.
/// Threads: confined to the owning shard's.
class ServedObjects {
public:
    void insert(std::string name, std::string category, ServedObject object);
    void erase(std::string_view name, std::string_view category);

    /// Null when unknown. Valid until the next insert() or erase(). The same object as in the last
    /// call is found without a search.
    const ServedObject* find(std::string_view name, std::string_view category) const;

private:
    struct Key {
        std::string name;
        std::string category;
    };
    struct KeyView {
        std::string_view name;
        std::string_view category;
        KeyView(std::string_view its_name, std::string_view its_category)
            : name(its_name), category(its_category) {}
        // NOLINTNEXTLINE(google-explicit-constructor): what lets the map look up by a view
        KeyView(const Key& key) : name(key.name), category(key.category) {}
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(KeyView key) const;
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(KeyView a, KeyView b) const {
            return a.name == b.name && a.category == b.category;
        }
    };
    using Map = boost::unordered_flat_map<Key, ServedObject, Hash, Equal>;

    Map objects_;
    mutable const Map::value_type* last_found_{nullptr};
};

}  // namespace squall::pool
