#pragma once

#include <Throughput.h>

#include <cstddef>

namespace squall::throughput {

constexpr std::size_t kByteCount = 500'000;
constexpr std::size_t kElementCount = 50'000;

/// KiB. The largest message, 50,000 strings and doubles, has 1,050,000 bytes: above Ice's default.
/// The brokers need it too.
constexpr const char* kMessageSizeMax = "4096";

/// The sequences that the client sends. The server compares length and last element.
Throughput::ByteSeq make_bytes();
Throughput::FixedSeq make_fixed();
/// Of 12 characters each.
Throughput::StringSeq make_strings();
Throughput::StringDoubleSeq make_string_doubles();

}  // namespace squall::throughput
