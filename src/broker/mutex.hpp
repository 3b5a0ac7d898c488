#pragma once

#include <mutex>

#include "broker/thread_annotations.hpp"

namespace squall::broker {

/// A std::mutex that clang's thread-safety analysis can see.
class SQUALL_CAPABILITY("mutex") Mutex {
public:
    void lock() SQUALL_ACQUIRE() { mutex_.lock(); }
    void unlock() SQUALL_RELEASE() { mutex_.unlock(); }

private:
    std::mutex mutex_;
};

/// Holds a Mutex for the length of a scope.
class SQUALL_SCOPED_CAPABILITY MutexLock {
public:
    explicit MutexLock(Mutex& mutex) SQUALL_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
    ~MutexLock() SQUALL_RELEASE() { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

private:
    Mutex& mutex_;
};

}  // namespace squall::broker
