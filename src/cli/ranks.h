// The program as one of the ranks that mpirun started: who prints, and how all end together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "distributed/mpi/mpi_group.h"

namespace podium::cli {

class Ranks {
 public:
  // Joins the others where mpirun started this process. Rank 0 prints, the others' standard output
  // goes nowhere.
  void join();
  // Null: there is only this process.
  MpiGroup* group() const noexcept { return group_.get(); }
  // Throws a usage Error for what several processes cannot do together.
  void require_possible(const std::vector<std::string>& arguments) const;

  // The last words of the program, which return its exit code.
  int finish(int exit_code);
  int fail(const std::exception& error);

 private:
  std::unique_ptr<MpiGroup> group_;
  bool silent_ = false;  // another process says the same
};

}  // namespace podium::cli
