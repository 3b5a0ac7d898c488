// MQTT 3.1.1 and ZMTP 3.0: binary frames behind a length.

#include <array>
#include <stdexcept>
#include <string>

#include "stream.hpp"
#include "wire/writer.hpp"

namespace squall::bench {
namespace {

void put_text(wire::Buffer& out, std::string_view text) {
    wire::put_bytes(out, wire::as_bytes(text));
}

std::size_t big_endian(wire::ByteView bytes) {
    std::size_t value = 0;
    for (const std::uint8_t byte : bytes) {
        value = value << 8 | byte;
    }
    return value;
}

void put_u16(wire::Buffer& out, std::size_t value) {
    wire::put_u8(out, static_cast<std::uint8_t>(value >> 8));
    wire::put_u8(out, static_cast<std::uint8_t>(value));
}

/// A frame's place in the bytes that begin with it; `size` 0 when it cannot be told yet.
struct Frame {
    std::size_t header = 0;
    std::size_t size = 0;
};

/// Threads: confined to its user.
class FramedStream : public Stream {
public:
    explicit FramedStream(const Subscription& subscription) : subscription_(subscription) {}

    Consumed consume(wire::ByteView bytes, wire::Buffer& out) override {
        Consumed result;
        while (result.used < bytes.size()) {
            const wire::ByteView rest = bytes.subspan(result.used);
            const Frame frame = locate(rest);
            if (frame.size == 0 || frame.size > rest.size()) {
                result.wanted = frame.size;
                break;
            }
            take(rest[0], rest.subspan(frame.header, frame.size - frame.header), out);
            result.used += frame.size;
        }
        return result;
    }

protected:
    [[nodiscard]] virtual Frame locate(wire::ByteView bytes) const = 0;
    virtual void take(std::uint8_t first, wire::ByteView body, wire::Buffer& out) = 0;

    Subscription subscription_;
};

/// Threads: confined to its user.
class MqttStream : public FramedStream {
public:
    using FramedStream::FramedStream;

    void start(wire::Buffer& out) override {
        const std::string client = "sink" + std::to_string(subscription_.subscriber);
        wire::put_u8(out, 0x10);  // CONNECT, clean session, no keep-alive
        wire::put_u8(out, static_cast<std::uint8_t>(12 + client.size()));
        put_u16(out, 4);
        put_text(out, "MQTT");
        put_u16(out, 0x0402);
        put_u16(out, 0);
        put_u16(out, client.size());
        put_text(out, client);
        wire::put_u8(out, 0x82);  // SUBSCRIBE, packet 1
        wire::put_u8(out, static_cast<std::uint8_t>(5 + subscription_.topic.size()));
        put_u16(out, 1);
        put_u16(out, subscription_.topic.size());
        put_text(out, subscription_.topic);
        wire::put_u8(out, static_cast<std::uint8_t>(subscription_.qos));
    }

private:
    [[nodiscard]] Frame locate(wire::ByteView bytes) const override {
        std::size_t length = 0;
        for (std::size_t i = 1; i < bytes.size() && i <= 4; ++i) {
            length |= static_cast<std::size_t>(bytes[i] & 0x7f) << (7 * (i - 1));
            if ((bytes[i] & 0x80) == 0) {
                return {i + 1, i + 1 + length};
            }
        }
        return {};
    }

    void take(std::uint8_t first, wire::ByteView body, wire::Buffer& out) override {
        switch (first >> 4) {
            case 2:  // CONNACK
                if (body.size() < 2 || body[1] != 0) {
                    throw std::runtime_error("the MQTT broker refuses the connection");
                }
                break;
            case 3:
                publish((first >> 1) & 3, body, out);
                break;
            case 9:  // SUBACK
                ready_ = true;
                break;
            default:
                throw std::runtime_error("unexpected MQTT packet " + std::to_string(first));
        }
    }

    void publish(int qos, wire::ByteView body, wire::Buffer& out) {
        std::size_t at = 2 + big_endian(body.first(2));
        if (qos > 0) {
            wire::put_u8(out, 0x40);  // PUBACK
            wire::put_u8(out, 2);
            wire::put_bytes(out, body.subspan(at, 2));
            at += 2;
        }
        subscription_.deliveries.add(subscription_.subscriber, body.subspan(at));
    }
};

/// Threads: confined to its user.
class ZmtpStream : public FramedStream {
public:
    using FramedStream::FramedStream;

    void start(wire::Buffer& out) override {
        std::array<std::uint8_t, kGreetingSize> greeting{0xff, 0,    0, 0, 0,   0,   0,   0,
                                                         0,    0x7f, 3, 0, 'N', 'U', 'L', 'L'};
        wire::put_bytes(out, greeting);
        put_text(out, std::string_view("\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB", 27));
    }

private:
    static constexpr std::size_t kGreetingSize = 64;
    static constexpr std::uint8_t kLong = 2;
    static constexpr std::uint8_t kCommand = 4;

    [[nodiscard]] Frame locate(wire::ByteView bytes) const override {
        if (!greeted_) {
            return {0, kGreetingSize};
        }
        const std::size_t header = (bytes[0] & kLong) != 0 ? 9 : 2;
        if (bytes.size() < header) {
            return {};
        }
        return {header, header + big_endian(bytes.subspan(1, header - 1))};
    }

    void take(std::uint8_t first, wire::ByteView body, wire::Buffer& out) override {
        if (!greeted_) {
            greeted_ = true;
            return;
        }
        if ((first & kCommand) != 0) {
            // Only now: libzmq takes nothing but commands until both sides are ready.
            subscribe(out);
            return;
        }
        ready_ = true;
        const wire::ByteView payload = body.subspan(subscription_.topic.size());
        if (payload.size() >= kStampBytes) {
            subscription_.deliveries.add(subscription_.subscriber, payload);
        }
    }

    void subscribe(wire::Buffer& out) {
        if (subscribed_) {
            return;
        }
        subscribed_ = true;
        wire::put_u8(out, 0);
        wire::put_u8(out, static_cast<std::uint8_t>(1 + subscription_.topic.size()));
        wire::put_u8(out, 1);
        put_text(out, subscription_.topic);
    }

    bool greeted_ = false;
    bool subscribed_ = false;
};

}  // namespace

std::unique_ptr<Stream> make_mqtt_stream(const Subscription& subscription) {
    return std::make_unique<MqttStream>(subscription);
}

std::unique_ptr<Stream> make_zmtp_stream(const Subscription& subscription) {
    return std::make_unique<ZmtpStream>(subscription);
}

}  // namespace squall::bench
