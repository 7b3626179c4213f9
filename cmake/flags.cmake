# Flags for every target of the project. -ffp-contract=off: a multiplication and an addition are rounded
# separately on every machine, so that results are the same bits with and without FMA.
add_library(podium_plain_flags INTERFACE)
target_compile_options(podium_plain_flags INTERFACE -Wall -Wextra -Wpedantic -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns about overlapping copies inside std::string's operator+ (GCC bug 105651).
  target_compile_options(podium_plain_flags INTERFACE -Wno-restrict)
endif()
if(PODIUM_WERROR)
  target_compile_options(podium_plain_flags INTERFACE -Werror)
endif()

# The same, with the sanitisers of this build.
add_library(podium_flags INTERFACE)
target_link_libraries(podium_flags INTERFACE podium_plain_flags)
if(PODIUM_SANITIZE)
  target_compile_options(podium_flags INTERFACE -fsanitize=${PODIUM_SANITIZE}
                                                -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(podium_flags INTERFACE -fsanitize=${PODIUM_SANITIZE})
endif()

# For test code, after podium_flags: it compiles in a third of the time, and only the libraries guide a fuzzer.
add_library(podium_test_flags INTERFACE)
target_compile_options(podium_test_flags INTERFACE -O0)
if(PODIUM_SANITIZE MATCHES fuzzer)
  target_compile_options(podium_test_flags INTERFACE -fno-sanitize=fuzzer-no-link)
endif()

# podium_folder_flags(NAME): the flags of podium_NAME. Folders outside PODIUM_SANITIZE_FOLDERS (empty: all are inside)
# are only linked by checked code: without checks and with -O0 they compile five times as fast.
function(podium_folder_flags name)
  if(PODIUM_SANITIZE AND PODIUM_SANITIZE_FOLDERS AND NOT name IN_LIST PODIUM_SANITIZE_FOLDERS)
    target_link_libraries(podium_${name} PRIVATE podium_plain_flags)
    target_compile_options(podium_${name} PRIVATE -O0 -g0)
  else()
    target_link_libraries(podium_${name} PRIVATE podium_flags)
  endif()
endfunction()
