# Flags that every target of ours carries, as INTERFACE targets; sanitizers come from the preset.
set(SQUALL_SANITIZE "" CACHE STRING "Sanitizers for our code: empty, address or thread")

add_library(squall_flags INTERFACE)
target_compile_options(squall_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(squall_flags INTERFACE -Wthread-safety)
endif()
if(SQUALL_SANITIZE STREQUAL "address")
  target_compile_options(squall_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(squall_flags INTERFACE -fsanitize=address,undefined)
elseif(SQUALL_SANITIZE STREQUAL "thread")
  # Asio uses fences, which g++ only warns about here; its own locks are seen.
  target_compile_options(squall_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan)
  target_link_options(squall_flags INTERFACE -fsanitize=thread)
endif()

# squall_library(NAME SOURCES... ): one static library per room, seen as squall::NAME.
function(squall_library name)
  add_library(squall_${name} STATIC ${ARGN})
  add_library(squall::${name} ALIAS squall_${name})
  target_include_directories(squall_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(squall_${name} PRIVATE squall_flags)
endfunction()

# squall_executable(NAME SOURCES...): a program in build/<preset>/bin.
function(squall_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE squall_flags)
endfunction()
