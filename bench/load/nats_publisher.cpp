// A NATS publisher on libnats. At full speed the client buffers as it does by default; at a fixed
// rate it is told to send at once, since it would otherwise delay each event.

#include <nats/nats.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "pacer.hpp"
#include "payload.hpp"
#include "publisher_main.hpp"

namespace squall::bench {
namespace {

constexpr std::int64_t kFlushMs = 60'000;

void check(natsStatus status) {
    if (status != NATS_OK) {
        throw std::runtime_error(natsStatus_GetText(status));
    }
}

void publish(const PublisherOptions& options) {
    natsOptions* raw_options = nullptr;
    check(natsOptions_Create(&raw_options));
    const std::unique_ptr<natsOptions, void (*)(natsOptions*)> nats_options(raw_options,
                                                                            natsOptions_Destroy);
    const std::string url = "nats://127.0.0.1:" + std::to_string(options.port);
    check(natsOptions_SetURL(nats_options.get(), url.c_str()));
    check(natsOptions_SetSendAsap(nats_options.get(), options.rate > 0));
    natsConnection* raw_connection = nullptr;
    check(natsConnection_Connect(&raw_connection, nats_options.get()));
    const std::unique_ptr<natsConnection, void (*)(natsConnection*)> connection(
        raw_connection, natsConnection_Destroy);

    Payload payload(options.bytes);
    Pacer pacer(options.rate);
    for (std::uint64_t i = 0; i < options.events; ++i) {
        pacer.wait_for(i);
        payload.stamp(i);
        check(natsConnection_Publish(connection.get(), options.topic.c_str(), payload.data(),
                                     static_cast<int>(payload.size())));
    }
    check(natsConnection_FlushTimeout(connection.get(), kFlushMs));
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    return squall::bench::publisher_main(argc, argv, squall::bench::publish);
}
