# podium_folder(NAME DEPENDENCY...): the static library podium_NAME from src/NAME and below.
function(podium_folder name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/src/distributed/mpi/")  # for the program only
  # Highway includes a file of kernels again for each instruction set, so it is compiled separately, also in unity builds.
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "(_kernels|/crossing_row|/slab_walk)\\.cc$")
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(sources)
    add_library(podium_${name} STATIC ${sources})
    target_include_directories(podium_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
                                                     ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(podium_${name} PUBLIC ${ARGN})
    podium_folder_flags(${name})
  else()
    add_library(podium_${name} INTERFACE)
    target_include_directories(podium_${name} INTERFACE ${PROJECT_SOURCE_DIR}/include
                                                        ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(podium_${name} INTERFACE ${ARGN})
  endif()
endfunction()

# podium_folder_tests(NAME DEPENDENCY...): the test program podium_NAME_tests from tests/NAME/*_test.cc.
# Folders that read input or manage memory by hand are in the sanitised subset, label memory.
function(podium_folder_tests name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*_test.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(podium_${name}_tests ${sources})
  add_dependencies(unit_tests podium_${name}_tests)
  set(label unit)
  if(name MATCHES "^(core|device|distributed|data|measures|models|trees|server|clicks)$")
    add_dependencies(memory_tests podium_${name}_tests)
    set(label unit-memory)  # found by -L unit and by -L memory
  endif()
  target_include_directories(podium_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(podium_${name}_tests PRIVATE ${ARGN} podium_flags podium_test_flags
                                                     GTest::gmock_main rapidcheck)
  gtest_discover_tests(podium_${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
