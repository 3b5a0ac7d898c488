#include <gmock/gmock.h>

#include "integration/control_host.hpp"

namespace squall::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;

class TopicsTest : public ControlTest {};

TEST_F(TopicsTest, CreatedTopicIsFound) {
    const TopicPrx topic = create("news");
    EXPECT_EQ(topic->getName(), "news");
    EXPECT_EQ(manager_->retrieve("news")->ice_toString(), topic->ice_toString());
    EXPECT_THAT(manager_->retrieveAll(), ElementsAre(Key("news")));
}

TEST_F(TopicsTest, ExceptionsCarryTheName) {
    create("news");
    try {
        create("news");
        FAIL() << "created twice";
    } catch (const IceStorm::TopicExists& error) {
        EXPECT_EQ(error.name, "news");
    }
    try {
        manager_->retrieve("sports");
        FAIL() << "found what is not there";
    } catch (const IceStorm::NoSuchTopic& error) {
        EXPECT_EQ(error.name, "sports");
    }
}

TEST_F(TopicsTest, CreateOrRetrieveDoesEither) {
    const TopicPrx created = manager_->createOrRetrieve("news");
    EXPECT_EQ(created->getName(), "news");
    EXPECT_EQ(manager_->createOrRetrieve("news")->ice_toString(), created->ice_toString());
    EXPECT_EQ(manager_->retrieveAll().size(), 1U);
}

TEST_F(TopicsTest, DestroyedNameIsFreeAtOnce) {
    for (int i = 0; i < 100; ++i) {
        const TopicPrx topic = i % 2 == 0 ? create("news") : manager_->createOrRetrieve("news");
        if (i % 3 == 0) {
            topic->subscribeAndGetPublisher({}, dead_subscriber("sub"));
        }
        EXPECT_THAT(topic->getSubscribers(), testing::SizeIs(i % 3 == 0 ? 1 : 0));
        topic->destroy();
        EXPECT_THROW(manager_->retrieve("news"), IceStorm::NoSuchTopic);
    }
    EXPECT_THAT(manager_->retrieveAll(), IsEmpty());
}

TEST_F(TopicsTest, DestroyedTopicAnswersNothing) {
    const TopicPrx topic = create("news");
    const auto internal = Ice::uncheckedCast<IceStorm::TopicInternalPrx>(topic);
    const ObjectPrx subscriber = dead_subscriber("sub");
    const TopicPrx other = create("other");
    topic->destroy();
    const std::vector<std::function<void()>> calls{
        [&] { topic->getName(); },
        [&] { topic->getPublisher(); },
        [&] { topic->getNonReplicatedPublisher(); },
        [&] { topic->subscribeAndGetPublisher({}, subscriber); },
        [&] { topic->unsubscribe(subscriber); },
        [&] { topic->link(other, 0); },
        [&] { topic->unlink(other); },
        [&] { topic->getLinkInfoSeq(); },
        [&] { topic->getSubscribers(); },
        [&] { topic->destroy(); },
        [&] { internal->getLinkProxy(); },
        [&] { internal->reap({}); },
        [&] { topic->ice_ping(); }};
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_THROW(calls[i](), Ice::ObjectNotExistException) << "call " << i;
    }
}

TEST_F(TopicsTest, PublishersAndLinkGoWithTheTopic) {
    const TopicPrx topic = create("news");
    const ObjectPrx publisher = topic->getPublisher();
    const ObjectPrx link = Ice::uncheckedCast<IceStorm::TopicInternalPrx>(topic)->getLinkProxy();
    // A ping is an event, and must not end the subscription.
    const ObjectPrx direct =
        topic->subscribeAndGetPublisher({{"retryCount", "-1"}}, dead_subscriber("sub"));
    for (const ObjectPrx& proxy : {publisher, link, direct}) {
        EXPECT_NO_THROW(proxy->ice_ping());
    }
    topic->destroy();
    for (const ObjectPrx& proxy : {publisher, link, direct}) {
        EXPECT_THROW(proxy->ice_ping(), Ice::ObjectNotExistException);
    }
}

TEST_F(TopicsTest, RecreatedTopicStartsEmptyAndAcceptsTheSameSubscriber) {
    const ObjectPrx subscriber = dead_subscriber("sub");
    create("news")->subscribeAndGetPublisher({}, subscriber);
    manager_->retrieve("news")->destroy();
    const TopicPrx again = create("news");
    EXPECT_THAT(again->getSubscribers(), IsEmpty());
    again->subscribeAndGetPublisher({}, subscriber);
    EXPECT_THAT(again->getSubscribers(), ElementsAre(Ice::Identity{"sub", ""}));
}

TEST_F(TopicsTest, AnyNameWorks) {
    const std::vector<std::string> names{
        "",      " ",           "a b",     "x/y",     "a\\b",
        "\"q\"", "'q'",         "tab\tx",  "line\nx", "\x01",
        "größe", "日本語",      "replica", "topic.",  "a.publish",
        "a",     "subscribers", "create",  "a.link",  std::string(65536, 'n')};
    for (const std::string& name : names) {
        const TopicPrx topic = create(name);
        EXPECT_EQ(topic->getName(), name);
        EXPECT_EQ(manager_->retrieve(name)->getName(), name);
        EXPECT_NO_THROW(topic->getPublisher()->ice_ping());
        const ObjectPrx direct = topic->subscribeAndGetPublisher({}, dead_subscriber("sub"));
        EXPECT_NO_THROW(direct->ice_ping());
    }
    for (const auto& [name, topic] : manager_->retrieveAll()) {
        EXPECT_EQ(topic->getName(), name);
    }
    EXPECT_EQ(manager_->retrieveAll().size(), names.size());
    for (const std::string& name : names) {
        manager_->retrieve(name)->destroy();
    }
    EXPECT_THAT(manager_->retrieveAll(), IsEmpty());
}

TEST_F(TopicsTest, NameWhoseObjectsWouldBeAmbiguousIsRefusedAndLeavesNothing) {
    // Subscriber "publish" of topic "a" has a publisher of the same identity as topic
    // "topic.a.publish" has.
    const TopicPrx topic = create("a");
    topic->subscribeAndGetPublisher({}, dead_subscriber("publish"));
    EXPECT_THROW(create("topic.a.publish"), Ice::UnknownException);
    EXPECT_THROW(manager_->retrieve("topic.a.publish"), IceStorm::NoSuchTopic);
    topic->unsubscribe(dead_subscriber("publish"));

    create("topic.a.publish");
    EXPECT_THROW(topic->subscribeAndGetPublisher({}, dead_subscriber("publish")),
                 Ice::UnknownException);
    EXPECT_THAT(topic->getSubscribers(), IsEmpty());
    manager_->retrieve("topic.a.publish")->destroy();
    EXPECT_NO_THROW(topic->subscribeAndGetPublisher({}, dead_subscriber("publish")));
}

}  // namespace
}  // namespace squall::test
