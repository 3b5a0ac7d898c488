#pragma once

#include <zmq.h>

#include <memory>
#include <stdexcept>
#include <string>

// libzmq's handles with owners. High-water marks are lifted: with low ones it drops events.
//
// Threads: confined to their users.

namespace squall::bench {

using ZmqContext = std::unique_ptr<void, int (*)(void*)>;
using ZmqSocket = std::unique_ptr<void, int (*)(void*)>;

inline void check_zmq(int result) {
    if (result < 0) {
        throw std::runtime_error(zmq_strerror(zmq_errno()));
    }
}

inline ZmqContext make_zmq_context() {
    return {zmq_ctx_new(), zmq_ctx_term};
}

inline ZmqSocket make_zmq_socket(const ZmqContext& context, int type) {
    ZmqSocket socket(zmq_socket(context.get(), type), zmq_close);
    const int unlimited = 0;
    check_zmq(zmq_setsockopt(socket.get(), ZMQ_SNDHWM, &unlimited, sizeof unlimited));
    check_zmq(zmq_setsockopt(socket.get(), ZMQ_RCVHWM, &unlimited, sizeof unlimited));
    return socket;
}

inline std::string zmq_loopback(const std::string& port) {
    return "tcp://127.0.0.1:" + port;
}

}  // namespace squall::bench
