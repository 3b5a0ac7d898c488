#include "integration/control_host.hpp"

#include <barrier>
#include <chrono>

namespace squall::test {
broker::LoadedOptions loopback_options(const std::vector<std::string>& arguments,
                                       const std::string& service_name) {
    broker::OptionsSource source;
    source.service_name = service_name;
    source.cores = 2;
    for (const char* adapter : {"TopicManager", "Publish"}) {
        source.arguments.push_back("--" + service_name + "." + adapter +
                                   ".Endpoints=tcp -h 127.0.0.1 -p 0");
    }
    source.arguments.insert(source.arguments.end(), arguments.begin(), arguments.end());
    return broker::load_options(source);
}

BrokerHost::BrokerHost(const std::vector<std::string>& arguments, const std::string& service_name) {
    const broker::LoadedOptions loaded = loopback_options(arguments, service_name);
    broker_ = std::make_unique<broker::Broker>(loaded.options, loaded.properties);
    std::promise<void> ready;
    std::packaged_task<int()> run([this, &ready] {
        try {
            return broker_->run([this, &ready] {
                manager_ = broker_->topic_manager_proxy();
                ready.set_value();
            });
        } catch (...) {
            ready.set_exception(std::current_exception());
            return -1;
        }
    });
    exit_code_ = run.get_future();
    thread_ = std::thread(std::move(run));
    try {
        ready.get_future().get();
    } catch (...) {
        thread_.join();
        throw;
    }
}

BrokerHost::~BrokerHost() {
    if (thread_.joinable()) {
        stop();
    }
}

int BrokerHost::join() {
    thread_.join();
    return exit_code_.get();
}

int BrokerHost::stop() {
    broker_->stop();
    return join();
}

bool EventSink::ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> parameters,
                           std::vector<Ice::Byte>& /*results*/, const Ice::Current& current) {
    const std::lock_guard lock(mutex_);
    events_.push_back({current.operation, static_cast<std::uint8_t>(current.mode), current.ctx,
                       Ice::ByteSeq(parameters.first, parameters.second)});
    arrived_.notify_all();
    return true;
}

std::vector<Received> EventSink::wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, kPatience, [&] { return events_.size() >= count; });
    return events_;
}

Client::Client() {
    Ice::InitializationData data;
    data.properties = Ice::createProperties();
    // A test counts what the broker answers, so nothing may be repeated behind its back.
    data.properties->setProperty("Ice.RetryIntervals", "-1");
    data.properties->setProperty("Ice.ThreadPool.Client.Size", "4");
    holder_ = Ice::CommunicatorHolder(Ice::initialize(data));
    adapter_ = communicator()->createObjectAdapterWithEndpoints("", "tcp -h 127.0.0.1 -p 0");
    adapter_->activate();
}

ManagerPrx Client::manager(const BrokerHost& host) {
    return Ice::checkedCast<IceStorm::TopicManagerInternalPrx>(proxy(host.manager()));
}

ObjectPrx Client::subscriber(const std::shared_ptr<EventSink>& sink, const std::string& name) {
    return adapter_->add(sink, Ice::stringToIdentity(name));
}

ObjectPrx Client::missing_subscriber(const std::string& name) {
    return adapter_->createProxy(Ice::stringToIdentity(name));
}

ControlTest::ControlTest() : manager_(client_.manager(host_)) {}

Ice::ByteSeq no_parameters(Ice::Byte minor) {
    return {6, 0, 0, 0, 1, minor};
}

void run_threads(int count, const std::function<void(int)>& body) {
    std::barrier start(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            try {
                body(i);
            } catch (const std::exception& error) {
                ADD_FAILURE() << "thread " << i << ": " << error.what();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace squall::test
