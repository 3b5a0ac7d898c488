#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "publisher_pool/event_sink.hpp"
#include "wire/tail.hpp"

namespace squall::test {

/// Keeps the events that a dispatcher makes. Threads: one.
class RecordingSink final : public pool::EventSink {
public:
    struct Published {
        std::uint64_t route;
        event::EventPtr event;
    };

    void publish(const pool::Route& route, event::EventPtr event) override {
        published_.push_back({route.id(), std::move(event)});
    }

    const std::vector<Published>& published() const { return published_; }
    std::size_t count() const { return published_.size(); }
    const event::Event& event(std::size_t index) const { return *published_.at(index).event; }
    wire::Buffer tail(std::size_t index) const {
        const wire::ByteView tail = event(index).tail();
        return {tail.begin(), tail.end()};
    }
    std::vector<std::string> operations() const {
        std::vector<std::string> names;
        for (const Published& one : published_) {
            wire::TailView view;
            static_cast<void>(wire::parse_tail(one.event->tail(), view));
            names.emplace_back(view.operation);
        }
        return names;
    }
    void clear() { published_.clear(); }

private:
    std::vector<Published> published_;
};

}  // namespace squall::test
