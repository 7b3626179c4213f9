#include "data/formats/text_files.h"

#include <fmt/format.h>

#include "core/unpack.h"
#include "distributed/gathered.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

void require_cuttable(const std::string& path) {
  if (path == "-")
    throw Error(ErrorCode::usage,
                "several ranks cannot read from standard input: give them a file");
  if (packing_of(path) != Packing::none)
    throw Error(ErrorCode::usage,
                "ranks cannot read parts of a compressed file: convert it to .podium with `podium "
                "prepare`, or give every rank its own file with {rank} in the name",
                {path});
}

}  // namespace

TextLimits text_limits(const ReadOptions& options) {
  return {options.max_line_bytes, options.max_unpacked_bytes};
}

std::shared_ptr<const MappedFile> map_for_parts(const std::string& path, Communicator& comm) {
  require_cuttable(path);
  std::shared_ptr<const MappedFile> file;
  on_every_rank(comm, [&] { file = std::make_shared<const MappedFile>(path); });
  require_one_file(path, file->bytes().size(), "bytes", comm);
  return file;
}

void require_one_file(const std::string& path, std::uint64_t size, std::string_view what,
                      Communicator& comm) {
  const auto sizes = gathered(size, comm);
  for (std::size_t r = 1; r < sizes.size(); ++r)
    if (sizes[r] != sizes[0])
      throw Error(ErrorCode::data,
                  fmt::format("rank {} sees {} {}, but rank 0 sees {}: all ranks need the same "
                              "file, or one each with {{rank}} in its name",
                              r, sizes[r], what, sizes[0]),
                  {path});
}

}  // namespace podium
