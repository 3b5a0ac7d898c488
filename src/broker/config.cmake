# The configuration: what `squalld` is told, checked and turned into Options.
squall_library(config
  ${CMAKE_CURRENT_LIST_DIR}/effective_configuration.cpp
  ${CMAKE_CURRENT_LIST_DIR}/endpoint_check.cpp
  ${CMAKE_CURRENT_LIST_DIR}/endpoint_text.cpp
  ${CMAKE_CURRENT_LIST_DIR}/icebox_hints.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ignored_properties.cpp
  ${CMAKE_CURRENT_LIST_DIR}/integer_text.cpp
  ${CMAKE_CURRENT_LIST_DIR}/name_check.cpp
  ${CMAKE_CURRENT_LIST_DIR}/nearest_name.cpp
  ${CMAKE_CURRENT_LIST_DIR}/options_loader.cpp
  ${CMAKE_CURRENT_LIST_DIR}/property_table.cpp
  ${CMAKE_CURRENT_LIST_DIR}/settings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/supported_properties.cpp)
target_link_libraries(squall_config PUBLIC squall::ice PRIVATE spdlog::spdlog)
