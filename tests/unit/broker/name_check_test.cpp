#include "broker/name_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/broker/config_fixture.hpp"

namespace squall::broker {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> warnings(std::vector<std::string> arguments,
                                  std::string service = "IceStorm") {
    return load(std::move(arguments), std::move(service)).warnings;
}

TEST(NameCheckTest, AnUnknownNameIsAProblemWithTheNearestKnownOne) {
    EXPECT_THAT(problems({"--IceStorm.Flush.Timout=1"}),
                ElementsAre("command line: IceStorm.Flush.Timout: unknown property; did you mean "
                            "IceStorm.Flush.Timeout?"));
}

TEST(NameCheckTest, CaseCountsInNames) {
    EXPECT_THAT(problems({"--IceStorm.transient=1"}),
                ElementsAre(EndsWith("did you mean IceStorm.Transient?")));
}

TEST(NameCheckTest, AnUnrelatedNameIsAProblemThatPointsToThePage) {
    EXPECT_THAT(
        problems({"--IceStorm.Colour=red"}),
        ElementsAre(AllOf(HasSubstr("IceStorm.Colour"), HasSubstr("docs/configuration.md"))));
}

TEST(NameCheckTest, ServiceNameAloneIsNoPropertyOfTheService) {
    EXPECT_THAT(problems({"--IceStormAdmin.TopicManager.Default=x"}), IsEmpty());
}

TEST(NameCheckTest, UnsupportedPropertiesWarnAndAreNotInEffect) {
    const LoadedOptions loaded =
        load({"--IceStorm.LMDB.Path=db", "--IceStorm.NodeId=0", "--IceStorm.Nodes.0=x",
              "--IceStorm.Node.Endpoints=tcp", "--IceStorm.Election.MasterTimeout=1",
              "--IceStorm.ReplicatedPublishEndpoints=tcp", "--IceStorm.Trace.Election=1"});
    EXPECT_THAT(loaded.warnings, SizeIs(7));
    EXPECT_THAT(loaded.warnings,
                Each(HasSubstr("is not supported by this version and is ignored:")));
    EXPECT_THAT(loaded.warnings, Contains(AllOf(HasSubstr("IceStorm.LMDB.Path"),
                                                HasSubstr("nothing survives a restart"))));
    EXPECT_FALSE(loaded.effective.contains("IceStorm.LMDB.Path"));
}

TEST(NameCheckTest, TransientNeedsNoWarning) {
    EXPECT_THAT(warnings({"--IceStorm.Transient=0"}), IsEmpty());
    EXPECT_THAT(warnings({"--IceStorm.Transient=1"}), IsEmpty());
}

TEST(NameCheckTest, FixedPoolWarnsOfItsLimits) {
    EXPECT_THAT(warnings({"--IceStorm.Publish.ThreadPool.SizeMax=9"}),
                ElementsAre(HasSubstr("the pool keeps the size")));
}

TEST(NameCheckTest, HistoricPropertiesWarn) {
    EXPECT_THAT(
        warnings({"--IceStorm.TopicManager.Proxy=IceStorm/TopicManager:default -p 1",
                  "--IceStorm.TopicManager.Proxy.PreferSecure=1", "--IceStorm.Trace.Flush=1"}),
        AllOf(SizeIs(3), Each(HasSubstr("belongs to an earlier IceStorm and is ignored:"))));
}

TEST(NameCheckTest, FreezeAndIceBoxWarnOnceEach) {
    EXPECT_THAT(warnings({"--Freeze.DbEnv.IceStorm.DbHome=db", "--Freeze.Warn.Deadlocks=1",
                          "--IceBox.InheritProperties=1", "--IceBox.PrintServicesReady=IceStorm",
                          "--IceBox.LoadOrder=IceStorm"}),
                testing::UnorderedElementsAre(HasSubstr("Freeze.* (set: 2)"),
                                              HasSubstr("IceBox.* (set: 3)")));
}

TEST(NameCheckTest, IceBoxServiceOfThisNameNeedsNoHint) {
    EXPECT_THAT(warnings({"--IceBox.Service.IceStorm=IceStormService,37:createIceStorm"}),
                ElementsAre(HasSubstr("IceBox.* (set: 1)")));
}

TEST(NameCheckTest, IceBoxServiceOfAnotherNameSaysHowToRunIt) {
    EXPECT_THAT(
        warnings({"--IceBox.Service.News=IceStormService,37:createIceStorm --Ice.Config=n.conf"}),
        Contains(EndsWith("squalld --service-name News --Ice.Config=n.conf")));
}

TEST(NameCheckTest, IceBoxServiceThatIsNoIceStormIsSaidSo) {
    EXPECT_THAT(warnings({"--IceBox.Service.Printer=Printer:create"}),
                Contains(HasSubstr("IceBox.Service.Printer is no IceStorm service")));
}

TEST(NameCheckTest, MisspeltPrefixesWarnWithTheRightSpelling) {
    for (const char* name : {"Icestorm.Transient", "IceStrom.Transient", "IceStom.Transient"}) {
        EXPECT_THAT(
            warnings({std::string{"--"} + name + "=1"}),
            ElementsAre(AllOf(HasSubstr(name), EndsWith("did you mean IceStorm.Transient?"))));
    }
}

TEST(NameCheckTest, MisspeltPrefixWithDotsWarns) {
    EXPECT_THAT(warnings({"--App.IceStrom.Transient=1"}, "App.IceStorm"),
                ElementsAre(EndsWith("did you mean App.IceStorm.Transient?")));
}

TEST(NameCheckTest, NumberedServicesAreNoMisspelling) {
    EXPECT_THAT(warnings({"--IceStorm2.Transient=1"}), IsEmpty());
}

TEST(NameCheckTest, PropertiesOfOtherProgramsPassSilently) {
    EXPECT_THAT(warnings({"--IceStore.Path=x", "--Printer.Endpoints=tcp", "--Glacier2.X=1"}),
                IsEmpty());
}

TEST(NameCheckTest, EachFormerPrefixWarnsWithTheRightSpelling) {
    const auto lines = warnings({"--IceStorm.Send.Timeout=1", "--IceStorm.Flush.Timeout=2",
                                 "--IceStorm.LMDB.Path=db", "--News.Discard.Interval=3"},
                                "News");
    EXPECT_THAT(lines, SizeIs(3));
    EXPECT_THAT(lines, Contains(EndsWith("write News.Send.Timeout")));
    EXPECT_THAT(lines, Contains(EndsWith("write News.Flush.Timeout")));
    EXPECT_THAT(lines, Contains(EndsWith("write News.LMDB.Path")));
}

TEST(NameCheckTest, AFileForAServiceOfAnotherNameIsNoticed) {
    EXPECT_THAT(warnings({"--News.TopicManager.Endpoints=tcp -p 1", "--News.Publish.Endpoints=tcp",
                          "--News.Transient=1"}),
                ElementsAre(HasSubstr("--service-name News reads that")));
}

TEST(NameCheckTest, ServicesBesideAConfiguredOneAreNoSurprise) {
    EXPECT_THAT(warnings({"--News.TopicManager.Endpoints=tcp -p 1", "--IceStorm.Transient=1"}),
                IsEmpty());
}

TEST(NameCheckTest, RefusesServiceNamesThatAreNoPrefix) {
    for (const char* name : {"", "a b", "a=b", ".a", "a.", "a..b", "Ice", "IceSSL"}) {
        EXPECT_THAT(problems({}, name), ElementsAre(StartsWith("--service-name"))) << name;
    }
    EXPECT_THAT(problems({}, "App.IceStorm-1"), IsEmpty());
}

}  // namespace
}  // namespace squall::broker
