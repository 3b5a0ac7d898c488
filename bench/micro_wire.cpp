// What one event costs in the wire room: parsing it, writing it for a subscriber, compressing it.
//
//     build/release/bin/micro_wire --benchmark_filter=Batch

#include <benchmark/benchmark.h>

#include <string>

#include "wire/compression.hpp"
#include "wire/prefix.hpp"
#include "wire/reply.hpp"
#include "wire/request.hpp"
#include "wire/tail.hpp"

namespace squall::wire {
namespace {

/// Operation and parameters of an event whose encapsulation holds `payload` bytes.
Buffer event_tail(std::size_t payload) {
    Buffer params;
    put_i32(params, static_cast<std::int32_t>(kEncapsulationHeaderSize + payload));
    put_u8(params, 1);
    put_u8(params, 1);
    for (std::size_t i = 0; i < payload; ++i) {
        put_u8(params, static_cast<std::uint8_t>(i * i));
    }
    Buffer tail(tail_size("report", {}, params));
    store_tail(tail.data(), "report", 0, {}, params);
    return tail;
}

RequestPrefix subscriber_prefix() {
    return RequestPrefix("0b1f8c1e-6b57-4a3e-9f9d-2f7c0f6b8a11", "", "");
}

Buffer batch_message(std::int32_t records, const Buffer& tail) {
    const RequestPrefix prefix = subscriber_prefix();
    const std::size_t size =
        kBatchHeaderSize + static_cast<std::size_t>(records) * (prefix.record_size() + tail.size());
    Buffer message(size);
    std::uint8_t* at = store_batch_header(message.data(), records, size, Compression::kNone);
    for (std::int32_t i = 0; i < records; ++i) {
        at = store_bytes(prefix.store_record(at), tail);
    }
    return message;
}

void count_events(benchmark::State& state, std::int64_t events_per_iteration) {
    state.SetItemsProcessed(state.iterations() * events_per_iteration);
}

void BM_ParseRequest(benchmark::State& state) {
    const Buffer tail = event_tail(static_cast<std::size_t>(state.range(0)));
    const RequestPrefix prefix = subscriber_prefix();
    Buffer message(prefix.request_size() + tail.size());
    store_bytes(prefix.store_request(message.data(), 1, tail.size(), Compression::kNone), tail);
    for ([[maybe_unused]] auto _ : state) {
        Header header;
        std::int32_t id = 0;
        RequestView view;
        benchmark::DoNotOptimize(parse_header(message, 0, header));
        benchmark::DoNotOptimize(parse_request(ByteView(message).subspan(kHeaderSize), id, view));
        benchmark::DoNotOptimize(view);
    }
    count_events(state, 1);
}
BENCHMARK(BM_ParseRequest)->ArgName("payload")->Arg(100)->Arg(10000);

void BM_ParseBatch(benchmark::State& state) {
    const auto records = static_cast<std::int32_t>(state.range(0));
    const Buffer message = batch_message(records, event_tail(100));
    for ([[maybe_unused]] auto _ : state) {
        BatchReader batch(ByteView(message).subspan(kHeaderSize));
        for (RequestView record; batch.next(record);) {
            benchmark::DoNotOptimize(record);
        }
    }
    count_events(state, records);
}
BENCHMARK(BM_ParseBatch)->ArgName("records")->Arg(1)->Arg(100)->Arg(1000);

void BM_StoreRequest(benchmark::State& state) {
    const Buffer tail = event_tail(static_cast<std::size_t>(state.range(0)));
    const RequestPrefix prefix = subscriber_prefix();
    Buffer out(prefix.request_size() + tail.size());
    for ([[maybe_unused]] auto _ : state) {
        store_bytes(prefix.store_request(out.data(), 0, tail.size(), Compression::kNone), tail);
        benchmark::ClobberMemory();
    }
    count_events(state, 1);
}
BENCHMARK(BM_StoreRequest)->ArgName("payload")->Arg(100)->Arg(10000);

void BM_StoreTail(benchmark::State& state) {
    Context context;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        context.emplace("key" + std::to_string(i), "value");
    }
    TailView view;
    const Buffer source = event_tail(100);
    if (parse_tail(source, view) != WireError::kNone) {
        state.SkipWithError("the benchmark's own tail does not parse");
        return;
    }
    Buffer out(tail_size(view.operation, context, view.encapsulation));
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(tail_size(view.operation, context, view.encapsulation));
        store_tail(out.data(), view.operation, view.mode, context, view.encapsulation);
        benchmark::ClobberMemory();
    }
    count_events(state, 1);
}
BENCHMARK(BM_StoreTail)->ArgName("context")->Arg(0)->Arg(4);

void BM_ParseReply(benchmark::State& state) {
    Buffer message;
    append_reply(message, 1, kEncoding11);
    for ([[maybe_unused]] auto _ : state) {
        ReplyView view;
        benchmark::DoNotOptimize(parse_reply(ByteView(message).subspan(kHeaderSize), view));
        benchmark::DoNotOptimize(view);
    }
    count_events(state, 1);
}
BENCHMARK(BM_ParseReply);

void BM_Compress(benchmark::State& state) {
    const auto records = static_cast<std::int32_t>(state.range(0));
    const Buffer message = batch_message(records, event_tail(100));
    Buffer out;
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(compress_message(message, out));
    }
    count_events(state, records);
}
BENCHMARK(BM_Compress)->ArgName("records")->Arg(10)->Arg(500);

void BM_Decompress(benchmark::State& state) {
    const auto records = static_cast<std::int32_t>(state.range(0));
    Buffer packed;
    if (!compress_message(batch_message(records, event_tail(100)), packed)) {
        state.SkipWithError("the benchmark's own batch does not shrink");
        return;
    }
    Buffer out;
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(decompress_message(packed, 0, out));
    }
    count_events(state, records);
}
BENCHMARK(BM_Decompress)->ArgName("records")->Arg(10)->Arg(500);

}  // namespace
}  // namespace squall::wire
