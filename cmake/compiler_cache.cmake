# Compiles with ccache if it is installed. Paths are hashed relative to the source tree, so that
# clones share the cache.
find_program(PODIUM_CCACHE ccache)
if(PODIUM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${PODIUM_CCACHE})
endif()
