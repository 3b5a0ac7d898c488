#include "squallctl/event_printer.hpp"

#include <cstdio>
#include <span>

#include "squallctl/preview.hpp"

namespace squall::ctl {
namespace {

// Size and encoding version of the encapsulation.
constexpr std::size_t kEncapsulationHeaderBytes = 6;

}  // namespace

EventPrinter::EventPrinter(std::uint64_t limit, bool quiet, std::function<void()> on_done)
    : limit_(limit), quiet_(quiet), on_done_(std::move(on_done)) {}

bool EventPrinter::ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*> encapsulation,
                              std::vector<Ice::Byte>&, const Ice::Current& current) {
    bool is_done = false;
    {
        const std::lock_guard lock(mutex_);
        if (is_closed_) {
            return true;
        }
        const auto now = Clock::now();
        if (totals_.events++ == 0) {
            first_ = now;
        }
        totals_.elapsed = now - first_;
        if (!quiet_) {
            const auto text = line(encapsulation, current);
            const auto written = std::fwrite(text.data(), 1, text.size(), stdout);
            totals_.is_output_lost = written != text.size() || std::fflush(stdout) != 0;
        }
        is_closed_ = totals_.events == limit_ || totals_.is_output_lost;
        is_done = is_closed_;
    }
    if (is_done) {
        on_done_();
    }
    return true;
}

EventPrinter::Totals EventPrinter::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    return totals_;
}

std::string EventPrinter::line(std::pair<const Ice::Byte*, const Ice::Byte*> encapsulation,
                               const Ice::Current& current) const {
    const auto parameters =
        std::span(encapsulation.first, encapsulation.second).subspan(kEncapsulationHeaderBytes);
    std::string context;
    for (const auto& [key, value] : current.ctx) {
        context += (context.empty() ? "" : ", ") + escape(key) + "=" + escape(value);
    }
    return std::to_string(totals_.events) + " " + escape(current.operation) + " " +
           std::to_string(parameters.size()) + " bytes {" + context + "} " + preview(parameters) +
           "\n";
}

}  // namespace squall::ctl
