#include "publisher_pool/name_lookup.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace squall::pool {
namespace {

/// Lookups under way in this process: getaddrinfo() cannot be interrupted, only outlived.
std::atomic<int> running{0};

}  // namespace

/// Between the lookup's thread and the one that waits for it.
struct NameLookup::Shared {
    std::mutex mutex;
    boost::asio::io_context* io{nullptr};  ///< guarded by mutex; null once cancelled
    Handler handler;                       ///< the io_context's thread only

    /// Has the handler called on the io_context, if it is still wanted.
    static void report(const std::shared_ptr<Shared>& shared,
                       const boost::system::error_code& error, Addresses addresses) {
        const std::lock_guard lock(shared->mutex);
        if (shared->io == nullptr) {
            return;
        }
        boost::asio::post(*shared->io, [shared, error, addresses = std::move(addresses)] {
            if (const Handler handler = std::exchange(shared->handler, nullptr)) {
                handler(error, addresses);
            }
        });
    }
};

void NameLookup::start(boost::asio::io_context& io, const std::string& host, std::uint16_t port,
                       Handler handler) {
    cancel();
    shared_ = std::make_shared<Shared>();
    shared_->io = &io;
    shared_->handler = std::move(handler);
    if (running.fetch_add(1) >= kRunningMax) {
        running.fetch_sub(1);
        Shared::report(shared_, boost::asio::error::no_buffer_space, {});
        return;
    }
    try {
        std::thread([shared = shared_, host, port] {
            look_up(shared, host, port);
            running.fetch_sub(1);
        }).detach();
    } catch (const std::system_error&) {
        running.fetch_sub(1);
        Shared::report(shared_, boost::asio::error::no_memory, {});
    }
}

void NameLookup::look_up(const std::shared_ptr<Shared>& shared, const std::string& host,
                         std::uint16_t port) {
    boost::asio::io_context own;
    boost::asio::ip::tcp::resolver resolver(own);
    boost::system::error_code error;
    Addresses addresses;
    for (const auto& result : resolver.resolve(host, std::to_string(port), error)) {
        addresses.push_back(result.endpoint());
    }
    std::stable_partition(addresses.begin(), addresses.end(),
                          [](const auto& address) { return address.address().is_v4(); });
    Shared::report(shared, error, std::move(addresses));
}

void NameLookup::cancel() {
    if (shared_) {
        const std::lock_guard lock(shared_->mutex);
        shared_->io = nullptr;
        shared_->handler = nullptr;
        // A report that was posted before finds no handler.
    }
    shared_.reset();
}

}  // namespace squall::pool
