# cmake --install: the program, both libraries, the public headers, the module for MPI, what find_package(podium)
# needs, man pages and shell completion. The component `mpi` is a separate package: it needs MPI's libraries.
include(CMakePackageConfigHelpers)
set(podium_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/podium)

install(TARGETS podium_cpp podium_c EXPORT podiumTargets
        LIBRARY COMPONENT podium NAMELINK_COMPONENT podium
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/podium ${PROJECT_BINARY_DIR}/include/podium
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT podium FILES_MATCHING PATTERN *.h)
install(EXPORT podiumTargets NAMESPACE podium:: DESTINATION ${podium_cmake_folder} COMPONENT podium)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/podiumConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/podiumConfig.cmake
                              INSTALL_DESTINATION ${podium_cmake_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/podiumConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/podiumConfig.cmake
              ${PROJECT_BINARY_DIR}/cmake/podiumConfigVersion.cmake
        DESTINATION ${podium_cmake_folder} COMPONENT podium)

if(TARGET podium)
  install(TARGETS podium COMPONENT podium)
endif()
if(TARGET podium_mpi_module)
  install(TARGETS podium_mpi_module DESTINATION ${CMAKE_INSTALL_LIBDIR}/podium COMPONENT mpi)
endif()
if(TARGET podium_interface)
  install(DIRECTORY ${podium_interface_folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT podium)
  # zsh has different folders for completions of system packages and for others.
  install(CODE "
    set(zsh_folder site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(zsh_folder vendor-completions)
    endif()
    file(INSTALL ${podium_zsh_completion}
         DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder})"
          COMPONENT podium)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
        COMPONENT podium)
