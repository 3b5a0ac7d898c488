#include "broker/options_loader.hpp"

#include <Ice/Properties.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_dir.hpp"
#include "unit/broker/config_fixture.hpp"

namespace squall::broker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// The value of a property as the communicator sees it.
std::string ice_value(const LoadedOptions& loaded, const std::string& name) {
    return loaded.properties->getProperty(name);
}

TEST(OptionsLoaderTest, DefaultsAreThoseOfOptions) {
    const LoadedOptions loaded = load({});
    const Options expected;
    const Options& options = loaded.options;
    EXPECT_EQ(options.service_name, expected.service_name);
    EXPECT_EQ(options.instance_name, expected.instance_name);
    EXPECT_EQ(options.shutdown_timeout, expected.shutdown_timeout);
    EXPECT_EQ(options.trace.topic_manager, expected.trace.topic_manager);
    EXPECT_EQ(options.trace.topic, expected.trace.topic);
    EXPECT_EQ(options.trace.subscriber, expected.trace.subscriber);
    EXPECT_EQ(options.pool.send_timeout, expected.pool.send_timeout);
    EXPECT_EQ(options.pool.message_size_max, expected.pool.message_size_max);
    EXPECT_EQ(options.pool.queue.flush_timeout, expected.pool.queue.flush_timeout);
    EXPECT_EQ(options.pool.queue.discard_interval, expected.pool.queue.discard_interval);
    EXPECT_EQ(options.pool.queue.queue_size_max, expected.pool.queue.queue_size_max);
    EXPECT_EQ(options.pool.queue.overflow_policy, expected.pool.queue.overflow_policy);
    EXPECT_EQ(options.pool.queue.batch_bytes_max, expected.pool.queue.batch_bytes_max);
    EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(OptionsLoaderTest, EveryBrokerPropertyHasItsEffect) {
    const Options options =
        load({"--IceStorm.InstanceName=Demo", "--IceStorm.Shutdown.Timeout=3",
              "--IceStorm.Trace.TopicManager=1", "--IceStorm.Trace.Topic=2",
              "--IceStorm.Trace.Subscriber=3", "--IceStorm.Send.Timeout=250",
              "--IceStorm.Flush.Timeout=20", "--IceStorm.Discard.Interval=5",
              "--IceStorm.Send.QueueSizeMax=7", "--IceStorm.Send.QueueSizeMaxPolicy=DropEvents",
              "--IceStorm.Publish.ThreadPool.Size=3", "--Ice.MessageSizeMax=2",
              "--Ice.BatchAutoFlushSize=3"})
            .options;
    EXPECT_EQ(options.instance_name, "Demo");
    EXPECT_EQ(options.shutdown_timeout, seconds{3});
    EXPECT_EQ(options.trace.topic_manager, 1);
    EXPECT_EQ(options.trace.topic, 2);
    EXPECT_EQ(options.trace.subscriber, 3);
    EXPECT_EQ(options.pool.send_timeout, milliseconds{250});
    EXPECT_EQ(options.pool.queue.flush_timeout, milliseconds{20});
    EXPECT_EQ(options.pool.queue.discard_interval, seconds{5});
    EXPECT_EQ(options.pool.queue.queue_size_max, 7);
    EXPECT_EQ(options.pool.queue.overflow_policy, queue::OverflowPolicy::kDropEvents);
    EXPECT_EQ(options.pool.shards, 3U);
    EXPECT_EQ(options.pool.message_size_max, 2048U);
    EXPECT_EQ(options.pool.queue.batch_bytes_max, 3072U);
}

TEST(OptionsLoaderTest, PrefixIsTheServiceName) {
    const LoadedOptions loaded = load({"--News.Flush.Timeout=20"}, "News");
    EXPECT_EQ(loaded.options.service_name, "News");
    EXPECT_EQ(loaded.options.instance_name, "IceStorm");
    EXPECT_EQ(loaded.options.pool.queue.flush_timeout, milliseconds{20});
    EXPECT_EQ(ice_value(loaded, "News.TopicManager.Endpoints"), "tcp -h 127.0.0.1 -p 10000");
}

TEST(OptionsLoaderTest, ShardsDefaultToTheCoresWithinLimits) {
    OptionsSource source;
    for (const auto& [cores, shards] : {std::pair{0U, 1U}, {1U, 1U}, {8U, 8U}, {200U, 64U}}) {
        source.cores = cores;
        EXPECT_EQ(load_options(source).options.pool.shards, shards);
    }
}

TEST(OptionsLoaderTest, NegativeTimesMeanAtOnce) {
    const auto queue =
        load({"--IceStorm.Flush.Timeout=-5", "--IceStorm.Discard.Interval=-1"}).options.pool.queue;
    EXPECT_EQ(queue.flush_timeout, milliseconds{0});
    EXPECT_EQ(queue.discard_interval, seconds{0});
}

TEST(OptionsLoaderTest, MinusOneIsNoSendTimeout) {
    EXPECT_EQ(load({"--IceStorm.Send.Timeout=-1"}).options.pool.send_timeout, std::nullopt);
}

TEST(OptionsLoaderTest, AnyNegativeQueueSizeIsUnlimited) {
    EXPECT_EQ(load({"--IceStorm.Send.QueueSizeMax=-9"}).options.pool.queue.queue_size_max, -1);
}

TEST(OptionsLoaderTest, SizesBelowOneKibibyteAreUnlimited) {
    const auto pool = load({"--Ice.MessageSizeMax=0", "--Ice.BatchAutoFlushSize=-1"}).options.pool;
    EXPECT_EQ(pool.message_size_max, 0U);
    EXPECT_EQ(pool.queue.batch_bytes_max, 0U);
}

TEST(OptionsLoaderTest, SizesAreCappedAtWhatAMessageCanHold) {
    EXPECT_EQ(load({"--Ice.MessageSizeMax=2147483647"}).options.pool.message_size_max, 2147483647U);
}

TEST(OptionsLoaderTest, RefusesValuesOutsideTheirLimits) {
    for (const char* argument :
         {"--IceStorm.Send.Timeout=0", "--IceStorm.Send.Timeout=-2",
          "--IceStorm.Send.Timeout=2147483648", "--IceStorm.Send.QueueSizeMax=0",
          "--IceStorm.Shutdown.Timeout=-1", "--IceStorm.Publish.ThreadPool.Size=0",
          "--IceStorm.Publish.ThreadPool.Size=65", "--IceStorm.TopicManager.ThreadPool.Size=0",
          "--IceStorm.Trace.Topic=-1", "--IceStorm.Send.QueueSizeMaxPolicy=dropevents",
          "--IceStorm.InstanceName=\\ ", "--IceStorm.Publish.ACM.Close=5",
          "--Ice.Override.CloseTimeout=0"}) {
        EXPECT_EQ(problems({argument}).size(), 1U) << argument;
    }
}

TEST(OptionsLoaderTest, RefusesTextThatIsNotWhollyANumber) {
    for (const char* value : {"10s", "1 0", "0x10", "1.5", "ten", "+5", "-"}) {
        EXPECT_EQ(problems({std::string{"--IceStorm.Flush.Timeout="} + value}).size(), 1U) << value;
    }
}

TEST(OptionsLoaderTest, AcceptsBlanksAroundANumber) {
    EXPECT_EQ(load({"--IceStorm.Flush.Timeout=\\ 15\\ "}).options.pool.queue.flush_timeout,
              milliseconds{15});
}

TEST(OptionsLoaderTest, AProblemNamesOriginPropertyValueAndWhatIsAllowed) {
    EXPECT_THAT(problems({"--IceStorm.Send.Timeout=0"}),
                ElementsAre("command line: IceStorm.Send.Timeout=0: expected -1 for no limit, or "
                            "1 to 2147483647, in ms"));
    EXPECT_THAT(
        problems({"--IceStorm.Send.QueueSizeMaxPolicy=DropAll"}),
        ElementsAre(AllOf(HasSubstr("DropAll"), HasSubstr("RemoveSubscriber or DropEvents"))));
}

TEST(OptionsLoaderTest, AProblemNamesTheFile) {
    const test::TempDir folder;
    OptionsSource source;
    source.files = {folder.write("bad.conf", "IceStorm.Flush.Timeout=soon\n")};
    try {
        load_options(source);
        FAIL() << "a bad value was accepted";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr(source.files[0] + ": IceStorm.Flush.Timeout=soon:"));
    }
}

TEST(OptionsLoaderTest, CollectsAllProblems) {
    EXPECT_THAT(problems({"--IceStorm.Send.Timeout=0", "--IceStorm.Flush.Timout=1",
                          "--IceStorm.Trace.Topic=x"}),
                UnorderedElementsAre(HasSubstr("Send.Timeout"), HasSubstr("Flush.Timout"),
                                     HasSubstr("Trace.Topic")));
}

TEST(OptionsLoaderTest, PublishAdapterKeepsToOneThread) {
    const LoadedOptions loaded =
        load({"--IceStorm.Publish.ThreadPool.Size=8", "--IceStorm.Publish.ThreadPool.SizeMax=16",
              "--IceStorm.Publish.ThreadPool.SizeWarn=12"});
    EXPECT_EQ(loaded.options.pool.shards, 8U);
    EXPECT_EQ(ice_value(loaded, "IceStorm.Publish.ThreadPool.Size"), "1");
    EXPECT_EQ(ice_value(loaded, "IceStorm.Publish.ThreadPool.SizeMax"), "1");
    EXPECT_EQ(ice_value(loaded, "IceStorm.Publish.ThreadPool.SizeWarn"), "");
    EXPECT_EQ(loaded.effective.at("IceStorm.Publish.ThreadPool.Size").value, "8");
}

TEST(OptionsLoaderTest, TopicManagerHasItsOwnPool) {
    const LoadedOptions loaded = load({});
    EXPECT_EQ(ice_value(loaded, "IceStorm.TopicManager.ThreadPool.Size"), "1");
    EXPECT_EQ(ice_value(loaded, "IceStorm.TopicManager.ThreadPool.SizeMax"), "4");
}

TEST(OptionsLoaderTest, TopicManagerPoolMayGrowAtLeastToItsSize) {
    const LoadedOptions loaded = load({"--IceStorm.TopicManager.ThreadPool.Size=9"});
    EXPECT_EQ(ice_value(loaded, "IceStorm.TopicManager.ThreadPool.SizeMax"), "9");
    EXPECT_THAT(problems({"--IceStorm.TopicManager.ThreadPool.Size=9",
                          "--IceStorm.TopicManager.ThreadPool.SizeMax=8"}),
                ElementsAre(HasSubstr("exceeds IceStorm.TopicManager.ThreadPool.SizeMax=8")));
}

TEST(OptionsLoaderTest, LogsBrokenConnectionsUnlessToldOtherwise) {
    EXPECT_EQ(ice_value(load({}), "Ice.Warn.Connections"), "1");
    EXPECT_EQ(ice_value(load({"--Ice.Warn.Connections=0"}), "Ice.Warn.Connections"), "0");
}

TEST(OptionsLoaderTest, CloseTimeoutFollowsTheShutdownTimeout) {
    const auto close_timeout = [](const std::vector<std::string>& arguments) {
        return ice_value(load(arguments), "Ice.Override.CloseTimeout");
    };
    EXPECT_EQ(close_timeout({}), "2000");
    EXPECT_EQ(close_timeout({"--IceStorm.Shutdown.Timeout=1"}), "1000");
    EXPECT_EQ(close_timeout({"--IceStorm.Shutdown.Timeout=0"}), "1");
    EXPECT_EQ(close_timeout({"--Ice.Override.CloseTimeout=70"}), "70");
}

TEST(OptionsLoaderTest, OtherPropertiesReachTheCommunicator) {
    const LoadedOptions loaded = load({"--Ice.Trace.Network=2", "--IceMX.Metrics.V.GroupBy=id",
                                       "--IceStorm.Publish.ThreadPool.StackSize=65536"});
    EXPECT_EQ(ice_value(loaded, "Ice.Trace.Network"), "2");
    EXPECT_EQ(ice_value(loaded, "IceMX.Metrics.V.GroupBy"), "id");
    EXPECT_EQ(ice_value(loaded, "IceStorm.Publish.ThreadPool.StackSize"), "65536");
}

}  // namespace
}  // namespace squall::broker
