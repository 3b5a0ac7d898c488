#include "publisher_main.hpp"

#include <exception>
#include <filesystem>
#include <iostream>

namespace squall::bench {

int publisher_main(int argc, char* argv[], void (*publish)(const PublisherOptions&)) {
    try {
        publish(parse_publisher_options(argc, argv));
    } catch (const std::exception& error) {
        std::cerr << std::filesystem::path(argv[0]).filename().string() << ": " << error.what()
                  << '\n';
        return 1;
    }
    return 0;
}

}  // namespace squall::bench
