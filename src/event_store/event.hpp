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
class Room;

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

    /// Memory of this size for a message that is still arriving: see Room.
    static Room reserve(Ledger& ledger, std::size_t size);

    /// Another pointer to this event.
    EventPtr share() const;

    wire::ByteView tail() const { return {bytes() + tail_offset_, tail_size_}; }

    /// The operation mode byte as received; values above 2 pass through.
    std::uint8_t mode() const { return mode_; }

    /// True when the publisher declared that executing the event twice does no harm.
    bool idempotent() const { return mode_ == 1 || mode_ == 2; }

    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

private:
    friend class EventPtr;
    friend class Room;
    friend class Shares;

    Event(Ledger& ledger, std::size_t size, std::uint8_t mode);
    ~Event() = default;

    /// An event whose tail fills all of its memory.
    static Event* allocate(Ledger& ledger, std::size_t size, std::uint8_t mode);

    std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(this + 1); }
    const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(this + 1); }

    void add_references(std::uint32_t count) const {
        references_.fetch_add(count, std::memory_order_relaxed);
    }
    void release() const;

    Ledger& ledger_;
    std::uint32_t size_;  ///< bytes of memory behind this object
    std::uint32_t tail_offset_{0};
    std::uint32_t tail_size_;
    mutable std::atomic<std::uint32_t> references_{1};
    std::uint8_t mode_;
};

/// Shared ownership of an Event, one pointer wide. Threads: as std::shared_ptr.
class EventPtr {
public:
    EventPtr() = default;
    EventPtr(const EventPtr& other) : event_(other.event_) {
        if (event_ != nullptr) {
            event_->add_references(1);
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
    friend class Room;
    friend class Shares;
    explicit EventPtr(const Event* event) : event_(event) {}

    const Event* event_{nullptr};
};

/// Memory that a message is read into piece by piece and that then becomes the event in it, without
/// a copy. Counts as an event in the ledger from the start.
/// Threads: a value; confined to its user.
class Room {
public:
    Room() = default;
    Room(Room&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Room& operator=(Room&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    ~Room() {
        if (event_ != nullptr) {
            event_->release();
        }
    }

    std::uint8_t* data() { return event_->bytes(); }
    std::size_t size() const { return event_->size_; }
    explicit operator bool() const { return event_ != nullptr; }

    /// The event whose tail is this part of the room; the room is empty afterwards.
    EventPtr become(wire::ByteView tail, std::uint8_t mode);

private:
    friend class Event;
    explicit Room(Event* event) : event_(event) {}

    Event* event_{nullptr};
};

/// Several pointers to one event, made with one atomic operation; those not taken are given back.
/// Threads: a value; confined to its user.
class Shares {
public:
    /// The event must be alive until all are taken.
    Shares(const EventPtr& event, std::size_t count)
        : event_(*event), left_(static_cast<std::uint32_t>(count)) {
        event_.add_references(left_);
    }
    ~Shares() {
        while (left_ > 0) {
            take();
        }
    }
    Shares(const Shares&) = delete;
    Shares& operator=(const Shares&) = delete;

    /// Call at most `count` times.
    EventPtr take() {
        --left_;
        return EventPtr(&event_);
    }

private:
    const Event& event_;
    std::uint32_t left_;
};

inline EventPtr Event::share() const {
    add_references(1);
    return EventPtr(this);
}

}  // namespace squall::event
