#include "data/formats/mapped_data.h"

#include "data/formats/data_format.h"
#include "distributed/on_every_rank.h"

namespace podium {

MappedData::MappedData(const std::vector<std::string>& paths, const ReadOptions& options,
                       const Communicator& comm) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::string mine = path_of_rank(path, comm.rank());
    const DataFormat* format = find_format(mine, options.format);
    if (format && format->access == DataFormat::Access::mapped) stamps_.emplace_back(mine);
  }
}

void MappedData::require_unchanged(Communicator& comm) const {
  on_every_rank(comm, [&] {
    for (const FileStamp& stamp : stamps_) stamp.require_unchanged();
  });
}

}  // namespace podium
