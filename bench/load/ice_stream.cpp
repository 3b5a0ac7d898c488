#include <charconv>
#include <stdexcept>

#include "stream.hpp"
#include "wire/encapsulation.hpp"
#include "wire/header.hpp"
#include "wire/reply.hpp"
#include "wire/request.hpp"
#include "wire/writer.hpp"

namespace squall::bench {
namespace {

void check(wire::WireError error) {
    if (error != wire::WireError::kNone) {
        throw std::runtime_error("broken Ice message: " + std::string(wire::to_string(error)));
    }
}

/// Threads: confined to its user.
class IceStream : public Stream {
public:
    explicit IceStream(Deliveries& deliveries) : deliveries_(deliveries) { ready_ = true; }

    void start(wire::Buffer& out) override { wire::put_bytes(out, wire::kValidateMessage); }

    Consumed consume(wire::ByteView bytes, wire::Buffer& out) override {
        Consumed result;
        while (bytes.size() - result.used >= wire::kHeaderSize) {
            const wire::ByteView rest = bytes.subspan(result.used);
            wire::Header header;
            check(wire::parse_header(rest.first(wire::kHeaderSize), 0, header));
            if (header.compression == wire::Compression::kCompressed) {
                throw std::runtime_error("a compressed message, which a sink does not read");
            }
            if (header.size > rest.size()) {
                result.wanted = header.size;
                break;
            }
            take(header.type, rest.subspan(wire::kHeaderSize, header.size - wire::kHeaderSize),
                 out);
            result.used += header.size;
        }
        return result;
    }

private:
    void take(wire::MessageType type, wire::ByteView body, wire::Buffer& out) {
        wire::RequestView request;
        if (type == wire::MessageType::kRequest) {
            std::int32_t id = 0;
            check(wire::parse_request(body, id, request));
            add(request);
            if (id != 0) {
                wire::append_reply(out, id, wire::encoding_of(request.encapsulation));
            }
        } else if (type == wire::MessageType::kBatchRequest) {
            wire::BatchReader batch(body);
            while (batch.next(request)) {
                add(request);
            }
            check(batch.error());
        } else if (type == wire::MessageType::kReply) {
            throw std::runtime_error("a reply to nothing");
        }
    }

    void add(const wire::RequestView& request) {
        std::size_t subscriber = 0;
        const char* end = request.name.data() + request.name.size();
        if (std::from_chars(request.name.data(), end, subscriber).ptr != end) {
            throw std::runtime_error("an identity that is no number");
        }
        deliveries_.add(subscriber, request.encapsulation.subspan(wire::kEncapsulationHeaderSize));
    }

    Deliveries& deliveries_;
};

}  // namespace

std::unique_ptr<Stream> make_ice_stream(Deliveries& deliveries) {
    return std::make_unique<IceStream>(deliveries);
}

}  // namespace squall::bench
