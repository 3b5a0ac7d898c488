// Stock oneway subscribers that check what they get: interop_subscribers COUNT EVENTS SECONDS
// Each has an adapter, hence a connection, of its own. Prints one proxy per line, then "ready".
// Ends with status 0 and "complete" when each has had events 0 to EVENTS-1 in order; with status 1
// and a line per subscriber at fault when one got another event than the next, or SECONDS are over.

#include <Ice/Ice.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "numbered_event.hpp"

namespace {

// Counts the subscribers that are complete, and notes the first failure of any.
// Threads: locked by mutex_.
class Outcome {
public:
    explicit Outcome(int subscribers) : missing_(subscribers) {}

    void one_complete() {
        const std::lock_guard<std::mutex> lock(mutex_);
        --missing_;
        changed_.notify_one();
    }

    void failed(const std::string& why) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (failure_.empty()) {
            failure_ = why;
        }
        changed_.notify_one();
    }

    // True when all are complete; false at the first failure or the end of the time.
    bool wait(std::chrono::seconds limit) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait_for(lock, limit, [this] { return missing_ == 0 || !failure_.empty(); });
        return missing_ == 0 && failure_.empty();
    }

    std::string failure() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return failure_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int missing_;
    std::string failure_;
};

// Threads: one connection and a pool of one thread dispatch to it; received() reads after that.
class CheckingSubscriber : public Ice::BlobjectArray {
public:
    CheckingSubscriber(int number, std::int32_t events, Outcome& outcome)
        : number_(number), events_(events), outcome_(outcome) {}

    bool ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> params, std::vector<Ice::Byte>&,
                    const Ice::Current&) override {
        const std::int32_t sequence = squall::load::sequence_of(params);
        if (sequence != next_) {
            std::ostringstream why;
            why << "subscriber " << number_ << ": event " << sequence << " where " << next_
                << " was due";
            outcome_.failed(why.str());
            return true;
        }
        if (++next_ == events_) {
            outcome_.one_complete();
        }
        return true;
    }

    std::int32_t received() const { return next_; }

private:
    const int number_;
    const std::int32_t events_;
    Outcome& outcome_;
    std::int32_t next_ = 0;
};

bool run(int count, std::int32_t events, std::chrono::seconds limit) {
    Outcome outcome(count);
    std::vector<std::shared_ptr<CheckingSubscriber>> subscribers;
    {
        Ice::InitializationData data;
        data.properties = Ice::createProperties();
        data.properties->setProperty("Ice.ThreadPool.Server.Size", "1");
        data.properties->setProperty("Ice.Warn.Connections", "0");
        const Ice::CommunicatorHolder ice(data);
        for (int i = 0; i < count; ++i) {
            const auto number = std::to_string(i);
            const auto adapter =
                ice->createObjectAdapterWithEndpoints("subscriber" + number, "tcp -h 127.0.0.1");
            subscribers.push_back(std::make_shared<CheckingSubscriber>(i, events, outcome));
            const auto proxy =
                adapter->add(subscribers.back(), Ice::stringToIdentity("load/" + number));
            adapter->activate();
            std::cout << proxy->ice_oneway()->ice_toString() << '\n';
        }
        std::cout << "ready" << std::endl;
        if (outcome.wait(limit)) {
            std::cout << "complete" << std::endl;
            return true;
        }
    }
    // Destroying the communicator has ended all dispatches.
    std::cout << outcome.failure() << '\n';
    for (std::size_t i = 0; i < subscribers.size(); ++i) {
        if (subscribers[i]->received() < events) {
            std::cout << "subscriber " << i << ": " << subscribers[i]->received() << " of "
                      << events << " events in order\n";
        }
    }
    return false;
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc != 4) {
        std::cerr << "usage: " << argv[0] << " COUNT EVENTS SECONDS\n";
        return 2;
    }
    try {
        const bool complete =
            run(std::stoi(argv[1]), std::stoi(argv[2]), std::chrono::seconds(std::stoi(argv[3])));
        return complete ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}
