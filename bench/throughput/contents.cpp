#include "contents.hpp"

#include <cstdio>
#include <string>

namespace squall::throughput {
namespace {

std::string text(std::size_t i) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "event %06zu", i);
    return buffer;
}

}  // namespace

Throughput::ByteSeq make_bytes() {
    Throughput::ByteSeq bytes(kByteCount);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<Ice::Byte>(i % 251);
    }
    return bytes;
}

Throughput::FixedSeq make_fixed() {
    Throughput::FixedSeq all(kElementCount);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = {static_cast<int>(i), static_cast<int>(2 * i), static_cast<double>(i) / 8};
    }
    return all;
}

Throughput::StringSeq make_strings() {
    Throughput::StringSeq all(kElementCount);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = text(i);
    }
    return all;
}

Throughput::StringDoubleSeq make_string_doubles() {
    Throughput::StringDoubleSeq all(kElementCount);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = {text(i), static_cast<double>(i) / 8};
    }
    return all;
}

}  // namespace squall::throughput
