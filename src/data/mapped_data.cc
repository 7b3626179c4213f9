#include "data/mapped_data.h"

#include "data/data_format.h"
#include "distributed/together.h"

namespace podium {

MappedData::MappedData(const std::vector<std::string>& paths, const ReadOptions& options,
                       const Communicator& comm) {
  for (const std::string& path : paths)
    if (!path.empty() && data_format(path, options.format) == DataFormat::podium)
      stamps_.emplace_back(path_of_rank(path, comm.rank()));
}

void MappedData::require_unchanged(Communicator& comm) const {
  together(comm, [&] {
    for (const FileStamp& stamp : stamps_) stamp.require_unchanged();
  });
}

}  // namespace podium
