# Binaries for wheels. PODIUM_GLIBC_STUBS is a folder of tools/glibc_stubs: start files and stub libraries of an old glibc. Code is
# compiled as usual, by the same compiler with the same headers, so that objects (and therefore all results) are the same as in any other build;
# only linking differs: it binds to the old versions of the C library's functions, and includes libstdc++.
set(PODIUM_GLIBC_STUBS "" CACHE PATH "link for the glibc whose stubs are in this folder (wheels)")
if(PODIUM_GLIBC_STUBS)
  add_library(podium_glibc_compat OBJECT ${PROJECT_SOURCE_DIR}/packaging/wheels/glibc_compat.c)
  set_target_properties(podium_glibc_compat PROPERTIES UNITY_BUILD OFF)
endif()

function(podium_portable target)
  if(PODIUM_GLIBC_STUBS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:podium_glibc_compat>)
    target_link_options(${target} PRIVATE -B${PODIUM_GLIBC_STUBS}/ -L${PODIUM_GLIBC_STUBS} -static-libstdc++
                        -Wl,--allow-shlib-undefined -Wl,--exclude-libs,ALL -Wl,--as-needed)
    target_link_libraries(${target} PRIVATE -lpthread -ldl -lrt)
  endif()
endfunction()
