// `.podium` files are read as their data is used, so another process that writes to one during
// training would change the training data.
#pragma once

#include <string>
#include <vector>

#include "core/file_stamp.h"
#include "podium/communicator.h"
#include "podium/data_io.h"

namespace podium {

class MappedData {
 public:
  // Records which of the files (`{rank}` and "" allowed) are mapped; call it before they are read.
  MappedData(const std::vector<std::string>& paths, const ReadOptions& options,
             const Communicator& comm);

  // Throws an Error on all ranks if another process wrote to one.
  void require_unchanged(Communicator& comm) const;

 private:
  std::vector<FileStamp> stamps_;
};

}  // namespace podium
