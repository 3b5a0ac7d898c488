#include "delivery_check.hpp"

#include <algorithm>
#include <cstdio>

namespace squall::bench {

void DeliveryTimes::merge(const DeliveryTimes& other) noexcept {
    if (first_sent_ns == 0 || (other.first_sent_ns != 0 && other.first_sent_ns < first_sent_ns)) {
        first_sent_ns = other.first_sent_ns;
    }
    last_arrival_ns = std::max(last_arrival_ns, other.last_arrival_ns);
    latency.merge(other.latency);
}

bool print_report(std::span<const SubscriberCheck> subscribers, std::uint64_t events,
                  const DeliveryTimes& times, std::uint64_t lost_connections) {
    const std::uint64_t expected = events * subscribers.size();
    std::uint64_t received = 0;
    std::uint64_t repeats = 0;
    std::uint64_t out_of_order = 0;
    for (const SubscriberCheck& one : subscribers) {
        received += one.received();
        repeats += one.repeats();
        out_of_order += one.out_of_order();
    }
    const double seconds = static_cast<double>(times.last_arrival_ns - times.first_sent_ns) / 1e9;
    std::printf(
        "{\"expected\": %llu, \"received\": %llu, \"repeats\": %llu, \"out_of_order\": %llu, "
        "\"lost_connections\": %llu, \"seconds\": %.6f, "
        "\"p50_us\": %.1f, \"p99_us\": %.1f, \"p999_us\": %.1f}\n",
        static_cast<unsigned long long>(expected), static_cast<unsigned long long>(received),
        static_cast<unsigned long long>(repeats), static_cast<unsigned long long>(out_of_order),
        static_cast<unsigned long long>(lost_connections), received > 0 ? seconds : 0.0,
        times.latency.quantile_us(0.5), times.latency.quantile_us(0.99),
        times.latency.quantile_us(0.999));
    std::fflush(stdout);
    return received == expected && repeats == 0 && lost_connections == 0;
}

}  // namespace squall::bench
