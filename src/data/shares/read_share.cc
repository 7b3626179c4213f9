#include "data/shares/read_files.h"

namespace podium {
namespace {

constexpr std::string_view kRank = "{rank}";

}  // namespace

std::string path_of_rank(std::string path, int rank) {
  const std::string number = std::to_string(rank);
  for (std::size_t at = path.find(kRank); at != std::string::npos;
       at = path.find(kRank, at + number.size()))
    path.replace(at, kRank.size(), number);
  return path;
}

Dataset read_share(const std::string& path, const ReadOptions& options, Context& context) {
  const std::string mine = path_of_rank(path, context.comm.rank());
  if (mine != path) return read_whole_file(mine, Spread::file_a_rank, options, context);
  if (context.comm.size() == 1) return read_dataset(path, options, context);
  return read_part_of_file(path, options, context);
}

}  // namespace podium
