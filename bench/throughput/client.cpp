// throughput_client SERVER DEADLINE_SECONDS [MANAGER]: calls what standard input says, one
// measurement for each line "MODE OPERATION CALLS", until it ends. Writes "ready" once events come
// through, then for each line "SENT_SECONDS DELIVERED_SECONDS PAYLOAD_BYTES".
#include <Ice/Ice.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "contents.hpp"
#include "operations.hpp"
#include "session.hpp"

namespace {

using namespace squall::throughput;

struct Command {
    Mode mode;
    const Operation* operation;
    std::int64_t calls;
};

Command parse(const std::string& line, const std::vector<Operation>& operations) {
    std::istringstream words(line);
    std::string mode;
    std::string name;
    std::int64_t calls = 0;
    words >> mode >> name >> calls;
    const auto found = std::find_if(operations.begin(), operations.end(),
                                    [&](const Operation& one) { return one.name == name; });
    const bool is_mode = mode == "batch" || mode == "oneway" || mode == "twoway";
    if (!is_mode || found == operations.end() || calls < 1) {
        throw std::runtime_error("cannot read '" + line +
                                 "': expected batch, oneway or twoway, an operation of "
                                 "Throughput.ice, and a number of calls above 0");
    }
    return {mode == "batch"    ? Mode::kBatch
            : mode == "oneway" ? Mode::kOneway
                               : Mode::kTwoway,
            &*found, calls};
}

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

void serve(Session& session) {
    const std::vector<Operation> operations = all_operations();
    std::puts("ready");
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
        const Command command = parse(line, operations);
        const Timing timing = session.run(command.mode, *command.operation, command.calls);
        std::printf("%.9f %.9f %zu\n", seconds(timing.sent), seconds(timing.delivered),
                    command.operation->payload_bytes);
        std::fflush(stdout);
    }
    session.finish();
}

}  // namespace

int main(int argc, char* argv[]) {
    try {
        Ice::InitializationData init;
        init.properties = Ice::createProperties();
        init.properties->setProperty("Ice.MessageSizeMax", kMessageSizeMax);
        const Ice::CommunicatorHolder communicator(argc, argv, init);
        if (argc < 3 || argc > 4) {
            throw std::runtime_error("usage: throughput_client SERVER DEADLINE_SECONDS [MANAGER]");
        }
        Session session(communicator.communicator(), argv[1], argc == 4 ? argv[3] : "",
                        std::chrono::seconds(std::stoi(argv[2])));
        serve(session);
        return 0;
    } catch (const Ice::Exception& e) {
        std::fprintf(stderr, "throughput_client: %s\n", e.what());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "throughput_client: %s\n", e.what());
    }
    return 1;
}
