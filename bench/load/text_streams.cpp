// NATS and Redis: text lines, then payloads of an announced size.

#include <charconv>
#include <stdexcept>
#include <string>

#include "stream.hpp"
#include "wire/writer.hpp"

namespace squall::bench {
namespace {

constexpr std::string_view kEnd = "\r\n";

/// Reads lines and sized payloads; what is not there whole sets `short_of`.
/// Threads: a value; confined to its user.
class TextReader {
public:
    explicit TextReader(wire::ByteView bytes) : bytes_(bytes) {}

    /// The next line without its end; false when it is not whole.
    bool line(std::string_view& out) {
        const std::string_view rest = wire::as_text(bytes_.subspan(position_));
        const std::size_t end = rest.find(kEnd);
        if (end == std::string_view::npos) {
            return false;
        }
        out = rest.substr(0, end);
        position_ += end + kEnd.size();
        return true;
    }

    /// `size` bytes and a line end; false when they are not there, and then wanted() says how many
    /// bytes the message has, from where this reader began.
    bool sized(std::size_t size, wire::ByteView& out) {
        const std::size_t end = position_ + size + kEnd.size();
        if (bytes_.size() < end) {
            wanted_ = end;
            return false;
        }
        out = bytes_.subspan(position_, size);
        position_ = end;
        return true;
    }

    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }

private:
    wire::ByteView bytes_;
    std::size_t position_ = 0;
    std::size_t wanted_ = 0;
};

std::size_t number(std::string_view text) {
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) {
        throw std::runtime_error("expected a number, got '" + std::string(text) + "'");
    }
    return value;
}

void put_text(wire::Buffer& out, std::string_view text) {
    wire::put_bytes(out, wire::as_bytes(text));
}

/// A protocol whose messages one function reads from the front.
/// Threads: confined to its user.
class TextStream : public Stream {
public:
    explicit TextStream(const Subscription& subscription) : subscription_(subscription) {}

    Consumed consume(wire::ByteView bytes, wire::Buffer& out) override {
        Consumed result;
        while (true) {
            TextReader reader(bytes.subspan(result.used));
            if (!message(reader, out)) {
                result.wanted = reader.wanted();
                return result;
            }
            result.used += reader.position();
        }
    }

protected:
    /// False when the message is not there whole.
    virtual bool message(TextReader& reader, wire::Buffer& out) = 0;

    Subscription subscription_;
};

/// Threads: confined to its user.
class NatsStream : public TextStream {
public:
    using TextStream::TextStream;

    void start(wire::Buffer& out) override {
        put_text(out, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB " +
                          subscription_.topic + " 1\r\nPING\r\n");
    }

private:
    bool message(TextReader& reader, wire::Buffer& out) override {
        std::string_view line;
        if (!reader.line(line)) {
            return false;
        }
        if (line.starts_with("MSG ")) {
            wire::ByteView payload;
            if (!reader.sized(number(line.substr(line.rfind(' ') + 1)), payload)) {
                return false;
            }
            subscription_.deliveries.add(subscription_.subscriber, payload);
        } else if (line == "PONG") {
            ready_ = true;
        } else if (line == "PING") {
            put_text(out, "PONG\r\n");
        } else if (!line.starts_with("INFO ")) {
            throw std::runtime_error("NATS says: " + std::string(line));
        }
        return true;
    }
};

/// Threads: confined to its user.
class RedisStream : public TextStream {
public:
    using TextStream::TextStream;

    void start(wire::Buffer& out) override {
        put_text(out, "*2\r\n$9\r\nSUBSCRIBE\r\n$" + std::to_string(subscription_.topic.size()) +
                          "\r\n" + subscription_.topic + "\r\n");
    }

private:
    /// Always three elements: kind, topic, and a payload or a number of subscriptions.
    bool message(TextReader& reader, wire::Buffer&) override {
        std::string_view line;
        if (!reader.line(line)) {
            return false;
        }
        if (line != "*3") {
            throw std::runtime_error("Redis says: " + std::string(line));
        }
        wire::ByteView kind;
        wire::ByteView topic;
        if (!bulk(reader, kind) || !bulk(reader, topic)) {
            return false;
        }
        if (wire::as_text(kind) == "subscribe") {
            ready_ = reader.line(line);
            return ready_;
        }
        wire::ByteView payload;
        if (!bulk(reader, payload)) {
            return false;
        }
        subscription_.deliveries.add(subscription_.subscriber, payload);
        return true;
    }

    static bool bulk(TextReader& reader, wire::ByteView& out) {
        std::string_view line;
        return reader.line(line) && reader.sized(number(line.substr(1)), out);
    }
};

}  // namespace

std::unique_ptr<Stream> make_nats_stream(const Subscription& subscription) {
    return std::make_unique<NatsStream>(subscription);
}

std::unique_ptr<Stream> make_redis_stream(const Subscription& subscription) {
    return std::make_unique<RedisStream>(subscription);
}

}  // namespace squall::bench
