#include "broker/broker.hpp"

#include <spdlog/logger.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <utility>

#include "broker/log_text.hpp"
#include "broker/runtime.hpp"

namespace squall::broker {

namespace asio = boost::asio;

namespace {

/// How long the run time may take to end once all is delivered or given up.
constexpr std::chrono::seconds kEndMax{3};
/// What a stop may take beyond Shutdown.Timeout before that: publishers' and links' goodbyes.
constexpr std::chrono::seconds kGoodbyesMax{4};

}  // namespace

Broker::Broker(const Options& options, Ice::PropertiesPtr properties, std::function<void()> abandon)
    : options_(options), properties_(std::move(properties)), abandon_(std::move(abandon)) {}

Broker::~Broker() = default;

int Broker::run(const std::function<void()>& on_ready) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    Runtime runtime(options_, properties_);
    runtime_ = &runtime;
    runtime.activate();
    set_proxy(runtime.topic_manager_proxy());
    on_ready();
    wait_for_signal();
    context_.run();
    stopper_.join();
    runtime_ = nullptr;
    return 0;
}

void Broker::stop() {
    asio::post(context_, [this] { request_stop(); });
}

std::string Broker::topic_manager_proxy() const {
    const MutexLock lock(mutex_);
    return topic_manager_proxy_;
}

void Broker::wait_for_signal() {
    signals_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
        if (!error) {
            request_stop();
            wait_for_signal();
        }
    });
}

void Broker::request_stop() {
    if (stopper_.joinable()) {
        runtime_->hurry();
        return;
    }
    set_proxy({});
    // On a thread of its own, so that this one hears a second signal.
    stopper_ = std::thread([this] {
        try {
            abandon_after(options_.shutdown_timeout + kGoodbyesMax + kEndMax);
            runtime_->deliver_rest();
            abandon_after(kEndMax);
            runtime_->end();
        } catch (const std::exception& error) {
            find_logger("broker")->error("stop failed reason={}", quoted(error.what()));
        }
        asio::post(context_, [this] { signals_.cancel(); });
    });
}

void Broker::abandon_after(std::chrono::seconds delay) const {
    if (abandon_) {
        // Detached: where the stop ends in time, so does the process, and this with it.
        std::thread([abandon = abandon_, delay] {
            std::this_thread::sleep_for(delay);
            abandon();
        }).detach();
    }
}

void Broker::set_proxy(std::string proxy) {
    const MutexLock lock(mutex_);
    topic_manager_proxy_ = std::move(proxy);
}

}  // namespace squall::broker
