# podium/version.h from the project's version. Targets that include it link podium_version.
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/include/podium/version.h)
add_library(podium_version INTERFACE)
target_include_directories(podium_version INTERFACE ${PROJECT_BINARY_DIR}/include)
