#include "publisher_pool/wire_target.hpp"

#include <Ice/Ice.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace squall::pool {
namespace {

/// Proxies from strings; nothing is connected.
class WireTargetTest : public ::testing::Test {
protected:
    ~WireTargetTest() override { forget(); }

    void use(const std::map<std::string, std::string>& properties) {
        forget();
        Ice::InitializationData data;
        data.properties = Ice::createProperties();
        for (const auto& [name, value] : properties) {
            data.properties->setProperty(name, value);
        }
        communicator_ = Ice::initialize(data);
    }

    std::shared_ptr<Ice::ObjectPrx> proxy(const std::string& text) {
        if (!communicator_) {
            use({});
        }
        return communicator_->stringToProxy(text);
    }

    std::optional<WireTarget> target(const std::string& text) {
        return wire_target(proxy(text), true);
    }

    std::string key(const std::string& text) {
        const auto found = target(text);
        EXPECT_TRUE(found) << text;
        return found ? found->key : std::string();
    }

private:
    void forget() {
        if (communicator_) {
            communicator_->destroy();
        }
    }

    Ice::CommunicatorPtr communicator_;
};

TEST_F(WireTargetTest, TakesPlainTcpInEveryModeThatTcpHas) {
    for (const std::string flags : {"", " -t", " -o", " -O"}) {
        const auto found = target("s" + flags + ":tcp -h host.example -p 4711");
        ASSERT_TRUE(found) << flags;
        ASSERT_EQ(found->endpoints.size(), 1U);
        EXPECT_EQ(found->endpoints[0].host, "host.example");
        EXPECT_EQ(found->endpoints[0].port, 4711);
        EXPECT_FALSE(found->endpoints[0].compress);
    }
}

TEST_F(WireTargetTest, KeepsTheOrderOfEndpoints) {
    const auto found = target("s:tcp -h b -p 2:tcp -h a -p 1 -z:tcp -h \"::1\" -p 65535");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->endpoints.size(), 3U);
    EXPECT_EQ(found->endpoints[0].host, "b");
    EXPECT_EQ(found->endpoints[1].host, "a");
    EXPECT_TRUE(found->endpoints[1].compress);
    EXPECT_EQ(found->endpoints[2].host, "::1");
    EXPECT_EQ(found->endpoints[2].port, 65535);
}

TEST_F(WireTargetTest, HasOneKeyForEqualEndpoints) {
    const std::string plain = key("one:tcp -h a -p 1");
    EXPECT_EQ(key("two -o:tcp -h a -p 1"), plain);
    EXPECT_EQ(key("three -f facet:tcp -h a -p 1 -t 500"), plain);
    EXPECT_EQ(key("four -e 1.0:tcp -p 1 -h a"), plain);
}

TEST_F(WireTargetTest, HasDifferentKeysForDifferentEndpoints) {
    const std::string plain = key("s:tcp -h a -p 1");
    EXPECT_NE(key("s:tcp -h a -p 2"), plain);
    EXPECT_NE(key("s:tcp -h b -p 1"), plain);
    EXPECT_NE(key("s:tcp -h a -p 1 -z"), plain);
    EXPECT_NE(key("s:tcp -h a -p 1:tcp -h b -p 1"), plain);
    EXPECT_NE(key("s:tcp -h a -p 1:tcp -h b -p 1"), key("s:tcp -h b -p 1:tcp -h a -p 1"));
}

TEST_F(WireTargetTest, LeavesOtherTransportsToIce) {
    for (const char* text :
         {"s:ws -h a -p 1", "s -d:udp -h a -p 1", "s -D:udp -h a -p 1", "s:udp -h a -p 1",
          "s:tcp -h a -p 1:ws -h a -p 2", "s:opaque -t 42 -e 1.1 -v AAAA",
          "s:tcp -h a -p 1 --sourceAddress 127.0.0.1", "s -s:tcp -h a -p 1",
          "s -d:tcp -h a -p 1"}) {
        EXPECT_FALSE(target(text)) << text;
    }
}

TEST_F(WireTargetTest, LeavesProxiesWithoutEndpointsToIce) {
    EXPECT_FALSE(target("s @ adapter"));
    EXPECT_FALSE(target("s"));
}

TEST_F(WireTargetTest, LeavesRoutersToIce) {
    const auto router =
        Ice::uncheckedCast<Ice::RouterPrx>(proxy("router:tcp -h router.example -p 1"));
    const auto routed = proxy("s:tcp -h a -p 1")->ice_router(router);
    EXPECT_FALSE(wire_target(routed, true));
}

TEST_F(WireTargetTest, LeavesChoosingAnEndpointForEachEventToIce) {
    EXPECT_FALSE(wire_target(proxy("s:tcp -h a -p 1:tcp -h a -p 2"), false));
    EXPECT_TRUE(wire_target(proxy("s:tcp -h a -p 1"), false));
}

TEST_F(WireTargetTest, LeavesAllToIceBehindASocksProxy) {
    use({{"Ice.SOCKSProxyHost", "socks.example"}});
    EXPECT_FALSE(target("s:tcp -h a -p 1"));
}

TEST_F(WireTargetTest, LeavesAllToIceBehindAnHttpProxy) {
    use({{"Ice.HTTPProxyHost", "http.example"}});
    EXPECT_FALSE(target("s:tcp -h a -p 1"));
}

TEST_F(WireTargetTest, LeavesAllToIceWhenOnlySecureTransportsAreAllowed) {
    use({{"Ice.Override.Secure", "1"}});
    EXPECT_FALSE(target("s:tcp -h a -p 1"));
}

TEST_F(WireTargetTest, OverridesCompressionBothWays) {
    use({{"Ice.Override.Compress", "1"}});
    EXPECT_TRUE(target("s:tcp -h a -p 1")->endpoints[0].compress);
    EXPECT_EQ(key("s:tcp -h a -p 1"), key("s:tcp -h a -p 1 -z"));
    use({{"Ice.Override.Compress", "0"}});
    EXPECT_FALSE(target("s:tcp -h a -p 1 -z")->endpoints[0].compress);
}

}  // namespace
}  // namespace squall::pool
