#include "publisher_pool/served_objects.hpp"

#include <functional>
#include <utility>

namespace squall::pool {

std::size_t ServedObjects::Hash::operator()(Key key) const {
    constexpr std::size_t kOddFactor = 0x9E3779B97F4A7C15;
    const std::hash<std::string_view> hash;
    return hash(key.name) * kOddFactor ^ hash(key.category);
}

bool ServedObjects::insert(ServedObjectPtr object) {
    last_found_ = nullptr;
    return objects_.insert(std::move(object)).second;
}

void ServedObjects::erase(std::string_view name, std::string_view category) {
    last_found_ = nullptr;
    const auto entry = objects_.find(Key(name, category));
    if (entry != objects_.end()) {
        objects_.erase(entry);
    }
}

const ServedObject* ServedObjects::find(std::string_view name, std::string_view category) const {
    if (last_found_ != nullptr && last_found_->name == name && last_found_->category == category) {
        return last_found_;
    }
    const auto entry = objects_.find(Key(name, category));
    if (entry == objects_.end()) {
        return nullptr;
    }
    last_found_ = entry->get();
    return last_found_;
}

}  // namespace squall::pool
