# Everything comes from Debian packages (scripts/packages.txt lists them).
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(BZip2 REQUIRED)

find_program(SLICE2CPP slice2cpp REQUIRED)
find_path(ICE_INCLUDE_DIR Ice/Ice.h REQUIRED)
find_library(ICE_CPP11_LIBRARY Ice++11 REQUIRED)
find_path(ICE_SLICE_DIR Ice/Identity.ice PATHS /usr/share/ice/slice REQUIRED)

# The Ice run time in its C++11 mapping. SYSTEM: its headers are not ours to warn about.
add_library(squall_ice INTERFACE)
add_library(squall::ice ALIAS squall_ice)
target_include_directories(squall_ice SYSTEM INTERFACE ${ICE_INCLUDE_DIR})
target_compile_definitions(squall_ice INTERFACE ICE_CPP11_MAPPING)
target_link_libraries(squall_ice INTERFACE ${ICE_CPP11_LIBRARY} Threads::Threads)

# Asio without its deprecated names.
add_library(squall_asio INTERFACE)
add_library(squall::asio ALIAS squall_asio)
target_compile_definitions(squall_asio INTERFACE BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(squall_asio INTERFACE Boost::headers Threads::Threads)
