#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "event_store/ledger.hpp"
#include "wire/bytes.hpp"

namespace squall::event {

class EventPtr;

/// One published event: operation name, mode byte, context and parameter encapsulation, encoded as
/// they stand in an Ice request behind the identity and facet ("the tail"). Every subscriber's
/// queue points to the same bytes. One allocation holds the count and the bytes.
/// Threads: immutable after make(); the reference count is atomic.
class Event {
public:
    /// Encodes an event from its parts; the context is written sorted by key.
    /// `encapsulation` includes its 6-byte header. The ledger must outlive the event.
    static EventPtr make(Ledger& ledger, std::string_view operation, std::uint8_t mode,
                         const std::map<std::string, std::string>& context,
                         wire::ByteView encapsulation);

    /// Copies a tail exactly as it arrived; `mode` is the mode byte found in it.
    static EventPtr copy(Ledger& ledger, wire::ByteView tail, std::uint8_t mode);

    /// Another pointer to this event.
    EventPtr share() const;

    wire::ByteView tail() const { return {bytes(), size_}; }

    /// The operation mode byte as received; values above 2 pass through.
    std::uint8_t mode() const { return mode_; }

    /// True when the publisher declared that executing the event twice does no harm.
    bool idempotent() const { return mode_ == 1 || mode_ == 2; }

    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

private:
    friend class EventPtr;

    Event(Ledger& ledger, std::size_t size, std::uint8_t mode);
    ~Event() = default;

    static Event* allocate(Ledger& ledger, std::size_t size, std::uint8_t mode);

    std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(this + 1); }
    const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(this + 1); }

    void add_ref() const { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() const;

    Ledger& ledger_;
    std::uint32_t size_;
    mutable std::atomic<std::uint32_t> references_{1};
    std::uint8_t mode_;
};

/// Shared ownership of an Event, one pointer wide. Threads: as std::shared_ptr.
class EventPtr {
public:
    EventPtr() = default;
    EventPtr(const EventPtr& other) : event_(other.event_) {
        if (event_ != nullptr) {
            event_->add_ref();
        }
    }
    EventPtr(EventPtr&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    EventPtr& operator=(EventPtr other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    ~EventPtr() {
        if (event_ != nullptr) {
            event_->release();
        }
    }

    const Event* operator->() const { return event_; }
    const Event& operator*() const { return *event_; }
    const Event* get() const { return event_; }
    explicit operator bool() const { return event_ != nullptr; }

private:
    friend class Event;
    explicit EventPtr(const Event* event) : event_(event) {}

    const Event* event_{nullptr};
};

inline EventPtr Event::share() const {
    add_ref();
    return EventPtr(this);
}

}  // namespace squall::event
