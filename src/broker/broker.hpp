#pragma once

#include <Ice/Properties.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "broker/mutex.hpp"
#include "broker/options.hpp"

namespace squall::broker {

class Runtime;

/// A broker, from start to stop, once. Several may run in one process, one after another or at the
/// same time.
/// Threads: run() on one; stop() and topic_manager_proxy() from any. `mutex_` guards the proxy.
class Broker {
public:
    /// Both as load_options() makes them. The properties configure the Ice run time and the
    /// adapters `<service>.TopicManager` and `<service>.Publish`; they are copied.
    ///
    /// `abandon` is called, on a thread of its own, when all is delivered or given up and the rest
    /// of the stop takes too long all the same: a peer that takes no bytes, or a name that does not
    /// resolve, can hold up the run time's end. It should end the process. Without one the stop
    /// waits.
    Broker(const Options& options, Ice::PropertiesPtr properties,
           std::function<void()> abandon = nullptr);
    ~Broker();
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    /// Serves until SIGINT, SIGTERM or stop(), then delivers what was accepted; a second signal or
    /// stop() ends that at once. Signals are caught before `on_ready` is called, which happens
    /// when clients are served. Returns 0. Throws StartError, and what on_ready throws.
    int run(const std::function<void()>& on_ready);

    /// The same as a signal.
    void stop();

    /// The topic manager's proxy with its bound endpoints, as a string; empty before on_ready and
    /// after the stop.
    std::string topic_manager_proxy() const;

private:
    void wait_for_signal();
    void request_stop();
    void abandon_after(std::chrono::seconds delay) const;
    void set_proxy(std::string proxy);

    const Options options_;
    const Ice::PropertiesPtr properties_;
    const std::function<void()> abandon_;

    // Confined to the thread of run().
    boost::asio::io_context context_{1};
    boost::asio::signal_set signals_{context_};
    Runtime* runtime_{nullptr};
    std::thread stopper_;

    mutable Mutex mutex_;
    std::string topic_manager_proxy_ SQUALL_GUARDED_BY(mutex_);
};

}  // namespace squall::broker
