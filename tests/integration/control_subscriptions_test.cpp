#include <gmock/gmock.h>

#include "integration/control_host.hpp"

namespace squall::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class SubscriptionsTest : public ControlTest {
protected:
    SubscriptionsTest() : topic_(create("news")), publisher_(topic_->getPublisher()) {}

    static void publish(const ObjectPrx& publisher, const std::string& operation) {
        Ice::ByteSeq results;
        publisher->ice_invoke(operation, Ice::OperationMode::Normal, no_parameters(), results);
    }

    static std::vector<std::string> operations(const std::vector<Received>& events) {
        std::vector<std::string> names;
        for (const Received& event : events) {
            names.push_back(event.operation);
        }
        return names;
    }

    const TopicPrx topic_;
    const ObjectPrx publisher_;
};

TEST_F(SubscriptionsTest, SubscribersAreListed) {
    topic_->subscribeAndGetPublisher({}, dead_subscriber("a"));
    topic_->subscribeAndGetPublisher({}, dead_subscriber("cat/b"));
    EXPECT_THAT(topic_->getSubscribers(),
                UnorderedElementsAre(Ice::Identity{"a", ""}, Ice::Identity{"b", "cat"}));
    topic_->unsubscribe(dead_subscriber("a"));
    EXPECT_THAT(topic_->getSubscribers(), ElementsAre(Ice::Identity{"b", "cat"}));
}

TEST_F(SubscriptionsTest, IdentityIsSubscribedOncePerTopic) {
    topic_->subscribeAndGetPublisher({}, dead_subscriber("a"));
    EXPECT_THROW(topic_->subscribeAndGetPublisher({}, client_.proxy("a -o:udp -h 127.0.0.1 -p 9")),
                 IceStorm::AlreadySubscribed);
    EXPECT_NO_THROW(create("other")->subscribeAndGetPublisher({}, dead_subscriber("a")));
}

TEST_F(SubscriptionsTest, DuplicateIsReportedBeforeABadQos) {
    const IceStorm::QoS bad{{"reliability", "never"}};
    EXPECT_THROW(topic_->subscribeAndGetPublisher(bad, dead_subscriber("a")), IceStorm::BadQoS);
    topic_->subscribeAndGetPublisher({}, dead_subscriber("a"));
    EXPECT_THROW(topic_->subscribeAndGetPublisher(bad, dead_subscriber("a")),
                 IceStorm::AlreadySubscribed);
}

TEST_F(SubscriptionsTest, BadQosLeavesNoSubscription) {
    const std::vector<std::pair<std::string, IceStorm::QoS>> cases{
        {"a", {{"reliability", "Ordered"}}},    {"a", {{"reliability", " ordered"}}},
        {"a", {{"locatorCacheTimeout", ""}}},   {"a", {{"locatorCacheTimeout", "0x10"}}},
        {"a", {{"connectionCached", "true"}}},  {"a", {{"connectionCached", "9999999999"}}},
        {"a -o", {{"reliability", "ordered"}}}, {"a -O", {{"reliability", "ordered"}}},
        {"a -d", {{"reliability", "ordered"}}}};
    for (const auto& [proxy, qos] : cases) {
        const auto& [key, value] = *qos.begin();
        EXPECT_THROW(topic_->subscribeAndGetPublisher(qos, dead_subscriber(proxy)),
                     IceStorm::BadQoS)
            << proxy << ' ' << key << '=' << value;
    }
    EXPECT_THAT(topic_->getSubscribers(), IsEmpty());
}

TEST_F(SubscriptionsTest, GoodQosIsAccepted) {
    const std::vector<std::pair<std::string, IceStorm::QoS>> cases{
        {"a", {{"reliability", "ordered"}, {"retryCount", "3"}}},
        {"b", {{"reliability", ""}, {"persistent", "true"}}},
        {"c -o", {{"retryCount", "abc"}}},
        {"d -O", {{"connectionCached", " 0 "}}},
        {"e -d", {{"locatorCacheTimeout", "-1"}}},
        {"f -D", {}}};
    for (const auto& [proxy, qos] : cases) {
        EXPECT_NO_THROW(topic_->subscribeAndGetPublisher(qos, dead_subscriber(proxy))) << proxy;
    }
    EXPECT_THAT(topic_->getSubscribers(), SizeIs(cases.size()));
}

TEST_F(SubscriptionsTest, ProxyWithoutUsableEndpointIsAccepted) {
    topic_->subscribeAndGetPublisher({}, client_.proxy("a"));
    topic_->subscribeAndGetPublisher({}, client_.proxy("b @ adapter"));
    topic_->subscribeAndGetPublisher({}, client_.proxy("c:tcp -h no.such.host.invalid -p 1"));
    EXPECT_THAT(topic_->getSubscribers(), SizeIs(3));
}

TEST_F(SubscriptionsTest, NullProxyIsRefused) {
    EXPECT_THROW(topic_->subscribeAndGetPublisher({}, nullptr), IceStorm::InvalidSubscriber);
    // Not declared for unsubscribe, so the client's run time cannot name it.
    EXPECT_THROW(topic_->unsubscribe(nullptr), Ice::UnknownUserException);
    EXPECT_THAT(topic_->getSubscribers(), IsEmpty());
}

TEST_F(SubscriptionsTest, IdentityWithoutNameIsRefused) {
    // Ice refuses to make such a proxy: no QoS; name "", category "c"; no facet, twoway, protocol
    // 1.0, encoding 1.1; no endpoint, no adapter id.
    const Ice::ByteSeq parameters{19, 0, 0, 0, 1, 1, 0, 0, 1, 'c', 0, 0, 0, 1, 0, 1, 1, 0, 0};
    Ice::ByteSeq results;
    EXPECT_FALSE(topic_->ice_invoke("subscribeAndGetPublisher", Ice::OperationMode::Normal,
                                    parameters, results));
    EXPECT_THAT(topic_->getSubscribers(), IsEmpty());
}

TEST_F(SubscriptionsTest, UnsubscribingAnUnknownIdentityIsNoError) {
    EXPECT_NO_THROW(topic_->unsubscribe(dead_subscriber("nobody")));
}

TEST_F(SubscriptionsTest, FirstEventAfterSubscribeArrives) {
    for (int i = 0; i < 200; ++i) {
        const auto sink = std::make_shared<EventSink>();
        const ObjectPrx subscriber = client_.subscriber(sink, "sub" + std::to_string(i));
        topic_->subscribeAndGetPublisher({}, subscriber);
        publish(publisher_, "e");
        ASSERT_THAT(sink->wait_for(1), SizeIs(1)) << i;
        topic_->unsubscribe(subscriber);
    }
}

TEST_F(SubscriptionsTest, SecondSubscriptionIsFresh) {
    for (int i = 0; i < 20; ++i) {
        const auto sink = std::make_shared<EventSink>();
        // Each time another object behind the same identity, and another QoS.
        const ObjectPrx proxy = client_.subscriber(sink, "cat/target" + std::to_string(i));
        topic_->subscribeAndGetPublisher({{"retryCount", std::to_string(i)}}, proxy);
        EXPECT_THROW(topic_->subscribeAndGetPublisher({}, proxy), IceStorm::AlreadySubscribed);
        topic_->unsubscribe(proxy);
        topic_->subscribeAndGetPublisher({{"reliability", "ordered"}}, proxy);
        for (const char* operation : {"a", "b", "c", "d", "e"}) {
            publish(publisher_, operation);
        }
        EXPECT_THAT(operations(sink->wait_for(5)), ElementsAre("a", "b", "c", "d", "e"));
        topic_->unsubscribe(proxy);
    }
}

TEST_F(SubscriptionsTest, DirectPublisherReachesItsSubscriberOnly) {
    const auto sink = std::make_shared<EventSink>();
    const auto other = std::make_shared<EventSink>();
    const IceStorm::QoS ordered{{"reliability", "ordered"}};
    const ObjectPrx direct =
        topic_->subscribeAndGetPublisher(ordered, client_.subscriber(sink, "a"));
    topic_->subscribeAndGetPublisher(ordered, client_.subscriber(other, "b"));
    publish(direct, "private");
    publish(publisher_, "public");
    EXPECT_THAT(operations(sink->wait_for(2)), ElementsAre("private", "public"));
    EXPECT_THAT(operations(other->wait_for(1)), ElementsAre("public"));
    topic_->unsubscribe(client_.missing_subscriber("a"));
    EXPECT_THROW(publish(direct, "late"), Ice::ObjectNotExistException);
}

TEST_F(SubscriptionsTest, EventArrivesUnchanged) {
    const auto sink = std::make_shared<EventSink>();
    topic_->subscribeAndGetPublisher({{"reliability", "ordered"}}, client_.subscriber(sink, "a"));
    const Ice::ByteSeq old_encoding{9, 0, 0, 0, 1, 0, 'x', 0, 255};
    const Ice::Context context{{"", "empty"}, {"cost", "5"}, {"k", ""}};
    Ice::ByteSeq results;
    for (const int mode : {0, 1, 2, 9, 255}) {
        publisher_->ice_invoke("op", static_cast<Ice::OperationMode>(mode), old_encoding, results,
                               context);
    }
    const auto events = sink->wait_for(5);
    ASSERT_THAT(events, SizeIs(5));
    std::vector<int> modes;
    for (const Received& event : events) {
        EXPECT_EQ(event.operation, "op");
        EXPECT_EQ(event.data, old_encoding);
        EXPECT_EQ(event.context, context);
        modes.push_back(event.mode);
    }
    EXPECT_THAT(modes, ElementsAre(0, 1, 2, 9, 255));
}

TEST_F(SubscriptionsTest, LinkForwardsWhatIsWhole) {
    const auto sink = std::make_shared<EventSink>();
    topic_->subscribeAndGetPublisher({{"reliability", "ordered"}}, client_.subscriber(sink, "a"));
    const auto link = Ice::uncheckedCast<IceStorm::TopicInternalPrx>(topic_)->getLinkProxy();
    const auto mode = Ice::OperationMode::Normal;
    link->forward({});
    link->forward({{"first", mode, no_parameters(), {{"k", "v"}}},
                   {"empty", mode, {}, {}},
                   {"short", mode, {5, 0, 0, 0, 1, 1}, {}},
                   {"trailing", mode, {6, 0, 0, 0, 1, 1, 0}, {}},
                   {"negative", mode, {255, 255, 255, 255, 1, 1}, {}},
                   {"last", Ice::OperationMode::Idempotent, no_parameters(0), {}}});
    const auto events = sink->wait_for(2);
    ASSERT_THAT(operations(events), ElementsAre("first", "last"));
    EXPECT_EQ(events[0].context, (Ice::Context{{"k", "v"}}));
    EXPECT_EQ(events[1].mode, 2);
    EXPECT_EQ(events[1].data, no_parameters(0));
}

TEST_F(SubscriptionsTest, DeadSubscriberIsForgottenAndMayComeBack) {
    const ObjectPrx missing = client_.missing_subscriber("a");
    const ObjectPrx direct = topic_->subscribeAndGetPublisher({}, missing);
    topic_->subscribeAndGetPublisher({}, client_.subscriber(std::make_shared<EventSink>(), "b"));
    publish(publisher_, "e");
    EXPECT_TRUE(eventually([&] { return topic_->getSubscribers().size() == 1; }));
    EXPECT_THAT(topic_->getSubscribers(), ElementsAre(Ice::Identity{"b", ""}));
    EXPECT_THROW(publish(direct, "late"), Ice::ObjectNotExistException);

    const auto sink = std::make_shared<EventSink>();
    topic_->subscribeAndGetPublisher({}, client_.subscriber(sink, "a"));
    publish(publisher_, "again");
    EXPECT_THAT(operations(sink->wait_for(1)), ElementsAre("again"));
    EXPECT_THAT(topic_->getSubscribers(), SizeIs(2));
}

}  // namespace
}  // namespace squall::test
