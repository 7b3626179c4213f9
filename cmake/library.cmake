# libpodium.so (podium::podium): the folders behind the public headers in one shared library.
# It exports only Podium's names, so that it does not conflict with a user's version of fmt or JSON.
set(podium_cpp_objects)
foreach(folder core device distributed data measures models solvers oracles losses trees line_search learners experiments clicks)
  list(APPEND podium_cpp_objects $<TARGET_OBJECTS:podium_${folder}>)
endforeach()
add_library(podium_cpp SHARED ${podium_cpp_objects})
add_library(podium::podium ALIAS podium_cpp)
target_include_directories(podium_cpp PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
target_compile_features(podium_cpp PUBLIC cxx_std_20)
target_link_libraries(podium_cpp PUBLIC Threads::Threads PRIVATE podium_experiments podium_flags)
target_link_options(podium_cpp PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/libpodium.map)
# Before version 1 a minor version may change the binary interface.
set_target_properties(podium_cpp PROPERTIES OUTPUT_NAME podium EXPORT_NAME podium LINKER_LANGUAGE CXX
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libpodium.map)
