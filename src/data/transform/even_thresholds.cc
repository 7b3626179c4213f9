// Evenly spaced thresholds, as in [Yue07]'s SVM_acc3 and SVM_acc4: t_i = low + i / (N + 1) · (high
// − low), i = 1 … N. Low and high are the known range of the feature, or the range of its values on
// all ranks.
#include <algorithm>
#include <cmath>
#include <limits>

#include "distributed/gathered.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The smallest and the largest value of each feature; low > high if it has none.
struct Extremes {
  std::vector<float> low, high;

  explicit Extremes(std::size_t features) : low(features, kInfinity), high(features, -kInfinity) {}
  void see(std::size_t feature, float x) {
    if (std::isnan(x)) return;
    low[feature] = std::min(low[feature], x + 0.0F);
    high[feature] = std::max(high[feature], x + 0.0F);
  }
};

Extremes extremes_of(const Dataset& data) {
  const Rows rows = data.rows(0, data.documents());
  Extremes extremes(data.features());
  std::vector<std::size_t> stored(data.features(), 0);
  for (std::size_t d = 0; d < rows.documents(); ++d) {
    if (rows.is_dense()) {
      for (std::size_t f = 0; f < data.features(); ++f) extremes.see(f, rows.dense(d)[f]);
      continue;
    }
    const auto row = rows.sparse(d);
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      extremes.see(row.columns[i], row.values[i]);
      ++stored[row.columns[i]];
    }
  }
  if (!rows.is_dense())
    for (std::size_t f = 0; f < data.features(); ++f)
      if (stored[f] < rows.documents()) extremes.see(f, rows.absent());
  return extremes;
}

Extremes extremes_over_ranks(const Dataset& data, Communicator& comm) {
  const Extremes mine = extremes_of(data);
  Extremes all(data.features());
  for (const auto& values : {gathered(mine.low, comm), gathered(mine.high, comm)})
    for (const std::vector<float>& of_rank : values)
      for (std::size_t f = 0; f < of_rank.size(); ++f)
        if (std::isfinite(of_rank[f])) all.see(f, of_rank[f]);
  return all;
}

}  // namespace

std::vector<std::vector<float>> even_thresholds(const Dataset& data, int count,
                                                std::optional<ValueRange> range, Context& context) {
  if (count < 1) throw Error(ErrorCode::usage, "‹bins›: at least one threshold is needed");
  const Extremes seen = extremes_over_ranks(data, context.comm);
  std::vector<std::vector<float>> cuts(data.features());
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    if (!(seen.low[f] < seen.high[f])) continue;
    const double low = range ? range->low : static_cast<double>(seen.low[f]);
    const double high = range ? range->high : static_cast<double>(seen.high[f]);
    for (int i = 1; i <= count; ++i) {
      const auto cut = static_cast<float>(low + (high - low) * i / (count + 1));
      const bool inside = cut < static_cast<float>(high);  // also after rounding
      if (inside && (cuts[f].empty() || cut > cuts[f].back())) cuts[f].push_back(cut);
    }
  }
  return cuts;
}

}  // namespace podium
