// A Redis publisher on hiredis. At full speed it sends pipelines of --group events, each answered;
// at a fixed rate every event waits for its answer.

#include <hiredis/hiredis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "pacer.hpp"
#include "payload.hpp"
#include "publisher_main.hpp"

namespace squall::bench {
namespace {

/// Threads: confined to its user.
class RedisPublisher {
public:
    RedisPublisher(const PublisherOptions& options)
        : topic_(options.topic), connection_(redisConnect("127.0.0.1", options.port), redisFree) {
        if (!connection_ || connection_->err != 0) {
            throw std::runtime_error(connection_ ? connection_->errstr : "no memory");
        }
    }

    void append(const Payload& payload) {
        std::array<const char*, 3> words{"PUBLISH", topic_.c_str(),
                                         reinterpret_cast<const char*>(payload.data())};
        const std::array<std::size_t, 3> sizes{7, topic_.size(), payload.size()};
        redisAppendCommandArgv(connection_.get(), static_cast<int>(words.size()), words.data(),
                               sizes.data());
        ++unanswered_;
    }

    void collect_answers() {
        for (; unanswered_ > 0; --unanswered_) {
            void* reply = nullptr;
            if (redisGetReply(connection_.get(), &reply) != REDIS_OK) {
                throw std::runtime_error(connection_->errstr);
            }
            const bool good = static_cast<redisReply*>(reply)->type == REDIS_REPLY_INTEGER;
            freeReplyObject(reply);
            if (!good) {
                throw std::runtime_error("the answer to PUBLISH is no number");
            }
        }
    }

private:
    std::string topic_;
    std::unique_ptr<redisContext, void (*)(redisContext*)> connection_;
    std::uint64_t unanswered_ = 0;
};

void publish(const PublisherOptions& options) {
    RedisPublisher publisher(options);
    Payload payload(options.bytes);
    Pacer pacer(options.rate);
    const std::uint64_t group = options.rate > 0 ? 1 : options.group;
    for (std::uint64_t i = 0; i < options.events; ++i) {
        pacer.wait_for(i);
        payload.stamp(i);
        publisher.append(payload);
        if ((i + 1) % group == 0) {
            publisher.collect_answers();
        }
    }
    publisher.collect_answers();
}

}  // namespace
}  // namespace squall::bench

int main(int argc, char* argv[]) {
    return squall::bench::publisher_main(argc, argv, squall::bench::publish);
}
