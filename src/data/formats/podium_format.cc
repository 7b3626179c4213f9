// The .podium file as a data format: mapped into memory; each rank uses a range of its queries.
#include <algorithm>

#include <fmt/format.h>

#include "core/unpack.h"
#include "data/formats/binary_cache.h"
#include "data/formats/binary_cache_layout.h"
#include "data/formats/column_types.h"
#include "data/formats/data_format.h"
#include "data/formats/text_files.h"
#include "data/shares/storage.h"
#include "data/shares/text_share.h"
#include "data/without_features.h"
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

// The file stores the types of its features: users can only ignore some of them.
Dataset with_wanted_types(const Dataset& data, const ReadOptions& options, const std::string& path,
                          Context& context) {
  std::vector<std::string> ignored;
  on_every_rank(context.comm, [&] {
    for (const WantedType& wanted : wanted_types(options)) {
      const auto& names = data.feature_names();
      const auto found = std::find(names.begin(), names.end(), wanted.column);
      const bool refused = wanted.absent == WantedType::Absent::refused;
      if (found == names.end()) {
        const auto& gone = data.schema().ignored();
        if (!refused || std::find(gone.begin(), gone.end(), wanted.column) != gone.end()) continue;
        throw Error(ErrorCode::data,
                    fmt::format("there is no feature '{}', which {} names{}", wanted.column,
                                wanted.said_by, suggestion(wanted.column, names)),
                    {path});
      }
      const FeatureType type = data.schema().type(static_cast<std::size_t>(found - names.begin()));
      if (wanted.type == FeatureType::ignored)
        ignored.push_back(wanted.column);
      else if (refused && wanted.type != type)
        throw Error(ErrorCode::data,
                    fmt::format("{} says that '{}' is a {}, but it was prepared as a {}: make the "
                                "file again with `podium prepare`",
                                wanted.said_by, wanted.column, to_text(wanted.type), to_text(type)),
                    {path});
    }
  });
  return without_features(data, ignored, path, context);
}

Dataset read_podium_file(const std::string& path, Spread, const ReadOptions& options,
                         Context& context) {
  Dataset data;
  on_every_rank(context.comm, [&] {
    require_mappable(path);
    data = read_binary_cache(path);
  });
  return with_wanted_types(with_common_storage(data, path, context), options, path, context);
}

Dataset read_podium_part(const std::string& path, const ReadOptions& options, Context& context) {
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
  return with_wanted_types(part, options, path, context);
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
