// The .podium file as a data format: mapped into memory, of which ranks take a range of queries
// each.
#include <algorithm>

#include "core/unpack.h"
#include "data/formats/binary_cache.h"
#include "data/formats/binary_cache_layout.h"
#include "data/formats/data_format.h"
#include "data/formats/text_files.h"
#include "data/shares/storage.h"
#include "data/shares/text_share.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::string_view kPodiumSuffixes[] = {".podium"};

bool looks_like_podium(std::string_view bytes) {
  return bytes.starts_with(std::string_view(cache::kMagic.data(), cache::kMagic.size()));
}

void require_mappable(const std::string& path) {
  if (packing_of(path) != Packing::none)
    throw Error(ErrorCode::usage,
                "a .podium file is mapped into memory and cannot be compressed: omit the "
                "compression suffix",
                {path});
  if (path == "-")
    throw Error(ErrorCode::usage,
                "a .podium file is mapped into memory: it cannot be written to standard output");
}

Dataset read_podium_file(const std::string& path, Spread, const ReadOptions&, Context& context) {
  Dataset data;
  on_every_rank(context.comm, [&] {
    require_mappable(path);
    data = read_binary_cache(path);
  });
  return with_common_storage(data, path, context.comm);
}

Dataset read_podium_part(const std::string& path, const ReadOptions&, Context& context) {
  Communicator& comm = context.comm;
  Dataset all;
  on_every_rank(comm, [&] {
    require_mappable(path);
    all = read_binary_cache(path);
  });
  require_one_file(path, all.documents(), "documents", comm);
  Dataset part;
  on_every_rank(comm, [&] {
    const auto begins = all.query_begin();
    const auto first_query = [&](int rank) {
      const std::size_t cut = share_begin(all.documents(), rank, comm.size());
      return static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end() - 1, cut) -
                                      begins.begin());
    };
    part = query_range(all, first_query(comm.rank()), first_query(comm.rank() + 1));
  });
  return part;
}

void write_podium_file(const Dataset& data, const std::string& path, Context&) {
  require_mappable(path);
  write_binary_cache(data, path);
}

}  // namespace

extern const DataFormat kPodiumFormat;
constinit const DataFormat kPodiumFormat = {.name = "podium",
                                            .title = "Podium's binary format",
                                            .suffixes = kPodiumSuffixes,
                                            .sniff = looks_like_podium,
                                            .columns = DataFormat::Columns::unnamed,
                                            .access = DataFormat::Access::mapped,
                                            .read = read_podium_file,
                                            .read_part = read_podium_part,
                                            .write = write_podium_file};

}  // namespace podium
