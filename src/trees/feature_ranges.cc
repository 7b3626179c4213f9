#include "trees/feature_ranges.h"

#include <cstring>

#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kChunk = 65536;  // documents

std::vector<FeatureRange> chunk_ranges(const Dataset& data, std::size_t begin, std::size_t end) {
  std::vector<FeatureRange> ranges(data.features());
  const Rows rows = data.rows(begin, end);
  if (rows.is_dense()) {
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      const auto row = rows.dense(d);
      for (std::size_t f = 0; f < row.size(); ++f) ranges[f].add(row[f]);
    }
    return ranges;
  }
  std::vector<std::size_t> stored(data.features());
  for (std::size_t d = 0; d < rows.documents(); ++d) {
    const auto row = rows.sparse(d);
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      ranges[row.columns[i]].add(row.values[i]);
      ++stored[row.columns[i]];
    }
  }
  for (std::size_t f = 0; f < stored.size(); ++f)
    if (stored[f] < rows.documents()) ranges[f].add(rows.absent());
  return ranges;
}

}  // namespace

std::vector<FeatureRange> feature_ranges(const Dataset& data, Context& context) {
  const auto combine = [](std::vector<FeatureRange>& total, const std::vector<FeatureRange>& part) {
    for (std::size_t f = 0; f < total.size(); ++f) total[f].add(part[f]);
  };
  std::vector<FeatureRange> ranges = parallel_reduce(
      context.pool, data.documents(), kChunk, std::vector<FeatureRange>(data.features()),
      [&](std::size_t begin, std::size_t end) { return chunk_ranges(data, begin, end); }, combine);
  for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(ranges)))) {
    if (bytes.size() != ranges.size() * sizeof(FeatureRange))
      throw Error(ErrorCode::training, "ranks bring data with different numbers of features");
    std::vector<FeatureRange> part(ranges.size());
    if (!bytes.empty()) std::memcpy(part.data(), bytes.data(), bytes.size());
    combine(ranges, part);
  }
  return ranges;
}

}  // namespace podium
