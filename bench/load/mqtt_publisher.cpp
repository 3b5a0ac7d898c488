// An MQTT publisher on libmosquitto, QoS by --mode. Each event is written by itself; at most
// --group are under way, which with QoS 1 means unacknowledged.

#include <mosquitto.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "pacer.hpp"
#include "payload.hpp"
#include "publisher_main.hpp"

namespace squall::bench {
namespace {

constexpr int kKeepAliveSeconds = 60;
constexpr int kWaitMs = 100;

void check(int status) {
    if (status != MOSQ_ERR_SUCCESS) {
        throw std::runtime_error(mosquitto_strerror(status));
    }
}

/// What the client's callbacks see, in the only thread.
struct State {
    bool connected = false;
    std::uint64_t finished = 0;
};

void publish(const PublisherOptions& options) {
    mosquitto_lib_init();
    State state;
    const std::unique_ptr<mosquitto, void (*)(mosquitto*)> client(
        mosquitto_new(nullptr, true, &state), mosquitto_destroy);
    check(mosquitto_int_option(client.get(), MOSQ_OPT_TCP_NODELAY, 1));
    check(mosquitto_max_inflight_messages_set(client.get(),
                                              static_cast<unsigned int>(options.group)));
    mosquitto_connect_callback_set(client.get(), [](mosquitto*, void* seen, int status) {
        static_cast<State*>(seen)->connected = status == 0;
    });
    mosquitto_publish_callback_set(
        client.get(), [](mosquitto*, void* seen, int) { ++static_cast<State*>(seen)->finished; });
    check(mosquitto_connect(client.get(), "127.0.0.1", options.port, kKeepAliveSeconds));
    while (!state.connected) {
        check(mosquitto_loop(client.get(), kWaitMs, 1));
    }

    const int qos = options.mode == "1" ? 1 : 0;
    Payload payload(options.bytes);
    Pacer pacer(options.rate);
    for (std::uint64_t i = 0; i < options.events; ++i) {
        pacer.wait_for(i);
        payload.stamp(i);
        check(mosquitto_publish(client.get(), nullptr, options.topic.c_str(),
                                static_cast<int>(payload.size()), payload.data(), qos, false));
        while (i + 1 - state.finished >= options.group) {
            check(mosquitto_loop(client.get(), kWaitMs, 1));
        }
    }
    while (state.finished < options.events) {
        check(mosquitto_loop(client.get(), kWaitMs, 1));
    }
    check(mosquitto_disconnect(client.get()));
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    return squall::bench::publisher_main(argc, argv, squall::bench::publish);
}
