#pragma once

#include <Ice/Initialize.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event_store/ledger.hpp"
#include "publisher_pool/pool_options.hpp"
#include "publisher_pool/route.hpp"
#include "publisher_pool/shard.hpp"
#include "wire/bytes.hpp"

namespace squall::bench {

/// How the publisher sends.
enum class Traffic : std::uint8_t { kSingle, kBatch };

/// One shard with a publisher and oneway subscribers, each on a tcp connection of its own, all run
/// by the calling thread: what happens between a publisher's bytes and the subscribers', the same
/// way every time, so that instructions and allocations can be counted.
/// Threads: confined to its user.
class HotPath {
public:
    /// Events published with one write; those of a kBatch in one message.
    static constexpr std::size_t kBurst = 100;

    /// Connects everybody; each event has `payload` bytes of parameters.
    HotPath(Traffic traffic, std::size_t subscribers, std::size_t payload);
    ~HotPath();
    HotPath(const HotPath&) = delete;
    HotPath& operator=(const HotPath&) = delete;

    /// Publishes kBurst events and runs the shard until every subscriber has them.
    void pass_burst();

    const event::Ledger& ledger() const { return ledger_; }

private:
    using tcp = boost::asio::ip::tcp;

    void connect_publisher();
    void subscribe(std::size_t index);
    void run_shard() { shards_.front()->io().poll(); }
    void receive_all(tcp::socket& subscriber);

    boost::asio::io_context peers_;
    Ice::CommunicatorHolder communicator_;
    event::Ledger ledger_;
    pool::PoolOptions options_;
    pool::Route::Shards shards_;
    std::shared_ptr<pool::Route> route_;
    tcp::socket publisher_;
    std::vector<tcp::socket> subscribers_;
    wire::Buffer burst_;           ///< what the publisher writes
    std::size_t delivered_bytes_;  ///< what each subscriber gets of it
    std::vector<std::uint8_t> received_;
};

}  // namespace squall::bench
