// What runs under callgrind: `hot_path_cost single|batch SUBSCRIBERS BURSTS` passes so many bursts.
// Instructions per delivery are the difference between two runs, divided by that of their
// deliveries, so that start and end cancel out (check_cost).

#include <cstdlib>
#include <iostream>
#include <string>

#include "hot_path.hpp"

namespace {

constexpr std::size_t kPayloadBytes = 100;

int usage() {
    std::cerr << "usage: hot_path_cost single|batch SUBSCRIBERS BURSTS\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        return usage();
    }
    const std::string traffic = argv[1];
    const unsigned long subscribers = std::strtoul(argv[2], nullptr, 10);
    const unsigned long bursts = std::strtoul(argv[3], nullptr, 10);
    if ((traffic != "single" && traffic != "batch") || subscribers == 0 || bursts == 0) {
        return usage();
    }
    using squall::bench::HotPath;
    using squall::bench::Traffic;
    HotPath path(traffic == "batch" ? Traffic::kBatch : Traffic::kSingle, subscribers,
                 kPayloadBytes);
    for (unsigned long i = 0; i < bursts; ++i) {
        path.pass_burst();
    }
    std::cout << bursts * HotPath::kBurst * subscribers << " deliveries\n";
}
