// Detects whether mpirun started this process, and loads MPI if it did.
#pragma once

#include <string>

#include "distributed/mpi/mpi_calls.h"

namespace podium {

// From the environment, in which the launchers of Open MPI, MPICH and PMIx set rank and size.
struct MpiLaunch {
  bool launched = false;
  int rank = 0;
  int size = 0;  // 0: not known
};
MpiLaunch find_mpi_launch();

// Loads the module next to the program or in its library folder. Throws an Error with the reason if
// it cannot.
MpiCalls& load_mpi();

// "Open MPI v4.1.4", or "none" and why.
std::string mpi_version();

}  // namespace podium
