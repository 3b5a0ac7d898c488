// throughput_server: counts the calls that arrive, directly or from a broker. Writes the proxy of
// its control object, and ends when its standard input does.
#include <Ice/Ice.h>
#include <Throughput.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "contents.hpp"

namespace {

using namespace squall::throughput;
using Answer = std::function<void(const Throughput::Tally&)>;

/// What has arrived, and who waits for it.
///
/// Threads: confined to the only thread of the server's pool.
class Counter {
public:
    Throughput::Tally begin(std::string operation, std::int64_t expected) {
        const Throughput::Tally previous = take();
        operation_ = std::move(operation);
        expected_ = expected;
        tally_ = {};
        return previous;
    }

    void count(const std::string& operation, bool is_intact) {
        ++(is_intact && operation == operation_ ? tally_.counted : tally_.strays);
        if (waiter_ && is_over()) {
            answer_waiter();
        }
    }

    void await(Answer answer) {
        waiter_ = std::move(answer);
        if (is_over()) {
            answer_waiter();
        }
    }

    /// The tally. Nobody waits after this: an open call would hold up the end of the server.
    Throughput::Tally take() {
        if (waiter_) {
            answer_waiter();
        }
        return tally_;
    }

private:
    void answer_waiter() { std::exchange(waiter_, nullptr)(tally_); }

    bool is_over() const { return tally_.counted >= expected_ || tally_.strays > 0; }

    std::string operation_;
    std::int64_t expected_ = 0;
    Throughput::Tally tally_{};
    Answer waiter_;
};

// Eight overrides for one type; the values do not matter, the counting does.
#define COUNT_ONE_TO_EIGHT(letter, T)                                        \
    void letter##1(T, const Ice::Current& c) override {                      \
        count(c);                                                            \
    }                                                                        \
    void letter##2(T, T, const Ice::Current& c) override {                   \
        count(c);                                                            \
    }                                                                        \
    void letter##3(T, T, T, const Ice::Current& c) override {                \
        count(c);                                                            \
    }                                                                        \
    void letter##4(T, T, T, T, const Ice::Current& c) override {             \
        count(c);                                                            \
    }                                                                        \
    void letter##5(T, T, T, T, T, const Ice::Current& c) override {          \
        count(c);                                                            \
    }                                                                        \
    void letter##6(T, T, T, T, T, T, const Ice::Current& c) override {       \
        count(c);                                                            \
    }                                                                        \
    void letter##7(T, T, T, T, T, T, T, const Ice::Current& c) override {    \
        count(c);                                                            \
    }                                                                        \
    void letter##8(T, T, T, T, T, T, T, T, const Ice::Current& c) override { \
        count(c);                                                            \
    }

/// Threads: those of Counter.
class EventsServant final : public Throughput::Events {
public:
    explicit EventsServant(Counter& counter) : counter_(counter) {}

    void v(const Ice::Current& c) override { count(c); }
    COUNT_ONE_TO_EIGHT(b, Ice::Byte)
    COUNT_ONE_TO_EIGHT(s, short)
    COUNT_ONE_TO_EIGHT(i, int)
    COUNT_ONE_TO_EIGHT(l, long long)
    COUNT_ONE_TO_EIGHT(f, float)
    COUNT_ONE_TO_EIGHT(d, double)

    void sendByteSeq(Throughput::ByteSeq values, const Ice::Current& c) override {
        compare(values, bytes_, c);
    }
    void sendFixedSeq(Throughput::FixedSeq values, const Ice::Current& c) override {
        compare(values, fixed_, c);
    }
    void sendStringSeq(Throughput::StringSeq values, const Ice::Current& c) override {
        compare(values, strings_, c);
    }
    void sendStringDoubleSeq(Throughput::StringDoubleSeq values, const Ice::Current& c) override {
        compare(values, string_doubles_, c);
    }

private:
    void count(const Ice::Current& current) { counter_.count(current.operation, true); }

    template <class Sequence>
    void compare(const Sequence& got, const Sequence& sent, const Ice::Current& current) {
        const bool is_intact = got.size() == sent.size() && got.back() == sent.back();
        counter_.count(current.operation, is_intact);
    }

    Counter& counter_;
    const Throughput::ByteSeq bytes_ = make_bytes();
    const Throughput::FixedSeq fixed_ = make_fixed();
    const Throughput::StringSeq strings_ = make_strings();
    const Throughput::StringDoubleSeq string_doubles_ = make_string_doubles();
};

#undef COUNT_ONE_TO_EIGHT

/// Threads: those of Counter.
class ControlServant final : public Throughput::Control {
public:
    explicit ControlServant(Counter& counter) : counter_(counter) {}

    Throughput::Tally begin(std::string operation, long long expected,
                            const Ice::Current&) override {
        return counter_.begin(std::move(operation), expected);
    }

    void awaitExpectedAsync(Answer answer, std::function<void(std::exception_ptr)>,
                            const Ice::Current&) override {
        counter_.await(std::move(answer));
    }

    Throughput::Tally current(const Ice::Current&) override { return counter_.take(); }

private:
    Counter& counter_;
};

void serve(const Ice::CommunicatorPtr& communicator) {
    Counter counter;
    const auto adapter =
        communicator->createObjectAdapterWithEndpoints("Throughput", "tcp -h 127.0.0.1");
    adapter->add(std::make_shared<EventsServant>(counter), {"events", ""});
    const auto control = adapter->add(std::make_shared<ControlServant>(counter), {"control", ""});
    adapter->activate();
    std::puts(communicator->proxyToString(control).c_str());
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
    }
    adapter->destroy();
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        Ice::InitializationData init;
        init.properties = Ice::createProperties();
        init.properties->setProperty("Ice.MessageSizeMax", kMessageSizeMax);
        // One thread counts, so that the counter needs no lock.
        init.properties->setProperty("Ice.ThreadPool.Server.Size", "1");
        init.properties->setProperty("Ice.ThreadPool.Server.SizeMax", "1");
        const Ice::CommunicatorHolder communicator(argc, argv, init);
        if (argc > 1) {
            throw std::runtime_error(std::string("unknown argument '") + argv[1] +
                                     "'; only --Ice.* options are taken");
        }
        serve(communicator.communicator());
        return 0;
    } catch (const Ice::Exception& e) {
        std::fprintf(stderr, "throughput_server: %s\n", e.what());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "throughput_server: %s\n", e.what());
    }
    return 1;
}
