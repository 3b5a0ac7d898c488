#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace squall::bench {

/// Counts latencies in buckets whose width is at most 1/32 of their value.
/// Threads: confined to its user.
class LatencyHistogram {
public:
    /// A negative latency counts as 0.
    void add(std::int64_t ns) noexcept {
        const auto value = static_cast<std::uint64_t>(ns < 0 ? 0 : ns);
        ++counts_[bucket_of(value)];
        ++total_;
    }

    void merge(const LatencyHistogram& other) noexcept {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            counts_[i] += other.counts_[i];
        }
        total_ += other.total_;
    }

    /// The latency in us that `share` (0 to 1) of all do not exceed: the middle of its bucket.
    [[nodiscard]] double quantile_us(double share) const noexcept {
        const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_));
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (counts_[i] > 0 && seen >= wanted) {
                return middle_ns(i) / 1000.0;
            }
        }
        return 0;
    }

private:
    static constexpr unsigned kFineBits = 5;
    static constexpr std::size_t kFine = 1U << kFineBits;

    /// Values below 32 have a bucket each; above, each power of two is split in 32.
    static std::size_t bucket_of(std::uint64_t value) noexcept {
        if (value < kFine) {
            return value;
        }
        const auto shift = static_cast<unsigned>(std::bit_width(value)) - kFineBits - 1;
        return (shift + 1) * kFine + ((value >> shift) - kFine);
    }

    static double middle_ns(std::size_t bucket) noexcept {
        if (bucket < kFine) {
            return static_cast<double>(bucket);
        }
        const std::size_t shift = bucket / kFine - 1;
        const std::uint64_t low = (kFine + bucket % kFine) << shift;
        return static_cast<double>(low) + static_cast<double>(1ULL << shift) / 2;
    }

    std::array<std::uint64_t, 64 * kFine> counts_{};
    std::uint64_t total_ = 0;
};

}  // namespace squall::bench
