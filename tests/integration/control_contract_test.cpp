#include <gmock/gmock.h>

#include "integration/control_host.hpp"

namespace squall::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Mode = Ice::OperationMode;

class ContractTest : public ControlTest {
protected:
    std::shared_ptr<IceStorm::TopicInternalPrx> create_internal(const std::string& name) {
        return Ice::uncheckedCast<IceStorm::TopicInternalPrx>(create(name));
    }

    /// The results of a call without parameters.
    static Ice::ByteSeq invoke(const ObjectPrx& proxy, const std::string& operation, Mode mode,
                               const Ice::ByteSeq& parameters = no_parameters()) {
        Ice::ByteSeq results;
        EXPECT_TRUE(proxy->ice_invoke(operation, mode, parameters, results)) << operation;
        return results;
    }
};

TEST_F(ContractTest, ObjectsNameTheirTypes) {
    const auto topic = create_internal("news");
    EXPECT_EQ(manager_->ice_id(), "::IceStorm::TopicManagerInternal");
    EXPECT_THAT(manager_->ice_ids(), ElementsAre("::Ice::Object", "::IceStorm::TopicManager",
                                                 "::IceStorm::TopicManagerInternal"));
    EXPECT_THAT(topic->ice_ids(),
                ElementsAre("::Ice::Object", "::IceStorm::Topic", "::IceStorm::TopicInternal"));
    EXPECT_THAT(topic->getLinkProxy()->ice_ids(),
                ElementsAre("::Ice::Object", "::IceStorm::TopicLink"));
    EXPECT_TRUE(topic->ice_isA("::IceStorm::Topic"));
    EXPECT_FALSE(topic->ice_isA("::IceStorm::TopicManager"));
}

TEST_F(ContractTest, ProxiesHaveIceStormsIdentities) {
    const auto topic = create_internal("x/y");
    const auto identity = [](const ObjectPrx& proxy) { return proxy->ice_getIdentity(); };
    EXPECT_EQ(identity(manager_), (Ice::Identity{"TopicManager", "IceStorm"}));
    EXPECT_EQ(identity(manager_->retrieve("x/y")), (Ice::Identity{"topic.x/y", "IceStorm"}));
    EXPECT_EQ(identity(topic->getPublisher()), (Ice::Identity{"x/y.publish", "IceStorm"}));
    EXPECT_EQ(identity(topic->getNonReplicatedPublisher()),
              (Ice::Identity{"x/y.publish", "IceStorm"}));
    EXPECT_EQ(identity(topic->getLinkProxy()), (Ice::Identity{"x/y.link", "IceStorm"}));
    const ObjectPrx direct = topic->subscribeAndGetPublisher({}, dead_subscriber("cat/sub1"));
    EXPECT_EQ(identity(direct), (Ice::Identity{"topic.x/y.publish.cat/sub1", "IceStorm"}));
}

TEST_F(ContractTest, ProxiesAreTwowayAndCarryTheirAdaptersEndpoints) {
    const auto topic = create_internal("news");
    const ObjectPrx direct = topic->subscribeAndGetPublisher({}, dead_subscriber("sub"));
    const std::string manager_endpoint = manager_->ice_getEndpoints().at(0)->toString();
    const std::string publish_endpoint =
        topic->getPublisher()->ice_getEndpoints().at(0)->toString();
    EXPECT_NE(manager_endpoint, publish_endpoint);
    EXPECT_EQ(manager_->retrieve("news")->ice_getEndpoints().at(0)->toString(), manager_endpoint);
    for (const ObjectPrx& proxy :
         {direct, ObjectPrx(topic->getLinkProxy()), topic->getNonReplicatedPublisher()}) {
        EXPECT_EQ(proxy->ice_getEndpoints().at(0)->toString(), publish_endpoint);
        EXPECT_TRUE(proxy->ice_isTwoway());
        EXPECT_FALSE(proxy->ice_isSecure());
        EXPECT_EQ(proxy->ice_getFacet(), "");
        EXPECT_EQ(proxy->ice_getEncodingVersion(), Ice::Encoding_1_1);
    }
}

TEST_F(ContractTest, FinderLeadsToTheManager) {
    const BrokerHost host({"--IceStorm.InstanceName=Other"});
    const ObjectPrx manager = client_.proxy(host.manager());
    const auto finder = Ice::checkedCast<IceStorm::FinderPrx>(
        manager->ice_identity(Ice::stringToIdentity("IceStorm/Finder")));
    ASSERT_TRUE(finder);
    EXPECT_THAT(finder->ice_ids(), ElementsAre("::Ice::Object", "::IceStorm::Finder"));
    const auto found = finder->getTopicManager();
    EXPECT_EQ(found->ice_getIdentity(), (Ice::Identity{"TopicManager", "Other"}));
    EXPECT_EQ(found->create("news")->ice_getIdentity(), (Ice::Identity{"topic.news", "Other"}));
}

TEST_F(ContractTest, IdempotentOperationsAcceptEveryMode) {
    const ObjectPrx topic = create("news");
    for (const Mode mode : {Mode::Normal, Mode::Nonmutating, Mode::Idempotent}) {
        for (const char* operation : {"getName", "getPublisher", "getNonReplicatedPublisher",
                                      "getLinkInfoSeq", "getLinkProxy", "ice_id", "ice_ping"}) {
            EXPECT_NO_THROW(invoke(topic, operation, mode)) << operation;
        }
        for (const char* operation :
             {"retrieveAll", "getSliceChecksums", "getReplicaNode", "ice_ids"}) {
            EXPECT_NO_THROW(invoke(manager_, operation, mode)) << operation;
        }
    }
}

TEST_F(ContractTest, OtherOperationsAcceptOnlyNormalMode) {
    const ObjectPrx topic = create("news");
    EXPECT_THROW(invoke(topic, "destroy", Mode::Idempotent), Ice::UnknownLocalException);
    EXPECT_THROW(invoke(topic, "destroy", Mode::Nonmutating), Ice::UnknownLocalException);
    EXPECT_NO_THROW(invoke(topic, "getSubscribers", Mode::Normal));
    EXPECT_NO_THROW(invoke(topic, "destroy", Mode::Normal));
}

TEST_F(ContractTest, AnswersInTheEncodingOfTheRequest) {
    const ObjectPrx topic = create("news");
    const Ice::ByteSeq results = invoke(topic, "getName", Mode::Idempotent, no_parameters(0));
    EXPECT_EQ(results, (Ice::ByteSeq{11, 0, 0, 0, 1, 0, 4, 'n', 'e', 'w', 's'}));
}

TEST_F(ContractTest, PublisherAnswersEveryOperationWithAnEmptyResult) {
    const ObjectPrx publisher = create("news")->getPublisher();
    for (const char* operation : {"anything", "ice_ping", "ice_isA", "ice_ids", ""}) {
        for (const Ice::Byte minor : {Ice::Byte{0}, Ice::Byte{1}}) {
            EXPECT_EQ(invoke(publisher, operation, Mode::Normal, no_parameters(minor)),
                      no_parameters(minor))
                << operation;
        }
    }
}

TEST_F(ContractTest, UnknownObjectsAndFacetsAreRefused) {
    const ObjectPrx publisher = create("news")->getPublisher();
    EXPECT_THROW(publisher->ice_facet("f")->ice_ping(), Ice::FacetNotExistException);
    EXPECT_THROW(publisher->ice_identity({"sports.publish", "IceStorm"})->ice_ping(),
                 Ice::ObjectNotExistException);
    EXPECT_THROW(invoke(manager_, "subscribe", Mode::Normal), Ice::OperationNotExistException);
}

TEST_F(ContractTest, OperationsWithNothingToTellAnswerEmpty) {
    const auto topic = create_internal("news");
    EXPECT_THAT(manager_->getSliceChecksums(), IsEmpty());
    EXPECT_EQ(manager_->getReplicaNode(), nullptr);
    EXPECT_THAT(topic->getLinkInfoSeq(), IsEmpty());
}

TEST_F(ContractTest, ReapChangesNothing) {
    const auto topic = create_internal("news");
    topic->subscribeAndGetPublisher({}, dead_subscriber("sub"));
    topic->reap({});
    topic->reap({{"sub", ""}, {"other", "cat"}, {"", ""}});
    EXPECT_THAT(topic->getSubscribers(), ElementsAre(Ice::Identity{"sub", ""}));
}

TEST_F(ContractTest, LinksAreRefusedWithoutTrace) {
    const auto topic = create_internal("news");
    const TopicPrx other = create("other");
    const auto as_topic = [this](const std::string& text) {
        return Ice::uncheckedCast<IceStorm::TopicPrx>(client_.proxy(text));
    };
    const std::vector<TopicPrx> targets{nullptr,
                                        other,
                                        topic,
                                        Ice::uncheckedCast<IceStorm::TopicPrx>(ObjectPrx(manager_)),
                                        as_topic("IceStorm/topic.gone:tcp -h 127.0.0.1 -p 1"),
                                        as_topic("IceStorm/abc"),
                                        as_topic("abc")};
    for (const TopicPrx& target : targets) {
        EXPECT_THROW(topic->link(target, 0), Ice::UnknownException);
    }
    EXPECT_THAT(topic->getLinkInfoSeq(), IsEmpty());
    EXPECT_THAT(topic->getSubscribers(), IsEmpty());
}

TEST_F(ContractTest, UnlinkNamesTheLinkThatIsNotThere) {
    const TopicPrx topic = create("news");
    EXPECT_THROW(topic->unlink(nullptr), Ice::UnknownException);
    const std::vector<std::pair<std::string, std::string>> targets{
        {"IceStorm/topic.other", "other"}, {"IceStorm/abc", "abc"}, {"plain", "plain"}};
    for (const auto& [target, name] : targets) {
        try {
            topic->unlink(Ice::uncheckedCast<IceStorm::TopicPrx>(client_.proxy(target)));
            ADD_FAILURE() << target;
        } catch (const IceStorm::NoSuchLink& error) {
            EXPECT_EQ(error.name, name);
        }
    }
}

}  // namespace
}  // namespace squall::test
