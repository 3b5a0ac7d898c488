#include "publisher_pool/served_objects.hpp"

#include <functional>
#include <utility>

namespace squall::pool {

std::size_t ServedObjects::Hash::operator()(KeyView key) const {
    constexpr std::size_t kOddFactor = 0x9E3779B97F4A7C15;
    const std::hash<std::string_view> hash;
    return hash(key.name) * kOddFactor ^ hash(key.category);
}

void ServedObjects::insert(std::string name, std::string category, ServedObject object) {
    last_found_ = nullptr;
    objects_.insert_or_assign(Key{std::move(name), std::move(category)}, std::move(object));
}

void ServedObjects::erase(std::string_view name, std::string_view category) {
    last_found_ = nullptr;
    const auto entry = objects_.find(KeyView(name, category));
    if (entry != objects_.end()) {
        objects_.erase(entry);
    }
}

const ServedObject* ServedObjects::find(std::string_view name, std::string_view category) const {
    const KeyView key(name, category);
    if (last_found_ != nullptr && Equal()(last_found_->first, key)) {
        return &last_found_->second;
    }
    const auto entry = objects_.find(key);
    if (entry == objects_.end()) {
        return nullptr;
    }
    last_found_ = &*entry;
    return &entry->second;
}

}  // namespace squall::pool
