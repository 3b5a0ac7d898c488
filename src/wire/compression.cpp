#include "wire/compression.hpp"

#include <bzlib.h>

#include <algorithm>
#include <new>

#include "wire/header.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace squall::wire {

namespace {

/// Header and int32 uncompressed size.
constexpr std::size_t kCompressedOffset = kHeaderSize + 4;

/// Ice uses the smallest block; any block size can be read.
constexpr int kBlockSize100k = 1;

/// libbz2 takes its input through a pointer to non-const but only reads it.
char* input_of(ByteView bytes) noexcept {
    return const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
}

void store_message_header(Buffer& message, std::uint8_t type, Compression compression) noexcept {
    store_header(message.data(), static_cast<MessageType>(type), compression,
                 static_cast<std::uint32_t>(message.size()));
}

std::uint8_t type_byte_of(ByteView message) noexcept {
    return message[8];
}

std::uint8_t compression_byte_of(ByteView message) noexcept {
    return message[9];
}

/// Threads: a value; confined to its user.
class Decompressor {
public:
    explicit Decompressor(ByteView input) {
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
            throw std::bad_alloc();
        }
        stream_.next_in = input_of(input);
        stream_.avail_in = static_cast<unsigned int>(input.size());
    }
    ~Decompressor() { BZ2_bzDecompressEnd(&stream_); }
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    /// Fills `room` as far as the data go; returns a libbz2 code.
    int fill(std::span<std::uint8_t> room) noexcept {
        stream_.next_out = reinterpret_cast<char*>(room.data());
        stream_.avail_out = static_cast<unsigned int>(room.size());
        return BZ2_bzDecompress(&stream_);
    }

    [[nodiscard]] std::size_t room_left() const noexcept { return stream_.avail_out; }
    [[nodiscard]] std::size_t input_left() const noexcept { return stream_.avail_in; }

private:
    bz_stream stream_{};
};

/// Appends the content of one bzip2 stream to `out` until it has exactly `size` bytes.
bool decompress_content(ByteView compressed, std::size_t size, Buffer& out) {
    constexpr std::size_t kFirstStep = std::size_t{64} * 1024;
    // One byte more than allowed tells a stream that is too long from one that just fits.
    const std::size_t limit = size + 1;
    Decompressor decompressor(compressed);
    std::size_t filled = out.size();
    while (filled < limit) {
        // The declared size is only a claim: take memory as the data prove it.
        out.resize(std::min(limit, std::max(kFirstStep, 2 * filled)));
        const int code = decompressor.fill(std::span(out).subspan(filled));
        filled = out.size() - decompressor.room_left();
        if (code == BZ_STREAM_END) {
            out.resize(filled);
            return filled == size && decompressor.input_left() == 0;
        }
        if (code != BZ_OK || decompressor.room_left() > 0) {
            return false;  // damaged, or the input ended before the stream did
        }
    }
    return false;
}

}  // namespace

bool compress_message(ByteView message, Buffer& out) {
    if (message.size() < kMinCompressedSource) {
        return false;
    }
    const ByteView body = message.subspan(kHeaderSize);
    // libbz2 gives up when the room is used up, which is when nothing would be gained.
    out.resize(message.size() - 1);
    auto room = static_cast<unsigned int>(out.size() - kCompressedOffset);
    if (BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data() + kCompressedOffset), &room,
                                 input_of(body), static_cast<unsigned int>(body.size()),
                                 kBlockSize100k, 0, 0) != BZ_OK) {
        return false;
    }
    out.resize(kCompressedOffset + room);
    store_message_header(out, type_byte_of(message), Compression::kCompressed);
    store_i32(out.data() + kHeaderSize, static_cast<std::int32_t>(message.size()));
    return true;
}

std::uint32_t uncompressed_size(ByteView message) noexcept {
    Reader reader(message);
    reader.skip(kHeaderSize);
    return static_cast<std::uint32_t>(std::max(reader.i32(), 0));
}

WireError decompress_message(ByteView message, std::uint32_t max_size, Buffer& out) {
    if (message.size() < kCompressedOffset) {
        return WireError::kTruncated;
    }
    if (compression_byte_of(message) != static_cast<std::uint8_t>(Compression::kCompressed)) {
        return WireError::kBadCompression;
    }
    const std::int32_t declared = Reader(message.subspan(kHeaderSize)).i32();
    if (declared < static_cast<std::int32_t>(kHeaderSize)) {
        return WireError::kBadSize;
    }
    const auto size = static_cast<std::uint32_t>(declared);
    if (max_size != 0 && size > max_size) {
        return WireError::kTooLarge;
    }
    out.resize(kHeaderSize);
    if (!decompress_content(message.subspan(kCompressedOffset), size, out)) {
        return WireError::kBadCompressedData;
    }
    store_message_header(out, type_byte_of(message), Compression::kSupported);
    return WireError::kNone;
}

}  // namespace squall::wire
