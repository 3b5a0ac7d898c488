// A ZeroMQ publisher. It is an XPUB, which can see that the proxy has subscribed: a PUB drops what
// is sent before.

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pacer.hpp"
#include "payload.hpp"
#include "publisher_main.hpp"
#include "zmq_socket.hpp"

namespace squall::bench {
namespace {

constexpr int kProbeIntervalMs = 5;

void wait_for_subscription(const ZmqSocket& socket, const std::string& topic) {
    std::array<char, 256> message{};
    while (true) {
        const int size = zmq_recv(socket.get(), message.data(), message.size(), 0);
        check_zmq(size);
        if (std::string_view(message.data(), static_cast<std::size_t>(size)) == "\x01" + topic) {
            return;
        }
    }
}

/// Events too short for a stamp, until standard input ends.
void probe(const ZmqSocket& socket, const std::string& topic) {
    const std::string event = topic + "?";
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (poll(&input, 1, kProbeIntervalMs) == 0) {
        check_zmq(zmq_send(socket.get(), event.data(), event.size(), 0));
    }
}

void publish(const PublisherOptions& options) {
    const ZmqContext context = make_zmq_context();
    const ZmqSocket socket = make_zmq_socket(context, ZMQ_XPUB);
    check_zmq(zmq_connect(socket.get(), zmq_loopback(std::to_string(options.port)).c_str()));
    if (options.probe) {
        probe(socket, options.topic);
        return;
    }
    wait_for_subscription(socket, options.topic);

    Payload payload(options.bytes, options.topic.size());
    options.topic.copy(reinterpret_cast<char*>(payload.data()), options.topic.size());
    Pacer pacer(options.rate);
    for (std::uint64_t i = 0; i < options.events; ++i) {
        pacer.wait_for(i);
        payload.stamp(i);
        check_zmq(zmq_send(socket.get(), payload.data(), payload.size(), 0));
    }
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    return squall::bench::publisher_main(argc, argv, squall::bench::publish);
}
