#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "publisher_pool/route.hpp"

namespace squall::pool {

/// An object that publishers reach at the publish endpoints (behaviour reference 2.1).
/// Threads: immutable, so all tables share one.
struct ServedObject {
    enum class Kind : std::uint8_t {
        kPublisher,  ///< every operation is an event
        kLink,       ///< another broker forwards events to it
    };

    std::string name;
    std::string category;
    Kind kind{Kind::kPublisher};
    std::shared_ptr<Route> route;
};

using ServedObjectPtr = std::shared_ptr<const ServedObject>;

inline ServedObjectPtr served_object(std::string name, std::string category,
                                     ServedObject::Kind kind, std::shared_ptr<Route> route) {
    return std::make_shared<const ServedObject>(
        ServedObject{std::move(name), std::move(category), kind, std::move(route)});
}

/// The objects by identity. Threads: one at a time.
class ServedObjects {
public:
    /// False, and nothing changes, where there is one with this identity.
    bool insert(ServedObjectPtr object);
    void erase(std::string_view name, std::string_view category);

    /// Null when unknown. Valid until the next insert() or erase(). The same object as in the last
    /// call is found without a search.
    const ServedObject* find(std::string_view name, std::string_view category) const;

private:
    struct Key {
        std::string_view name;
        std::string_view category;
        Key(std::string_view its_name, std::string_view its_category)
            : name(its_name), category(its_category) {}
        // NOLINTNEXTLINE(google-explicit-constructor): what lets the set look up by identity
        Key(const ServedObjectPtr& object) : name(object->name), category(object->category) {}
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(Key key) const;
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(Key a, Key b) const { return a.name == b.name && a.category == b.category; }
    };

    boost::unordered_flat_set<ServedObjectPtr, Hash, Equal> objects_;
    mutable const ServedObject* last_found_{nullptr};
};

}  // namespace squall::pool
