#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "wire/bytes.hpp"

// Plain sockets on 127.0.0.1. Everything that fails throws std::system_error, except as said.
//
// Threads: free functions without state, and a value type.

namespace squall::bench {

/// Owns a file descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_ = -1;
};

/// A listening socket on a port that the kernel chooses.
Descriptor listen_on_loopback();
std::uint16_t port_of(int listener);

/// Blocking, without delay for small writes.
Descriptor connect_to_loopback(std::uint16_t port);
Descriptor accept_from(int listener);

void set_non_blocking(int fd);

/// Writes all, waiting while a non-blocking socket is full.
void write_all(int fd, wire::ByteView bytes);

/// One read: 0 at the end of the stream and when the peer has reset it, -1 when nothing is there.
std::ptrdiff_t read_some(int fd, std::uint8_t* to, std::size_t size);

Descriptor make_epoll();
void watch(int epoll, int fd, std::uint32_t events, std::uint64_t token);
void rewatch(int epoll, int fd, std::uint32_t events, std::uint64_t token);

}  // namespace squall::bench
