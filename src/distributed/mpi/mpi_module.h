// Whether mpirun started this process, and MPI itself, loaded when it did.
#pragma once

#include <string>

#include "distributed/mpi/mpi_calls.h"

namespace podium {

// What the environment says: Open MPI's, MPICH's and PMIx's launchers name rank and size there.
struct MpiLaunch {
  bool launched = false;
  int rank = 0;
  int size = 0;  // 0: not known
};
MpiLaunch find_mpi_launch();

// Loads the module next to the program or in its library folder. Throws an Error that says why it
// cannot.
MpiCalls& load_mpi();

// "Open MPI v4.1.4", or "none" and why.
std::string mpi_version();

}  // namespace podium
