// The broker that ZeroMQ itself offers: zmq_proxy between publishers on one port and subscribers on
// another. bench_zmq_proxy PUBLISH_PORT SUBSCRIBE_PORT, or --version for that of the library.

#include <exception>
#include <iostream>
#include <string_view>

#include "zmq_socket.hpp"

namespace squall::bench {
namespace {

void run(const std::string& publish_port, const std::string& subscribe_port) {
    const ZmqContext context = make_zmq_context();
    const ZmqSocket publishers = make_zmq_socket(context, ZMQ_XSUB);
    const ZmqSocket subscribers = make_zmq_socket(context, ZMQ_XPUB);
    check_zmq(zmq_bind(publishers.get(), zmq_loopback(publish_port).c_str()));
    check_zmq(zmq_bind(subscribers.get(), zmq_loopback(subscribe_port).c_str()));
    check_zmq(zmq_proxy(publishers.get(), subscribers.get(), nullptr));
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        int major = 0;
        int minor = 0;
        int patch = 0;
        zmq_version(&major, &minor, &patch);
        std::cout << major << '.' << minor << '.' << patch << '\n';
        return 0;
    }
    if (argc != 3) {
        std::cerr << "usage: bench_zmq_proxy PUBLISH_PORT SUBSCRIBE_PORT | --version\n";
        return 2;
    }
    try {
        squall::bench::run(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::cerr << "bench_zmq_proxy: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
