// `.podium` files that data is read from as it is used: who writes to one during a training changes
// what is trained on.
#pragma once

#include <string>
#include <vector>

#include "core/file_stamp.h"
#include "podium/communicator.h"
#include "podium/data_io.h"

namespace podium {

class MappedData {
 public:
  // Those of the files (`{rank}` and "" allowed) that are mapped; before they are read.
  MappedData(const std::vector<std::string>& paths, const ReadOptions& options,
             const Communicator& comm);

  // An Error on all ranks where another process wrote to one.
  void require_unchanged(Communicator& comm) const;

 private:
  std::vector<FileStamp> stamps_;
};

}  // namespace podium
