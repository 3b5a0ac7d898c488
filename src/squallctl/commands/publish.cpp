#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "squallctl/commands/commands.hpp"
#include "squallctl/event_sender.hpp"
#include "squallctl/interrupt.hpp"
#include "squallctl/key_values.hpp"
#include "squallctl/payload.hpp"
#include "squallctl/progress.hpp"
#include "squallctl/summary.hpp"

namespace squall::ctl {
namespace {

using Clock = Interrupt::Clock;

constexpr std::size_t kSizeMax = 1 << 30;

struct Options {
    std::string topic;
    std::string operation;
    std::optional<std::string> text;
    std::optional<std::string> file;
    std::optional<std::size_t> size;
    std::uint64_t count = 1;
    double rate = 0;
    SendMode mode = SendMode::kTwoway;
    std::vector<std::string> context;
    bool quiet = false;
};

std::vector<Ice::Byte> read_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::vector<Ice::Byte> bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) {
        throw OperationError("cannot read the file '" + name + "' of --file");
    }
    return bytes;
}

Payload payload_of(const Options& options) {
    if (options.text) {
        return Payload::text(*options.text);
    }
    if (options.file) {
        return Payload::bytes(read_file(*options.file));
    }
    return options.size ? Payload::numbered(*options.size) : Payload::none();
}

Target publisher_target(const Ice::ObjectPrx& publisher, const std::string& topic) {
    Target target{
        "the publisher of topic '" + topic + "'",
        "the broker stopped, or its IceStorm.Publish.Endpoints cannot be reached from here",
        "the topic was destroyed meanwhile"};
    for (const auto& endpoint : publisher.ice_getEndpoints()) {
        target.name += " (" + endpoint->toString() + ")";
    }
    return target;
}

/// Waits until `due`, with progress lines meanwhile; false when interrupted.
bool pace(const Interrupt& interrupt, Progress& progress, Clock::time_point due) {
    while (!interrupt.wait_until(std::min(due, progress.next()))) {
        progress.show_if_due();
        if (Clock::now() >= due) {
            return true;
        }
    }
    return false;
}

/// Sends all events; false when interrupted.
bool send_all(const Options& options, Payload& payload, EventSender& sender,
              const Interrupt& interrupt) {
    Progress progress(options.count, options.quiet);
    const auto start = Clock::now();
    for (std::uint64_t number = 0; number < options.count; ++number) {
        auto due = start;
        if (options.rate > 0) {
            due += std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(static_cast<double>(number) / options.rate));
            sender.flush_if_due(due);
        }
        if (!pace(interrupt, progress, due) || !sender.send(payload.of(number))) {
            return false;
        }
        progress.count();
    }
    return sender.finish();
}

int run(const BrokerOptions& broker, const Options& options) {
    auto payload = payload_of(options);
    const auto context = parse_key_values(options.context, "--context");
    Interrupt interrupt;
    const Session session(broker);
    const auto topic = session.retrieve(
        options.topic, "create it with `squallctl create '" + options.topic + "'`");
    const auto publisher =
        Session::call(session.topic_target(options.topic), [&] { return topic->getPublisher(); });
    EventSender sender(publisher, options.mode, options.operation, context, payload.of(0).size());
    interrupt.on_stop(sender.canceller());

    const auto start = Clock::now();
    std::string error;
    try {
        if (!send_all(options, payload, sender, interrupt)) {
            error = "interrupted before all " + std::to_string(options.count) + " events were sent";
            sender.abandon();
        }
    } catch (const Ice::Exception&) {
        error = explain(std::current_exception(), publisher_target(*publisher, options.topic));
    }
    std::printf("%s\n", summarize("published", sender.finished(), Clock::now() - start).c_str());
    if (!error.empty()) {
        throw OperationError(error);
    }
    return kExitOk;
}

void add_payload_options(CLI::App& command, Options& options) {
    auto* text = command.add_option("--text", options.text, "Carry one string");
    auto* file =
        command.add_option("--file", options.file, "Carry the file's bytes as a sequence<byte>");
    auto* size =
        command
            .add_option("--size", options.size,
                        "Carry a sequence<byte> of this size, whose first 8 bytes number the "
                        "events from 0 (little-endian)")
            ->check(CLI::Range(std::size_t{0}, kSizeMax));
    text->excludes(file)->excludes(size);
    file->excludes(size);
}

}  // namespace

void add_publish(CLI::App& app, Command& chosen) {
    auto* command = app.add_subcommand("publish", "Publish events to a topic");
    const auto options = std::make_shared<Options>();
    command->add_option("TOPIC", options->topic, "The topic")->required();
    command->add_option("OPERATION", options->operation, "Operation name of the events")
        ->required();
    add_payload_options(*command, *options);
    command->add_option("--count", options->count, "Number of events")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--rate", options->rate, "Events per second, 0 for as fast as possible")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    const auto sets = [options](SendMode mode) {
        return [options, mode] { options->mode = mode; };
    };
    auto* oneway =
        command->add_flag_callback("--oneway", sets(SendMode::kOneway), "Send without replies");
    auto* twoway = command->add_flag_callback("--twoway", sets(SendMode::kTwoway),
                                              "Wait for the broker's replies (default)");
    auto* batch = command->add_flag_callback("--batch", sets(SendMode::kBatch),
                                             "Send without replies, many events in a message");
    oneway->excludes(twoway)->excludes(batch);
    twoway->excludes(batch);
    command->add_option("--context", options->context, "Context entry KEY=VALUE, repeatable")
        ->allow_extra_args(false);
    command->add_flag("--quiet", options->quiet, "No progress lines on stderr");
    command->footer(
        "Examples:\n  squallctl publish demo say --text hello\n"
        "  squallctl publish demo tick --size 100 --count 100000 --oneway");
    command->callback([&chosen, options] {
        chosen = [options](const BrokerOptions& broker) { return run(broker, *options); };
    });
}

}  // namespace squall::ctl
