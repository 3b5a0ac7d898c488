#include "subscriber_queue/qos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace squall::queue {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Values = std::map<std::string, std::string>;

constexpr ProxyMode kProxyModes[] = {ProxyMode::kTwoway, ProxyMode::kOneway,
                                     ProxyMode::kBatchOneway, ProxyMode::kDatagram,
                                     ProxyMode::kBatchDatagram};
constexpr int kIntMax = std::numeric_limits<int>::max();
constexpr int kIntMin = std::numeric_limits<int>::min();

Qos accepted(const Values& values, ProxyMode mode = ProxyMode::kTwoway) {
    const auto result = parse_qos(values, mode);
    if (const BadQos* bad = std::get_if<BadQos>(&result)) {
        ADD_FAILURE() << bad->reason;
        return {};
    }
    return std::get<Qos>(result);
}

/// The reason; empty when the values were accepted.
std::string refusal(const Values& values, ProxyMode mode = ProxyMode::kTwoway) {
    const auto result = parse_qos(values, mode);
    const BadQos* bad = std::get_if<BadQos>(&result);
    return bad != nullptr ? bad->reason : std::string();
}

TEST(QosTest, HasDefaultsWhenNothingIsGiven) {
    const Qos qos = accepted({});
    EXPECT_EQ(qos.mode, DeliveryMode::kTwoway);
    EXPECT_EQ(qos.retry_count, 0);
    EXPECT_EQ(qos.locator_cache_timeout, std::nullopt);
    EXPECT_TRUE(qos.connection_cached);
}

TEST(QosTest, ProxyModeGivesTheDeliveryMode) {
    EXPECT_EQ(accepted({}, ProxyMode::kTwoway).mode, DeliveryMode::kTwoway);
    EXPECT_EQ(accepted({}, ProxyMode::kOneway).mode, DeliveryMode::kOneway);
    EXPECT_EQ(accepted({}, ProxyMode::kDatagram).mode, DeliveryMode::kOneway);
    EXPECT_EQ(accepted({}, ProxyMode::kBatchOneway).mode, DeliveryMode::kBatch);
    EXPECT_EQ(accepted({}, ProxyMode::kBatchDatagram).mode, DeliveryMode::kBatch);
}

TEST(QosTest, OrderedIsForTwowayProxiesOnly) {
    const Values ordered{{"reliability", "ordered"}};
    EXPECT_EQ(accepted(ordered).mode, DeliveryMode::kOrdered);
    for (const ProxyMode mode : {ProxyMode::kOneway, ProxyMode::kBatchOneway, ProxyMode::kDatagram,
                                 ProxyMode::kBatchDatagram}) {
        EXPECT_THAT(refusal(ordered, mode), AllOf(HasSubstr("ordered"), HasSubstr("twoway")));
    }
}

TEST(QosTest, EmptyReliabilityIsAsNone) {
    for (const ProxyMode mode : kProxyModes) {
        EXPECT_EQ(accepted({{"reliability", ""}}, mode).mode, accepted({}, mode).mode);
    }
}

TEST(QosTest, RefusesAnyOtherReliability) {
    for (const std::string value : {"oneway", "twoway", "batch", "Ordered", "ORDERED", " ordered",
                                    "ordered ", "order", " "}) {
        for (const ProxyMode mode : kProxyModes) {
            EXPECT_THAT(refusal({{"reliability", value}}, mode),
                        AllOf(HasSubstr("reliability"), HasSubstr("'" + value + "'")));
        }
    }
}

// Reported fault B23.
TEST(QosTest, TakesARetryCountForEveryProxyMode) {
    for (const ProxyMode mode : kProxyModes) {
        for (const int count : {-1, 0, 1, 5}) {
            EXPECT_EQ(accepted({{"retryCount", std::to_string(count)}}, mode).retry_count, count);
        }
    }
}

TEST(QosTest, ReadsTheRetryCountLeniently) {
    const std::vector<std::pair<std::string, int>> table{
        {"", 0},
        {"abc", 0},
        {"5abc", 5},
        {" 7 ", 7},
        {"\t4\n", 4},
        {"+3", 3},
        {"-1", -1},
        {"-7", -7},
        {"- 7", 0},
        {"+-3", 0},
        {"-+3", 0},
        {"++3", 0},
        {"+", 0},
        {"-", 0},
        {"1.9", 1},
        {"0x10", 0},
        {"007", 7},
        {"1 2", 1},
        {"2147483647", kIntMax},
        {"2147483648", kIntMax},
        {"99999999999999999999", kIntMax},
        {"4294967295", kIntMax},
        {"-2147483648", kIntMin},
        {"-99999999999999999999", kIntMin},
    };
    for (const auto& [text, count] : table) {
        EXPECT_EQ(accepted({{"retryCount", text}}).retry_count, count) << "'" << text << "'";
    }
}

TEST(QosTest, ReadsTheLocatorCacheTimeoutStrictly) {
    const std::vector<std::pair<std::string, int>> table{
        {"-1", -1}, {"0", 0},   {"10", 10}, {" 10 ", 10},
        {"+5", 5},  {"007", 7}, {"-0", 0},  {"2147483647", kIntMax},
    };
    for (const auto& [text, seconds] : table) {
        EXPECT_EQ(accepted({{"locatorCacheTimeout", text}}).locator_cache_timeout, seconds)
            << "'" << text << "'";
    }
}

TEST(QosTest, ReadsConnectionCachedStrictly) {
    const std::vector<std::pair<std::string, bool>> table{
        {"1", true},          {"2", true},  {" 1 ", true}, {"+1", true},
        {"2147483647", true}, {"0", false}, {"-1", false}, {"-2147483648", false},
    };
    for (const auto& [text, cached] : table) {
        EXPECT_EQ(accepted({{"connectionCached", text}}).connection_cached, cached)
            << "'" << text << "'";
    }
}

TEST(QosTest, RefusesWhatIsNoNumber) {
    for (const std::string key : {"locatorCacheTimeout", "connectionCached"}) {
        for (const std::string text :
             {"", " ", "abc", "true", "0x10", "10s", "1 0", "1.5", "+", "-", "+-5", "-+5", "++5",
              "- 5", "2147483648", "-2147483649", "99999999999999999999"}) {
            EXPECT_THAT(refusal({{key, text}}), AllOf(HasSubstr(key), HasSubstr("'" + text + "'")))
                << "'" << text << "'";
        }
    }
}

TEST(QosTest, RefusesALocatorCacheTimeoutBelowMinusOne) {
    for (const std::string text : {"-2", "-3", "-2147483648"}) {
        EXPECT_THAT(refusal({{"locatorCacheTimeout", text}}),
                    AllOf(HasSubstr("-1 or more"), HasSubstr("'" + text + "'")));
    }
}

TEST(QosTest, FirstFailureInTheOrderOfTheKeysWins) {
    Values values{{"retryCount", "abc"},
                  {"reliability", "bad"},
                  {"locatorCacheTimeout", "bad"},
                  {"connectionCached", "bad"}};
    EXPECT_THAT(refusal(values, ProxyMode::kOneway), HasSubstr("reliability"));
    values["reliability"] = "ordered";
    EXPECT_THAT(refusal(values, ProxyMode::kOneway), HasSubstr("locatorCacheTimeout"));
    values["locatorCacheTimeout"] = "1";
    EXPECT_THAT(refusal(values, ProxyMode::kOneway), HasSubstr("connectionCached"));
    values["connectionCached"] = "1";
    EXPECT_THAT(refusal(values, ProxyMode::kOneway), HasSubstr("twoway proxy"));
    EXPECT_EQ(refusal(values, ProxyMode::kTwoway), "");
}

TEST(QosTest, IgnoresOtherKeys) {
    for (const ProxyMode mode : kProxyModes) {
        const Qos qos = accepted({{"persistent", "true"},
                                  {"RetryCount", "9"},
                                  {"retryCount ", "9"},
                                  {"", "x"},
                                  {"Reliability", "ordered"}},
                                 mode);
        EXPECT_EQ(qos.retry_count, 0);
        EXPECT_EQ(qos.mode, accepted({}, mode).mode);
    }
}

TEST(QosTest, NamesTheDeliveryModes) {
    EXPECT_EQ(to_string(DeliveryMode::kTwoway), "twoway");
    EXPECT_EQ(to_string(DeliveryMode::kOrdered), "ordered");
    EXPECT_EQ(to_string(DeliveryMode::kOneway), "oneway");
    EXPECT_EQ(to_string(DeliveryMode::kBatch), "batch");
}

}  // namespace
}  // namespace squall::queue
