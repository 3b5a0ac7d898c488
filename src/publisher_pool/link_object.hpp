#pragma once

#include <cstddef>
#include <cstdint>

#include "event_store/ledger.hpp"
#include "publisher_pool/event_sink.hpp"
#include "publisher_pool/route.hpp"
#include "wire/bytes.hpp"
#include "wire/request.hpp"

namespace squall::pool {

/// Executes a request to a link object, `::IceStorm::TopicLink` (behaviour reference 1.4), and, if
/// `id` is not 0, appends the reply. Returns how many forwarded events were skipped because their
/// data is no encapsulation; the others are published in order.
/// Threads: free function without state.
std::size_t serve_link(const wire::RequestView& request, std::int32_t id, const Route& route,
                       event::Ledger& ledger, EventSink& sink, wire::Buffer& replies);

}  // namespace squall::pool
