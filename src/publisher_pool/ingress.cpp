#include "publisher_pool/ingress.hpp"

#include <utility>

#include "publisher_pool/publisher_connection.hpp"
#include "publisher_pool/shard.hpp"

namespace squall::pool {

Ingress::Ingress(Shard& shard, const PoolOptions& options, event::Ledger& ledger)
    : shard_(shard),
      options_(options),
      ledger_(ledger),
      dispatcher_(objects_, ledger, shard, options.publisher_message_size_max) {}

Ingress::~Ingress() {
    drop();
}

void Ingress::adopt(boost::asio::ip::tcp::socket socket) {
    const auto connection = std::make_shared<PublisherConnection>(*this, std::move(socket));
    connections_.insert(connection);
    connection->start();
    if (close_deadline_) {
        connection->close(*close_deadline_);
    }
}

void Ingress::tick(std::chrono::steady_clock::time_point now) {
    for (const auto& connection : std::vector(connections_.begin(), connections_.end())) {
        connection->tick(now);
    }
}

void Ingress::close(std::chrono::steady_clock::time_point deadline) {
    close_deadline_ = deadline;
    for (const auto& connection : std::vector(connections_.begin(), connections_.end())) {
        connection->close(deadline);
    }
}

void Ingress::close_at_once() {
    for (const auto& connection : std::vector(connections_.begin(), connections_.end())) {
        connection->close_at_once();
    }
}

void Ingress::drop() {
    paused_.clear();
    for (const auto& connection : std::exchange(connections_, {})) {
        connection->drop();
    }
}

std::vector<std::uint8_t>& Ingress::scratch() {
    return shard_.read_buffer();
}

void Ingress::pause(std::shared_ptr<PublisherConnection> connection) {
    paused_.push_back(std::move(connection));
}

void Ingress::resume_all() {
    for (const auto& connection : std::exchange(paused_, {})) {
        connection->resume();
    }
}

void Ingress::ended(const std::shared_ptr<PublisherConnection>& connection) {
    if (connections_.erase(connection) != 0) {
        forsake();
    }
}

}  // namespace squall::pool
