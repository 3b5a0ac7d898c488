#include "broker/endpoint_text.hpp"

#include <gtest/gtest.h>

namespace squall::broker {
namespace {

using Texts = std::vector<std::string>;

TEST(EndpointTextTest, SplitsAtColons) {
    EXPECT_EQ(split_endpoints("tcp -p 1:ws -p 2:udp"), (Texts{"tcp -p 1", "ws -p 2", "udp"}));
    EXPECT_EQ(split_endpoints("tcp"), (Texts{"tcp"}));
}

TEST(EndpointTextTest, ColonsWithinQuotesDoNotSeparate) {
    EXPECT_EQ(split_endpoints("tcp -h \"::1\" -p 1:ws -h '::2'"),
              (Texts{"tcp -h \"::1\" -p 1", "ws -h '::2'"}));
    EXPECT_EQ(split_endpoints("ws -r \"/it's:here\":tcp -h 'a\":b'"),
              (Texts{"ws -r \"/it's:here\"", "tcp -h 'a\":b'"}));
}

TEST(EndpointTextTest, LeavesOutWhatIsEmpty) {
    EXPECT_EQ(split_endpoints(""), Texts{});
    EXPECT_EQ(split_endpoints(" : \t:\n"), Texts{});
    EXPECT_EQ(split_endpoints(":tcp:"), (Texts{"tcp"}));
}

TEST(EndpointTextTest, JoinsWhatItSplits) {
    EXPECT_EQ(join_endpoints({}), "");
    EXPECT_EQ(join_endpoints({"tcp"}), "tcp");
    const std::string list = "tcp -h \"::1\" -p 1:ws -p 2:udp";
    EXPECT_EQ(join_endpoints(split_endpoints(list)), list);
}

TEST(EndpointTextTest, StarBecomesAnAddress) {
    EXPECT_EQ(without_star_hosts("tcp -h * -p 1", false), "tcp -h 0.0.0.0 -p 1");
    EXPECT_EQ(without_star_hosts("tcp -h * -p 1", true), "tcp -h \"::\" -p 1");
    EXPECT_EQ(without_star_hosts("tcp -p 1 -h \"*\"", false), "tcp -p 1 -h 0.0.0.0");
    EXPECT_EQ(without_star_hosts("tcp -p 1 -h \"*\"", true), "tcp -p 1 -h \"::\"");
}

TEST(EndpointTextTest, EveryStarOfAListBecomesAnAddress) {
    const std::string list = "tcp -h *:ws -h \"*\":udp -h *";
    EXPECT_EQ(without_star_hosts(list, false), "tcp -h 0.0.0.0:ws -h 0.0.0.0:udp -h 0.0.0.0");
    EXPECT_EQ(split_endpoints(without_star_hosts(list, true)),
              (Texts{"tcp -h \"::\"", "ws -h \"::\"", "udp -h \"::\""}));
}

TEST(EndpointTextTest, OtherTextIsLeftAlone) {
    for (const std::string text : {"tcp -h 127.0.0.1 -p 1", "tcp", "ws -h host -r *",
                                   "tcp -h *.org", "tcp -h \"::1\" -p 1 -t 500 -z"}) {
        EXPECT_EQ(without_star_hosts(text, true), text);
        EXPECT_EQ(without_star_hosts(text, false), text);
    }
}

}  // namespace
}  // namespace squall::broker
