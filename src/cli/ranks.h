// The program as one of the ranks that mpirun started: which rank prints, and how all ranks end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "distributed/mpi/mpi_group.h"

namespace podium::cli {

class Ranks {
 public:
  // Joins the group if mpirun started this process. Rank 0 prints; the standard output of the
  // others is discarded.
  void join();
  // Null: a single process.
  MpiGroup* group() const noexcept { return group_.get(); }
  // Throws a usage Error for commands that do not support several processes.
  void require_possible(const std::vector<std::string>& arguments) const;

  // Must be called last; returns the exit code of the program.
  int finish(int exit_code);
  int fail(const std::exception& error);

 private:
  std::unique_ptr<MpiGroup> group_;
  bool silent_ = false;  // another process reports the same
};

}  // namespace podium::cli
