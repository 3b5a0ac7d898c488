#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "integration/ingress_fixture.hpp"

// How a publisher's connection ends, by whom and with what in the log.

namespace squall::test {
namespace {

using wire::ReplyStatus;

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

/// A topic with one oneway subscriber and a good publisher, who must not notice anything.
class IngressEndTest : public IngressTest {
protected:
    void serve_with_subscriber() {
        options.publisher_message_size_max = 100'000;
        serve();
        subscribe(fake_.proxy("s -o"));
        other_ = std::make_unique<FakePublisher>(address());
    }

    void expect_numbers(int first, int last) {
        const std::vector<int> expected = numbers_from_to(first, last);
        EXPECT_TRUE(eventually([&] { return fake_.received_count() >= expected.size(); }));
        EXPECT_EQ(fake_.numbers(), expected);
    }

    void expect_other_is_served(int number) {
        EXPECT_EQ(other_->ask(request(number, numbered(number))).status, ReplyStatus::kOk);
    }

    /// The only line about a lost connection; it names this peer.
    std::string lost_line(const std::string& peer) {
        EXPECT_TRUE(eventually([&] { return !lost_lines().empty(); }));
        const std::vector<std::string> lines = lost_lines();
        EXPECT_EQ(lines.size(), 1U);
        EXPECT_NE(lines.front().find("warning publisher connection lost peer=\"" + peer + '"'),
                  std::string::npos)
            << lines.front();
        return lines.front();
    }

private:
    FakeSubscriber fake_;
    std::unique_ptr<FakePublisher> other_;
};

TEST_F(IngressEndTest, TooLargeMessageEndsOnlyItsConnection) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(oneways(1, 3)));
    wire::Buffer header(wire::kHeaderSize);
    wire::store_header(header.data(), wire::MessageType::kRequest, wire::Compression::kNone,
                       100'001);
    ASSERT_TRUE(publisher.send(header));
    EXPECT_TRUE(publisher.read_to_end());
    expect_numbers(1, 3);
    const std::string line = lost_line(publisher.name());
    EXPECT_NE(line.find("100001 bytes exceeds 100000"), std::string::npos) << line;
    EXPECT_NE(line.find("Ice.MessageSizeMax"), std::string::npos) << line;
    expect_other_is_served(4);
}

TEST_F(IngressEndTest, MessageOfTheLargestSizeIsServed) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const std::size_t others = request(1, numbered(1)).size();
    const wire::Buffer largest = request(1, numbered(1, 100'000 - others));
    ASSERT_EQ(largest.size(), 100'000U);
    EXPECT_EQ(publisher.ask(largest).status, ReplyStatus::kOk);
}

TEST_F(IngressEndTest, LogOfAMessageThatIsTooLargeUncompressedNamesThatSize) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const wire::Buffer plain = request(0, numbered(1, 200'000));
    const wire::Buffer bytes = compressed(plain);
    ASSERT_LT(bytes.size(), 100'000U);
    ASSERT_TRUE(publisher.send(bytes));
    EXPECT_TRUE(publisher.read_to_end());
    const std::string line = lost_line(publisher.name());
    const std::string expected = std::to_string(plain.size()) + " bytes exceeds 100000";
    EXPECT_NE(line.find(expected), std::string::npos) << line;
    expect_other_is_served(1);
}

struct BadPublisher {
    std::string name;
    wire::Buffer bytes;
};

wire::Buffer with_byte(std::size_t at, std::uint8_t value) {
    wire::Buffer bytes = request(1, numbered(1));
    bytes.at(at) = value;
    return bytes;
}

wire::Buffer damaged_compressed() {
    wire::Buffer bytes = compressed(request(1, numbered(1, 5000)));
    bytes.at(bytes.size() / 2) ^= 0xff;
    return bytes;
}

/// A batch with two good records and a broken one.
wire::Buffer broken_batch() {
    Record broken = numbered(3);
    wire::store_i32(broken.params.data(), 5);
    return batch({numbered(1), numbered(2), broken});
}

std::vector<BadPublisher> bad_publishers() {
    return {
        {"SendsGarbage", wire::Buffer(100, 0x5a)},
        {"SendsAWrongProtocol", with_byte(4, 2)},
        {"SendsAWrongEncoding", with_byte(6, 2)},
        {"SendsAnUnknownType", with_byte(8, 5)},
        {"SendsAnUnknownCompression", with_byte(9, 3)},
        {"SendsANegativeSize", with_byte(13, 0x80)},
        {"SendsATinySize", with_byte(10, 13)},
        {"SendsARequestWithoutABody", message(wire::MessageType::kRequest, {})},
        {"SendsDamagedCompressedData", damaged_compressed()},
        {"SendsABatchOfAnImpossibleCount",
         message(wire::MessageType::kBatchRequest, wire::Buffer{255, 255, 255, 127})},
    };
}

class IngressBadPublisherTest : public IngressEndTest,
                                public ::testing::WithParamInterface<BadPublisher> {};

INSTANTIATE_TEST_SUITE_P(Publishers, IngressBadPublisherTest, ::testing::ValuesIn(bad_publishers()),
                         [](const auto& bad) { return bad.param.name; });

TEST_P(IngressBadPublisherTest, OnlyItsOwnConnectionEndsWithOneLine) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(joined({oneways(1, 2), GetParam().bytes, oneways(100, 110)})));
    EXPECT_TRUE(publisher.read_to_end());
    const std::string line = lost_line(publisher.name());
    EXPECT_NE(line.find("sent a broken message: "), std::string::npos) << line;
    expect_other_is_served(3);
    expect_numbers(1, 3);
}

TEST_F(IngressEndTest, BatchIsExecutedUpToItsBrokenRecord) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(joined({broken_batch(), oneways(9, 9)})));
    EXPECT_TRUE(publisher.read_to_end());
    lost_line(publisher.name());
    expect_numbers(1, 2);
}

TEST_F(IngressEndTest, AnswersOfRequestsBeforeABrokenMessageMayBeLostButEventsAreNot) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(
        publisher.send(joined({oneways(1, 50), request(1, numbered(51)), wire::Buffer(14, 0x5a)})));
    EXPECT_TRUE(publisher.read_to_end());
    expect_numbers(1, 51);
}

TEST_F(IngressEndTest, GoodbyeOfThePublisherEndsTheConnectionWithoutALine) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(
        joined({oneways(1, 5), {wire::kCloseMessage.begin(), wire::kCloseMessage.end()}})));
    EXPECT_EQ(publisher.read_message(), std::nullopt);
    expect_other_is_served(6);
    expect_numbers(1, 6);
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressEndTest, NothingAfterThePublishersGoodbyeIsExecuted) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(joined({oneways(1, 1),
                                       {wire::kCloseMessage.begin(), wire::kCloseMessage.end()},
                                       oneways(100, 200)})));
    EXPECT_TRUE(publisher.read_to_end());
    expect_other_is_served(2);
    expect_numbers(1, 2);
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressEndTest, PublisherThatLeavesWithoutGoodbyeLosesNothing) {
    serve_with_subscriber();
    {
        FakePublisher publisher(address());
        ASSERT_TRUE(publisher.send(oneways(1, 1000)));
        publisher.close();
    }
    expect_numbers(1, 1000);
    expect_other_is_served(1001);
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressEndTest, EndInTheMiddleOfAMessageLeavesOneLine) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const std::string name = publisher.name();
    const wire::Buffer bytes = request(1, numbered(1, 5000));
    ASSERT_TRUE(publisher.send(wire::ByteView(bytes).first(1000)));
    publisher.close();
    const std::string line = lost_line(name);
    EXPECT_NE(line.find("ended in the middle of a message"), std::string::npos) << line;
    expect_other_is_served(2);
}

TEST_F(IngressEndTest, ResetLeavesOneLine) {
    serve_with_subscriber();
    FakePublisher publisher(address());
    const std::string name = publisher.name();
    EXPECT_EQ(publisher.ask(request(1, numbered(1))).id, 1);
    publisher.cut();
    lost_line(name);
    expect_other_is_served(2);
}

TEST_F(IngressEndTest, NoLineWhenConnectionWarningsAreOff) {
    options.network.warn = false;
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(wire::Buffer(14, 0x5a)));
    EXPECT_TRUE(publisher.read_to_end());
    expect_other_is_served(1);
    EXPECT_TRUE(lost_lines().empty());
}

TEST_F(IngressEndTest, ComingAndGoingIsTracedOnRequest) {
    options.network.trace = true;
    serve_with_subscriber();
    FakePublisher publisher(address());
    ASSERT_TRUE(publisher.send(wire::kCloseMessage));
    EXPECT_TRUE(publisher.read_to_end());
    const std::string peer = "info publisher connection peer=\"" + publisher.name() + '"';
    ASSERT_TRUE(eventually([&] { return log().lines_with(peer).size() == 2; }));
    EXPECT_NE(log().lines_with(peer)[0].find("accepted"), std::string::npos);
    EXPECT_NE(log().lines_with(peer)[1].find("closed by the publisher"), std::string::npos);
}

TEST_F(IngressEndTest, ManyConnectionsThatComeAndGoLeaveNothing) {
    options.shards = 2;
    serve_with_subscriber();
    expect_other_is_served(1);
    expect_numbers(1, 1);  // now the subscriber's connection has both of its descriptors
    const std::size_t before = open_descriptors();
    const wire::Buffer half = request(1, numbered(0, 5000));
    for (int i = 0; i < 50; ++i) {
        FakePublisher says_goodbye(address());
        ASSERT_TRUE(says_goodbye.send(wire::kCloseMessage));
        FakePublisher closes(address());
        EXPECT_EQ(closes.ask(request(1, numbered_to_quiet(1))).id, 1);
        FakePublisher cuts(address(), {.await_validation = false});
        cuts.cut();
        FakePublisher breaks_off(address());
        ASSERT_TRUE(breaks_off.send(wire::ByteView(half).first(100)));
    }
    EXPECT_TRUE(eventually([&] { return open_descriptors() == before; }))
        << open_descriptors() << " descriptors, before " << before;
    EXPECT_TRUE(eventually([&] { return pool().ledger().events() == 0; }));
    expect_other_is_served(2);
}

}  // namespace
}  // namespace squall::test
