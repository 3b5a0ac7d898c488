#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace squall::queue {

/// A first-in first-out queue in one growing block; an empty slot holds a default T. Holds no
/// memory until the first push, and gives it back on clear() and when a large one runs empty.
/// Threads: one at a time.
template <typename T>
class Ring {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }

    T& operator[](std::size_t index) {
        assert(index < size_);
        return slots_[(head_ + index) & (capacity_ - 1)];
    }
    const T& operator[](std::size_t index) const {
        assert(index < size_);
        return slots_[(head_ + index) & (capacity_ - 1)];
    }
    T& front() { return (*this)[0]; }

    void push_back(T&& value) {
        if (size_ == capacity_) {
            grow();
        }
        slots_[(head_ + size_) & (capacity_ - 1)] = std::move(value);
        ++size_;
    }
    void push_back(const T& value) { push_back(T(value)); }

    T pop_front() {
        T value = std::exchange(front(), T());
        drop_front_slot();
        return value;
    }

    /// pop_front() where nobody wants the element.
    void drop_front() {
        front() = T();
        drop_front_slot();
    }

    /// Removes the element at `index`, moving those before it: cheap near the front.
    T remove(std::size_t index) {
        for (std::size_t i = index; i > 0; --i) {
            std::swap((*this)[i], (*this)[i - 1]);
        }
        return pop_front();
    }

    /// Drops the newest elements until `size` are left.
    void truncate(std::size_t size) {
        while (size_ > size) {
            (*this)[size_ - 1] = T();
            --size_;
        }
        if (size_ == 0) {
            clear();
        }
    }

    void clear() {
        slots_.reset();
        head_ = size_ = capacity_ = 0;
    }

private:
    static constexpr std::size_t kFirstCapacity = 4;
    static constexpr std::size_t kKeptCapacity = 1024;

    void drop_front_slot() {
        head_ = (head_ + 1) & (capacity_ - 1);
        if (--size_ == 0 && capacity_ > kKeptCapacity) {
            clear();
        }
    }

    void grow() {
        const std::size_t capacity = capacity_ == 0 ? kFirstCapacity : capacity_ * 2;
        auto slots = std::make_unique<T[]>(capacity);
        for (std::size_t i = 0; i < size_; ++i) {
            slots[i] = std::move((*this)[i]);
        }
        slots_ = std::move(slots);
        head_ = 0;
        capacity_ = capacity;
    }

    std::unique_ptr<T[]> slots_;
    std::size_t head_{0};
    std::size_t size_{0};
    std::size_t capacity_{0};
};

}  // namespace squall::queue
