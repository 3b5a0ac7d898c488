#include <gmock/gmock.h>

#include <atomic>

#include "integration/control_host.hpp"

namespace squall::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class RacesTest : public ControlTest {
protected:
    static void publish(const ObjectPrx& publisher) {
        Ice::ByteSeq results;
        publisher->ice_invoke("e", Ice::OperationMode::Normal, no_parameters(), results);
    }

    /// getName of a topic that others may have destroyed.
    static void name_or_gone(const TopicPrx& topic, const std::string& name) {
        try {
            EXPECT_EQ(topic->getName(), name);
        } catch (const Ice::ObjectNotExistException&) {
        }
    }
};

TEST_F(RacesTest, RetrieveAllNeverShowsAHalfMadeTopic) {
    const TopicPrx steady = create("steady");
    const ObjectPrx publisher = steady->getPublisher();
    run_threads(5, [&](int thread) {
        for (int i = 0; i < 40; ++i) {
            if (thread < 2) {
                const TopicPrx topic = create(std::to_string(thread) + "." + std::to_string(i % 3));
                topic->subscribeAndGetPublisher({}, dead_subscriber("sub"));
                topic->destroy();
            } else if (thread < 4) {
                for (const auto& [name, topic] : manager_->retrieveAll()) {
                    name_or_gone(topic, name);
                }
                EXPECT_THAT(steady->getSubscribers(), IsEmpty());
            } else {
                publish(publisher);
            }
        }
    });
    EXPECT_THAT(manager_->retrieveAll(), SizeIs(1));
}

TEST_F(RacesTest, CreatedTopicAnswersUntilItIsDestroyed) {
    run_threads(4, [&](int) {
        for (int i = 0; i < 50; ++i) {
            try {
                // Whoever created it is the only one that destroys it.
                const TopicPrx topic = create("t");
                EXPECT_EQ(topic->getName(), "t");
                EXPECT_NO_THROW(topic->getPublisher()->ice_ping());
                topic->destroy();
            } catch (const IceStorm::TopicExists&) {
                try {
                    name_or_gone(manager_->retrieve("t"), "t");
                } catch (const IceStorm::NoSuchTopic&) {
                }
            }
        }
    });
    EXPECT_EQ(create("t")->getName(), "t");
}

TEST_F(RacesTest, CreateOrRetrieveIsAtomic) {
    run_threads(8, [&](int) {
        for (int i = 0; i < 10; ++i) {
            const std::string name = "t" + std::to_string(i);
            EXPECT_EQ(manager_->createOrRetrieve(name)->getName(), name);
        }
    });
    EXPECT_THAT(manager_->retrieveAll(), SizeIs(10));
}

TEST_F(RacesTest, OneOfManyEqualSubscriptionsWins) {
    const TopicPrx topic = create("t");
    const ObjectPrx subscriber = dead_subscriber("sub");
    for (int round = 0; round < 10; ++round) {
        std::atomic<int> winners{0};
        run_threads(4, [&](int) {
            try {
                topic->subscribeAndGetPublisher({}, subscriber);
                ++winners;
            } catch (const IceStorm::AlreadySubscribed&) {
            }
        });
        EXPECT_EQ(winners, 1);
        EXPECT_THAT(topic->getSubscribers(), SizeIs(1));
        topic->unsubscribe(subscriber);
    }
}

TEST_F(RacesTest, KeptDirectPublisherDeliversOrIsGone) {
    const TopicPrx topic = create("t");
    const auto sink = std::make_shared<EventSink>();
    const ObjectPrx subscriber = client_.subscriber(sink, "sub");
    const ObjectPrx direct = topic->subscribeAndGetPublisher({}, subscriber);
    run_threads(4, [&](int thread) {
        for (int i = 0; i < 60; ++i) {
            if (thread == 0) {
                topic->unsubscribe(subscriber);
                topic->subscribeAndGetPublisher({}, subscriber);
            } else {
                try {
                    publish(direct);
                } catch (const Ice::ObjectNotExistException&) {
                }
            }
        }
    });
    const std::size_t before = sink->wait_for(0).size();
    publish(direct);
    EXPECT_GT(sink->wait_for(before + 1).size(), before);
}

TEST_F(RacesTest, SubscriptionEndsWithItsTopic) {
    for (int round = 0; round < 10; ++round) {
        const TopicPrx topic = create("t");
        run_threads(3, [&](int thread) {
            try {
                if (thread == 0) {
                    topic->destroy();
                } else {
                    topic->subscribeAndGetPublisher({}, dead_subscriber(std::to_string(thread)));
                    topic->unsubscribe(dead_subscriber(std::to_string(thread)));
                }
            } catch (const Ice::ObjectNotExistException&) {
                EXPECT_NE(thread, 0);
            }
        });
        const TopicPrx again = create("t");
        EXPECT_THAT(again->getSubscribers(), IsEmpty());
        again->destroy();
    }
}

}  // namespace
}  // namespace squall::test
