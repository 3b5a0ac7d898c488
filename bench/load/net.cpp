#include "net.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace squall::bench {
namespace {

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

int checked(int result, const char* call) {
    if (result < 0) {
        fail(call);
    }
    return result;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void set_no_delay(int fd) {
    const int on = 1;
    checked(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "setsockopt");
}

void control(int epoll, int operation, int fd, std::uint32_t events, std::uint64_t token) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = token;
    checked(epoll_ctl(epoll, operation, fd, &event), "epoll_ctl");
}

}  // namespace

Descriptor::~Descriptor() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

Descriptor listen_on_loopback() {
    Descriptor listener(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    const sockaddr_in address = loopback(0);
    checked(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            "bind");
    checked(listen(listener.get(), SOMAXCONN), "listen");
    return listener;
}

std::uint16_t port_of(int listener) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    checked(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    return ntohs(address.sin_port);
}

Descriptor connect_to_loopback(std::uint16_t port) {
    Descriptor connection(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    const sockaddr_in address = loopback(port);
    checked(connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            "connect");
    set_no_delay(connection.get());
    return connection;
}

Descriptor accept_from(int listener) {
    Descriptor connection(checked(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC), "accept"));
    set_no_delay(connection.get());
    return connection;
}

void set_non_blocking(int fd) {
    const int flags = checked(fcntl(fd, F_GETFL), "fcntl");
    checked(fcntl(fd, F_SETFL, flags | O_NONBLOCK), "fcntl");
}

void write_all(int fd, wire::ByteView bytes) {
    while (!bytes.empty()) {
        const ssize_t written = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd writable{fd, POLLOUT, 0};
            poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            fail("send");
        }
    }
}

std::ptrdiff_t read_some(int fd, std::uint8_t* to, std::size_t size) {
    while (true) {
        const ssize_t count = recv(fd, to, size, 0);
        if (count >= 0) {
            return count;
        }
        if (errno == EAGAIN) {
            return -1;
        }
        if (errno == ECONNRESET) {
            return 0;
        }
        if (errno != EINTR) {
            fail("recv");
        }
    }
}

Descriptor make_epoll() {
    return Descriptor(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1"));
}

void watch(int epoll, int fd, std::uint32_t events, std::uint64_t token) {
    control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

void rewatch(int epoll, int fd, std::uint32_t events, std::uint64_t token) {
    control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

}  // namespace squall::bench
