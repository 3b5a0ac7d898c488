#include "broker/endpoint_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/broker/config_fixture.hpp"

namespace squall::broker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> endpoint_problems(std::vector<std::string> arguments) {
    try {
        check_endpoints(load(std::move(arguments)));
        return {};
    } catch (const ConfigError& error) {
        return error.problems();
    }
}

TEST(EndpointCheckTest, AcceptsTheDefaults) {
    EXPECT_THAT(endpoint_problems({}), IsEmpty());
}

TEST(EndpointCheckTest, AcceptsWhatAnAdapterAccepts) {
    for (const char* endpoints :
         {"default -p 10000", "tcp -h * -p 1:udp -h \"*\" -p 1", "tcp -h \"::1\" -p 1 -t 500 -z",
          "tcp", "ws -h host.invalid -p 80 -r /news", "udp -h 239.1.1.1 -p 1 --interface eth0"}) {
        EXPECT_THAT(endpoint_problems({std::string{"--IceStorm.Publish.Endpoints="} + endpoints}),
                    IsEmpty())
            << endpoints;
    }
}

TEST(EndpointCheckTest, NamesPropertyValueAndReason) {
    EXPECT_THAT(
        endpoint_problems({"--IceStorm.Publish.Endpoints=tcp -p ten"}),
        ElementsAre(AllOf(StartsWith("command line: IceStorm.Publish.Endpoints=tcp -p ten: "),
                          HasSubstr("invalid port value"))));
}

TEST(EndpointCheckTest, RefusesUnknownTransports) {
    EXPECT_THAT(endpoint_problems({"--IceStorm.TopicManager.Endpoints=tpc -p 1"}),
                ElementsAre(AllOf(HasSubstr("tpc -p 1"), HasSubstr("Ice.Plugin.*"))));
}

TEST(EndpointCheckTest, ReportsEveryBadProperty) {
    EXPECT_THAT(endpoint_problems({"--IceStorm.TopicManager.Endpoints=tcp -p 70000",
                                   "--IceStorm.Publish.PublishedEndpoints=tcp -q",
                                   "--IceStorm.Publish.Locator=a b"}),
                SizeIs(3));
}

TEST(EndpointCheckTest, NamesAPluginThatCannotBeLoaded) {
    EXPECT_THAT(endpoint_problems({"--Ice.Plugin.Missing=NoSuchLibrary:create"}),
                ElementsAre(HasSubstr("plug-in cannot be loaded")));
}

}  // namespace
}  // namespace squall::broker
