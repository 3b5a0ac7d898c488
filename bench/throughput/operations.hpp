#pragma once

#include <Throughput.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace squall::throughput {

/// One operation of Throughput::Events with its arguments.
struct Operation {
    /// As in the Slice file.
    std::string name;
    /// Bytes of the encoded arguments of one call.
    std::size_t payload_bytes = 0;
    /// Calls it that many times on the proxy, in the proxy's mode.
    std::function<void(Throughput::EventsPrx&, std::int64_t)> repeat;
};

/// All 53, in the order of the Slice file.
std::vector<Operation> all_operations();

}  // namespace squall::throughput
