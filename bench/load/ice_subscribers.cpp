// Stock Ice subscribers with an adapter, a connection and a thread each, that check what they get.
// Speaks as bench_sink does: {"ports": [...]}, then a report. Ends when its standard input does.

#include <Ice/Ice.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "delivery_check.hpp"
#include "payload.hpp"

namespace squall::bench {
namespace {

constexpr std::size_t kEncapsulationHeader = 6;

/// Threads: dispatched by the one thread of its adapter; read once `complete` is down, or when the
/// communicator has been destroyed.
class IceSubscriber : public Ice::BlobjectArray {
public:
    IceSubscriber(std::uint64_t events, std::latch& complete)
        : check_(events), complete_(complete) {}

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> params, std::vector<Ice::Byte>&,
                    const Ice::Current&) override {
        const auto size = static_cast<std::size_t>(params.second - params.first);
        if (size < kEncapsulationHeader + kStampBytes) {
            return true;
        }
        Stamp stamp;
        std::memcpy(&stamp, params.first + kEncapsulationHeader, sizeof stamp);
        times_.add(stamp.sequence, stamp.sent_ns, now_ns());
        if (check_.arrived(stamp.sequence)) {
            complete_.count_down();
        }
        return true;
    }

    [[nodiscard]] const SubscriberCheck& check() const noexcept { return check_; }
    [[nodiscard]] const DeliveryTimes& times() const noexcept { return times_; }

private:
    SubscriberCheck check_;
    DeliveryTimes times_;
    std::latch& complete_;
};

using Subscribers = std::vector<std::shared_ptr<IceSubscriber>>;

/// Prints the port of each.
void listen(const Ice::CommunicatorPtr& ice, const Subscribers& subscribers) {
    std::string ports;
    for (std::size_t i = 0; i < subscribers.size(); ++i) {
        const std::string number = std::to_string(i);
        const std::string name = "subscriber" + number;
        ice->getProperties()->setProperty(name + ".ThreadPool.Size", "1");
        const auto adapter = ice->createObjectAdapterWithEndpoints(name, "tcp -h 127.0.0.1");
        adapter->addDefaultServant(subscribers[i], "");
        adapter->activate();
        const auto info = std::dynamic_pointer_cast<Ice::TCPEndpointInfo>(
            adapter->getEndpoints().front()->getInfo());
        ports += (i == 0 ? "" : ", ") + std::to_string(info->port);
    }
    std::printf("{\"ports\": [%s]}\n", ports.c_str());
    std::fflush(stdout);
}

bool report(const Subscribers& subscribers, std::uint64_t events) {
    std::vector<SubscriberCheck> checks;
    DeliveryTimes times;
    for (const auto& subscriber : subscribers) {
        checks.push_back(subscriber->check());
        times.merge(subscriber->times());
    }
    return print_report(checks, events, times, 0);
}

bool run(std::size_t count, std::uint64_t events, std::chrono::seconds limit) {
    std::latch complete(static_cast<std::ptrdiff_t>(count));
    Subscribers subscribers;
    for (std::size_t i = 0; i < count; ++i) {
        subscribers.push_back(std::make_shared<IceSubscriber>(events, complete));
    }
    Ice::InitializationData data;
    data.properties = Ice::createProperties();
    const Ice::CommunicatorHolder ice(data);
    listen(ice.communicator(), subscribers);
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!complete.try_wait() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const bool in_time = complete.try_wait();
    if (!in_time) {
        // No more dispatches, so that the figures can be read.
        ice->destroy();
    }
    const bool good = report(subscribers, events) && in_time;
    char ignored = 0;
    while (read(STDIN_FILENO, &ignored, 1) > 0) {
    }
    return good;
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    std::size_t subscribers = 4;
    std::uint64_t events = 1;
    int limit_s = 60;
    CLI::App app("Stock Ice subscribers that check what they get");
    app.add_option("--subscribers", subscribers);
    app.add_option("--events", events, "that each subscriber must get");
    app.add_option("--limit", limit_s, "seconds that the whole may take");
    CLI11_PARSE(app, argc, argv);
    try {
        return squall::bench::run(subscribers, events, std::chrono::seconds(limit_s)) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "bench_ice_subscribers: " << error.what() << '\n';
        return 2;
    }
}
