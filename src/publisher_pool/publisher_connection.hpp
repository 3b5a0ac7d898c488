#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "publisher_pool/message_reader.hpp"
#include "wire/bytes.hpp"
#include "wire/error.hpp"

namespace squall::pool {

class Ingress;

/// A publisher's connection: reads what has arrived, has it executed, and answers
/// (behaviour reference 12.4 to 12.8).
/// Threads: confined to the owning shard's.
class PublisherConnection : public std::enable_shared_from_this<PublisherConnection> {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// The ingress must outlive the connection or drop() it.
    PublisherConnection(Ingress& ingress, boost::asio::ip::tcp::socket socket);

    /// Sends the validation message and begins to read.
    void start();
    /// Goes on after Ingress::pause().
    void resume();

    /// Heartbeat, and timeouts of peers that take no replies or do not close.
    void tick(TimePoint now);

    /// Executes what has arrived, as far as `deadline` allows, says goodbye, then waits for the
    /// peer to close.
    void close(TimePoint deadline);
    /// Says goodbye now; what has arrived and is not executed yet is thrown away.
    void close_at_once();
    /// Closes at once, silently, without a report to the ingress.
    void drop();

private:
    void await_data();
    void arrived(const boost::system::error_code& error, std::size_t bytes);
    /// Reads what there is, as far as the shard's buffer holds it; false when there is nothing.
    bool read_more();
    void take_in(std::size_t bytes);
    /// Lets `read` hand messages to visit(), and ends the connection if they are broken.
    template <typename Read>
    void read_messages(Read read);
    wire::WireError visit(const FrameReader::Frame& frame);
    wire::WireError execute(const FrameReader::Frame& frame);
    /// Works off the backlog when others have had their turn.
    void await_turn();
    /// Executes what was put off, as much as one turn allows.
    void work_off_backlog();
    void read_rest();
    void say_goodbye();
    /// Answers, and reads on; neither while other shards have not got what this one has for them.
    void go_on();
    /// Runs `work` as a burst of the shard, then goes on.
    template <typename Work>
    void take_turn(Work work);
    void write_replies();
    void await_writable();
    std::size_t unwritten() const { return replies_.size() - written_; }

    void broken(wire::WireError error);
    void lost(const boost::system::error_code& error);
    /// Ends the connection with a line in the log.
    void fail(std::string_view reason);
    /// Ends the connection, once the replies that are due have been written as far as they can.
    void end(std::string_view what);
    void finish_when_answered();
    void finish();
    bool over() const { return ingress_ == nullptr || ended_; }
    void trace(std::string_view what) const;

    Ingress* ingress_;  ///< null once the connection has ended
    boost::asio::ip::tcp::socket socket_;
    const std::string peer_;
    MessageReader reader_;
    /// Messages behind one that used up its turn, whole, in order.
    wire::Buffer backlog_;
    /// What this turn has decompressed so far, in bytes.
    std::size_t decompressed_{0};
    wire::Buffer replies_;
    std::size_t written_{0};  ///< of replies_, from the front
    /// What a compressed message that was refused would have been; 0 if none was.
    std::uint32_t refused_size_{0};
    TimePoint last_write_;  ///< or when replies_ was last empty
    TimePoint close_deadline_{};
    TimePoint close_started_{};
    bool heard_{false};  ///< something has arrived
    bool reading_{false};
    bool writing_{false};
    bool paused_{false};
    bool turn_due_{false};
    bool ended_{false};  ///< nothing more is executed; replies may be due
    bool close_due_{false};
    bool closing_{false};  ///< goodbye is said: what still comes is not executed
};

}  // namespace squall::pool
