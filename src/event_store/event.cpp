#include "event_store/event.hpp"

#include <cstring>
#include <new>

#include "wire/tail.hpp"

namespace squall::event {

Event::Event(Ledger& ledger, std::size_t size, std::uint8_t mode)
    : ledger_(ledger),
      size_(static_cast<std::uint32_t>(size)),
      tail_size_(static_cast<std::uint32_t>(size)),
      mode_(mode) {}

Event* Event::allocate(Ledger& ledger, std::size_t size, std::uint8_t mode) {
    void* memory = ::operator new(sizeof(Event) + size);
    ledger.added(size);
    return new (memory) Event(ledger, size, mode);
}

EventPtr Event::make(Ledger& ledger, std::string_view operation, std::uint8_t mode,
                     const std::map<std::string, std::string>& context,
                     wire::ByteView encapsulation) {
    Event* event = allocate(ledger, wire::tail_size(operation, context, encapsulation), mode);
    wire::store_tail(event->bytes(), operation, mode, context, encapsulation);
    return EventPtr(event);
}

EventPtr Event::copy(Ledger& ledger, wire::ByteView tail, std::uint8_t mode) {
    Event* event = allocate(ledger, tail.size(), mode);
    std::memcpy(event->bytes(), tail.data(), tail.size());
    return EventPtr(event);
}

Room Event::reserve(Ledger& ledger, std::size_t size) {
    return Room(allocate(ledger, size, 0));
}

EventPtr Room::become(wire::ByteView tail, std::uint8_t mode) {
    Event* event = std::exchange(event_, nullptr);
    event->tail_offset_ = static_cast<std::uint32_t>(tail.data() - event->bytes());
    event->tail_size_ = static_cast<std::uint32_t>(tail.size());
    event->mode_ = mode;
    return EventPtr(event);
}

void Event::release() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    ledger_.removed(size_);
    this->~Event();
    ::operator delete(const_cast<Event*>(this));
}

}  // namespace squall::event
