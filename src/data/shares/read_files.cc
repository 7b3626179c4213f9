#include "data/shares/read_files.h"

#include <fmt/format.h>

#include "core/file_stamp.h"
#include "data/formats/data_format.h"
#include "data/shares/qids_over_ranks.h"
#include "distributed/gathered.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

// Ranks with separate files may detect different formats.
const DataFormat& format_on_every_rank(const std::string& path, const ReadOptions& options,
                                       Communicator& comm) {
  const DataFormat* format = nullptr;
  on_every_rank(comm, [&] { format = &format_to_read(path, options.format); });
  const auto names = gathered(std::string(format->name), comm);
  for (std::size_t r = 1; r < names.size(); ++r)
    if (names[r] != names[0])
      throw Error(ErrorCode::data,
                  fmt::format("rank {} reads its file as {}, but rank 0 reads it as {}", r,
                              names[r], names[0]),
                  {path});
  return *format;
}

// If one rank saw the file change, all ranks throw.
template <class Read>
Dataset read_on_every_rank(const std::string& path, Context& context, Read&& read) {
  context.observer.phase("reading " + path);
  const FileStamp stamp(path);
  try {
    Dataset data = read();
    on_every_rank(context.comm, [&] { stamp.require_unchanged(); });
    return data;
  } catch (const Error&) {
    stamp.require_unchanged();
    throw;
  }
}

}  // namespace

Dataset read_whole_file(const std::string& path, Spread spread, const ReadOptions& options,
                        Context& context) {
  return read_on_every_rank(path, context, [&] {
    const DataFormat& format = format_on_every_rank(path, options, context.comm);
    Dataset data = format.read(path, spread, options, context);
    require_queries_apart(data, path, context.comm);
    return data;
  });
}

Dataset read_part_of_file(const std::string& path, const ReadOptions& options, Context& context) {
  return read_on_every_rank(path, context, [&] {
    return format_on_every_rank(path, options, context.comm).read_part(path, options, context);
  });
}

}  // namespace podium
