# Flags for every target of the project. -ffp-contract=off: a multiply and an add stay two
# roundings on every machine, so that results are the same bits with and without FMA.
add_library(podium_flags INTERFACE)
target_compile_options(podium_flags INTERFACE -Wall -Wextra -Wpedantic -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies inside std::string's operator+ (its bug 105651).
  target_compile_options(podium_flags INTERFACE -Wno-restrict)
endif()
if(PODIUM_WERROR)
  target_compile_options(podium_flags INTERFACE -Werror)
endif()
if(PODIUM_SANITIZE)
  target_compile_options(podium_flags INTERFACE -fsanitize=${PODIUM_SANITIZE}
                                                -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(podium_flags INTERFACE -fsanitize=${PODIUM_SANITIZE})
endif()
