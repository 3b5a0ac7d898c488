#pragma once

// Names for clang's thread-safety attributes; other compilers see nothing.

#if defined(__clang__)
#define SQUALL_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SQUALL_THREAD_ATTRIBUTE(x)
#endif

#define SQUALL_CAPABILITY(name) SQUALL_THREAD_ATTRIBUTE(capability(name))
#define SQUALL_SCOPED_CAPABILITY SQUALL_THREAD_ATTRIBUTE(scoped_lockable)
#define SQUALL_GUARDED_BY(mutex) SQUALL_THREAD_ATTRIBUTE(guarded_by(mutex))
#define SQUALL_REQUIRES(...) SQUALL_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define SQUALL_ACQUIRE(...) SQUALL_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define SQUALL_RELEASE(...) SQUALL_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
