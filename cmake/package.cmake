# make package: Debian packages by CPack. `podium` has the program, both libraries with headers, man pages and shell
# completion; `podium-mpi` the module that mpirun needs. dpkg-shlibdeps computes their dependencies.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME podium)
set(CPACK_PACKAGE_VENDOR Podium)
set(CPACK_PACKAGE_CONTACT "Podium developers <podium@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_OUTPUT_FILE_PREFIX packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL podium)
if(TARGET podium_mpi_module)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # and runs ldconfig when libraries are installed or removed
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PODIUM_PACKAGE_NAME podium)
set(CPACK_DEBIAN_PODIUM_PACKAGE_SUGGESTS podium-mpi)
set(CPACK_COMPONENT_PODIUM_DESCRIPTION "learning to rank: train, evaluate and ship ranking models
One program and one C++ library for ranking models on query-grouped feature data: boosted trees, structural SVMs, linear models and networks, \
measures in the conventions of eight tools, comparisons with sound statistics, export to other systems, and scoring from C and over HTTP.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME podium-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "podium (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_MPI_DESCRIPTION "learning to rank: training under mpirun
The module that the program podium loads when mpirun started it.")
include(CPack)
