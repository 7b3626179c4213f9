#include "trees/feature_ranges.h"

#include <cstring>

#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kRangeChunk = 65536;  // documents

// Separate arrays for low, high and missing: compilers vectorise these loops.
void add_dense(const Rows& rows, std::vector<FeatureRange>& ranges) {
  const FeatureRange none;
  std::vector<float> low(ranges.size(), none.low), high(ranges.size(), none.high);
  std::vector<std::uint32_t> missing(ranges.size());
  for (std::size_t d = 0; d < rows.documents(); ++d) {
    const float* const row = rows.dense(d).data();
    for (std::size_t f = 0; f < ranges.size(); ++f) {
      const float x = row[f];
      low[f] = x < low[f] ? x : low[f];
      high[f] = x > high[f] ? x : high[f];
      missing[f] |= static_cast<std::uint32_t>(x != x);
    }
  }
  for (std::size_t f = 0; f < ranges.size(); ++f) ranges[f].add({low[f], high[f], missing[f]});
}

std::vector<FeatureRange> chunk_ranges(const Dataset& data, std::size_t begin, std::size_t end) {
  std::vector<FeatureRange> ranges(data.features());
  const Rows rows = data.rows(begin, end);
  if (rows.is_dense()) {
    add_dense(rows, ranges);
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
      context.pool, data.documents(), kRangeChunk, std::vector<FeatureRange>(data.features()),
      [&](std::size_t begin, std::size_t end) { return chunk_ranges(data, begin, end); }, combine);
  for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(ranges)))) {
    if (bytes.size() != ranges.size() * sizeof(FeatureRange))
      throw Error(ErrorCode::training, "ranks have data with different numbers of features");
    std::vector<FeatureRange> part(ranges.size());
    if (!bytes.empty()) std::memcpy(part.data(), bytes.data(), bytes.size());
    combine(ranges, part);
  }
  return ranges;
}

}  // namespace podium
