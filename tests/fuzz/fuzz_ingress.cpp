// A publisher's byte stream, from its pieces to events and replies. Input: a seed, then the
// stream. However the stream is cut, it means the same.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "publisher_pool/dispatcher.hpp"
#include "publisher_pool/frame_reader.hpp"
#include "require.hpp"
#include "wire/compression.hpp"
#include "wire/reply.hpp"
#include "wire/tail.hpp"

namespace squall::pool::fuzz {
namespace {

using wire::fuzz::require;

constexpr std::uint32_t kMaxSize = 1 << 16;

/// Never destroyed: a list of shards whose type is not known here.
const Route::Shards& no_shards() {
    static const auto* const shards = new Route::Shards();
    return *shards;
}

std::shared_ptr<Route> open_route() {
    auto route = std::make_shared<Route>(1, no_shards());
    route->listen(0);
    return route;
}

class Events final : public EventSink {
public:
    void publish(const Route&, event::EventPtr event) override {
        wire::TailView view;
        require(wire::parse_tail(event->tail(), view) == wire::WireError::kNone);
        require(view.mode == event->mode() && wire::is_sorted_context(view.context));
        tails.emplace_back(event->tail().begin(), event->tail().end());
    }

    std::vector<wire::Buffer> tails;
};

struct Outcome {
    std::vector<wire::Buffer> tails;
    wire::Buffer replies;
    wire::WireError error;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// A reader and a dispatcher that know the objects of the corpus.
class Ingress {
public:
    Ingress() {
        objects_.insert(served_object("n", "", ServedObject::Kind::kPublisher, open_route()));
        objects_.insert(served_object("l", "", ServedObject::Kind::kLink, open_route()));
    }
    ~Ingress() {
        reader_.reset();
        require(ledger_.events() == 0 && ledger_.bytes() == 0);
    }

    wire::WireError consume(wire::ByteView bytes) {
        return reader_->consume(bytes, [this](const auto& frame) { return visit(frame); });
    }

    /// As a socket would: to the place of what is missing, or to a buffer.
    wire::WireError read(wire::ByteView bytes) {
        wire::WireError error = wire::WireError::kNone;
        while (error == wire::WireError::kNone && !bytes.empty()) {
            const auto missing = reader_->missing();
            if (missing.empty()) {
                return consume(bytes);
            }
            const wire::ByteView part = bytes.first(std::min(missing.size(), bytes.size()));
            std::copy(part.begin(), part.end(), missing.begin());
            bytes = bytes.subspan(part.size());
            error =
                reader_->filled(part.size(), [this](const auto& frame) { return visit(frame); });
        }
        return error;
    }

    Outcome outcome(wire::WireError error) { return {sink_.tails, replies_, error}; }

private:
    wire::WireError visit(const FrameReader::Frame& frame) {
        require(frame.message.size() == frame.header.size);
        require(frame.header.size <= kMaxSize);
        return dispatcher_.dispatch(frame, "peer", replies_);
    }

    event::Ledger ledger_;
    Events sink_;
    ServedObjects objects_;
    Dispatcher dispatcher_{objects_, ledger_, sink_, kMaxSize};
    std::unique_ptr<FrameReader> reader_{std::make_unique<FrameReader>(ledger_, kMaxSize)};
    wire::Buffer replies_;
};

/// Every reply is a whole message that a client can read.
void require_readable(wire::ByteView replies) {
    while (!replies.empty()) {
        wire::Header header;
        require(wire::parse_header(replies, 0, header) == wire::WireError::kNone);
        require(header.type == wire::MessageType::kReply && header.size <= replies.size());
        const wire::ByteView message = replies.first(header.size);
        wire::Buffer plain(message.begin(), message.end());
        if (header.compression == wire::Compression::kCompressed) {
            require(wire::decompress_message(message, 0, plain) == wire::WireError::kNone);
        }
        wire::ReplyView view;
        require(wire::parse_reply(wire::ByteView(plain).subspan(wire::kHeaderSize), view) ==
                wire::WireError::kNone);
        require(view.id != 0);
        replies = replies.subspan(header.size);
    }
}

Outcome run_whole(wire::ByteView stream) {
    Ingress ingress;
    return ingress.outcome(ingress.consume(stream));
}

Outcome run_in_pieces(wire::ByteView stream, std::uint8_t seed) {
    std::minstd_rand random(seed + 1U);
    Ingress ingress;
    wire::WireError error = wire::WireError::kNone;
    while (error == wire::WireError::kNone && !stream.empty()) {
        const std::size_t size = std::min<std::size_t>(random() % 40 + 1, stream.size());
        const wire::Buffer piece(stream.begin(), stream.begin() + static_cast<long>(size));
        error = ingress.read(piece);
        stream = stream.subspan(size);
    }
    return ingress.outcome(error);
}

void run(wire::ByteView input) {
    if (input.empty()) {
        return;
    }
    const wire::ByteView stream = input.subspan(1);
    const Outcome whole = run_whole(stream);
    require_readable(whole.replies);
    require(run_in_pieces(stream, input.front()) == whole);
}

}  // namespace
}  // namespace squall::pool::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    spdlog::set_level(spdlog::level::off);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    squall::pool::fuzz::run({data, size});
    return 0;
}
