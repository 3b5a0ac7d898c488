#include "subscriber_queue/qos.hpp"

#include <cctype>
#include <charconv>
#include <limits>

namespace squall::queue {
namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

/// What std::from_chars can read: the trimmed text, without the plus sign of a number.
std::string_view number_text(std::string_view text) {
    text = trim(text);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    return text;
}

/// The whole trimmed text as an int, as IceStorm reads connectionCached.
std::optional<int> strict_int(std::string_view text) {
    text = number_text(text);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// The leading digits as an int, anything else 0: how 3.7 reads retryCount. Out of range is the
/// nearest int.
int lenient_int(std::string_view text) {
    text = number_text(text);
    const bool negative = !text.empty() && text.front() == '-';
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        return negative ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
    }
    return value;
}

BadQos bad_value(std::string_view key, std::string_view value, std::string_view allowed) {
    return {std::string("QoS ") + std::string(key) + " must be " + std::string(allowed) +
            ", not '" + std::string(value) + "'"};
}

}  // namespace

std::string_view to_string(DeliveryMode mode) {
    switch (mode) {
        case DeliveryMode::kTwoway:
            return "twoway";
        case DeliveryMode::kOrdered:
            return "ordered";
        case DeliveryMode::kOneway:
            return "oneway";
        case DeliveryMode::kBatch:
            return "batch";
    }
    return "unknown";
}

std::variant<Qos, BadQos> parse_qos(const std::map<std::string, std::string>& values,
                                    ProxyMode proxy_mode) {
    Qos qos;
    if (const auto it = values.find("retryCount"); it != values.end()) {
        qos.retry_count = lenient_int(it->second);
    }
    bool ordered = false;
    if (const auto it = values.find("reliability"); it != values.end()) {
        ordered = it->second == "ordered";
        if (!ordered && !it->second.empty()) {
            return bad_value("reliability", it->second, "'ordered' or empty");
        }
    }
    if (const auto it = values.find("locatorCacheTimeout"); it != values.end()) {
        qos.locator_cache_timeout = strict_int(it->second);
        if (!qos.locator_cache_timeout || *qos.locator_cache_timeout < -1) {
            return bad_value("locatorCacheTimeout", it->second, "a number of seconds, -1 or more");
        }
    }
    if (const auto it = values.find("connectionCached"); it != values.end()) {
        const std::optional<int> cached = strict_int(it->second);
        if (!cached) {
            return bad_value("connectionCached", it->second, "a number, above 0 for yes");
        }
        qos.connection_cached = *cached > 0;
    }
    switch (proxy_mode) {
        case ProxyMode::kTwoway:
            qos.mode = ordered ? DeliveryMode::kOrdered : DeliveryMode::kTwoway;
            break;
        case ProxyMode::kOneway:
        case ProxyMode::kDatagram:
            qos.mode = DeliveryMode::kOneway;
            break;
        default:
            qos.mode = DeliveryMode::kBatch;
            break;
    }
    if (ordered && proxy_mode != ProxyMode::kTwoway) {
        return BadQos{"QoS reliability 'ordered' needs a twoway proxy"};
    }
    return qos;
}

}  // namespace squall::queue
