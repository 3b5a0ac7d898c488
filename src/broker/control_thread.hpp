#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <thread>
#include <utility>

namespace squall::broker {

/// One thread that runs what is posted to it, in order.
/// Threads: post() from any; start() and stop() from the owner's.
class ControlThread {
public:
    ControlThread() : work_(boost::asio::make_work_guard(context_)) {}
    ~ControlThread() { stop(); }
    ControlThread(const ControlThread&) = delete;
    ControlThread& operator=(const ControlThread&) = delete;

    void start() {
        thread_ = std::thread([this] { context_.run(); });
    }

    /// The task must not throw. After stop() it is thrown away.
    template <class Task>
    void post(Task&& task) {
        boost::asio::post(context_, std::forward<Task>(task));
    }

    /// Runs what was posted before, then ends the thread. Idempotent.
    void stop() {
        work_.reset();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

private:
    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::thread thread_;
};

}  // namespace squall::broker
