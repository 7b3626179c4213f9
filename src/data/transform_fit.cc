// Learns a Transform from data: which features, and at which values to cut them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

constexpr std::size_t kColumnsAChunk = 8;

// One feature's values in ascending order, with the zeros that sparse rows do not store only
// counted.
class SortedColumn {
 public:
  SortedColumn(std::span<float> stored, std::size_t unstored_zeros)
      : stored_(stored), zeros_(unstored_zeros) {
    std::sort(stored.begin(), stored.end());
    negative_ = static_cast<std::size_t>(std::lower_bound(stored.begin(), stored.end(), 0.0F) -
                                         stored.begin());
  }
  std::size_t size() const { return stored_.size() + zeros_; }
  float operator[](std::size_t i) const {
    if (i < negative_) return stored_[i];
    return i < negative_ + zeros_ ? 0.0F : stored_[i - zeros_];
  }
  // The first place after i that holds another value.
  std::size_t next_distinct(std::size_t i) const {
    const float x = (*this)[i];
    std::size_t low = i + 1, high = size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if ((*this)[middle] > x)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

 private:
  std::span<const float> stored_;
  std::size_t zeros_;
  std::size_t negative_ = 0;
};

std::vector<float> thresholds_of(const SortedColumn& column, std::size_t bins) {
  std::vector<float> cuts;
  const std::size_t n = column.size();
  if (n == 0) return cuts;
  std::size_t i = 0;
  for (; i < n && cuts.size() <= bins; i = column.next_distinct(i)) cuts.push_back(column[i]);
  if (cuts.size() <= bins) {
    cuts.pop_back();
    return cuts;
  }
  cuts.clear();
  for (std::size_t b = 1; b < bins; ++b) {
    const float value = column[(b * n + bins - 1) / bins - 1];
    if (value < column[n - 1] && (cuts.empty() || value > cuts.back())) cuts.push_back(value);
  }
  return cuts;
}

std::vector<std::vector<float>> dense_thresholds(const Dataset& data, std::size_t bins,
                                                 ThreadPool& pool) {
  std::vector<std::vector<float>> cuts(data.features());
  const Rows rows = data.rows(0, data.documents());
  parallel_for(pool, data.features(), kColumnsAChunk, [&](std::size_t first, std::size_t last) {
    std::vector<std::vector<float>> columns(last - first);
    for (auto& column : columns) column.reserve(data.documents());
    for (std::size_t d = 0; d < data.documents(); ++d)
      for (std::size_t f = first; f < last; ++f)
        if (const float x = rows.dense(d)[f]; !std::isnan(x)) columns[f - first].push_back(x);
    for (std::size_t f = first; f < last; ++f) {
      cuts[f] = thresholds_of(SortedColumn(columns[f - first], 0), bins);
      std::vector<float>().swap(columns[f - first]);
    }
  });
  return cuts;
}

std::vector<std::vector<float>> sparse_thresholds(const Dataset& data, std::size_t bins,
                                                  ThreadPool& pool) {
  const Rows rows = data.rows(0, data.documents());
  std::vector<std::size_t> begin(data.features() + 1, 0), missing(data.features(), 0);
  for (std::size_t d = 0; d < data.documents(); ++d)
    for (const std::uint32_t c : rows.sparse(d).columns) ++begin[c + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  std::vector<float> by_column(begin.back());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    const auto stored = rows.sparse(d);
    for (std::size_t i = 0; i < stored.columns.size(); ++i) {
      if (std::isnan(stored.values[i]))
        ++missing[stored.columns[i]];
      else
        by_column[next[stored.columns[i]]++] = stored.values[i];
    }
  }
  std::vector<std::vector<float>> cuts(data.features());
  parallel_for(pool, data.features(), kColumnsAChunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t f = first; f < last; ++f) {
      const std::size_t stored = next[f] - begin[f];
      const std::size_t zeros =
          std::isnan(rows.absent()) ? 0 : data.documents() - stored - missing[f];
      cuts[f] = thresholds_of(SortedColumn({by_column.data() + begin[f], stored}, zeros), bins);
    }
  });
  return cuts;
}

}  // namespace

std::vector<std::vector<float>> quantile_thresholds(const Dataset& data, int bins,
                                                    Context& context) {
  if (bins < 2)
    throw Error(ErrorCode::usage, "--bins: at least 2 bins are needed to cut a feature");
  const auto count = static_cast<std::size_t>(bins);
  return data.is_dense() ? dense_thresholds(data, count, context.pool)
                         : sparse_thresholds(data, count, context.pool);
}

const OptionTable<TransformOptions>& transform_option_table() {
  static const OptionTable<TransformOptions> table =
      OptionTable<TransformOptions>()
          .add("features", &TransformOptions::features,
               "the features to keep: 1-10,15 or names (default: all)")
          .add("log1p", &TransformOptions::log1p, "replace x by sign(x) log(1 + |x|)")
          .add("normalize", &TransformOptions::normalize, "rescale each feature within each query",
               normalization_names())
          .add("bins", &TransformOptions::bins,
               "replace each feature by indicators of its quantiles; 0: do not", between(0, 65536));
  return table;
}

Transform fit_transform(const TransformOptions& options, const Dataset& data, Context& context) {
  Transform transform;
  if (!options.features.empty()) transform.features = parse_feature_list(options.features, data);
  transform.log1p = options.log1p;
  transform.normalization = parse_normalization(options.normalize);
  if (options.bins != 0) {
    transform.thresholds = quantile_thresholds(apply(transform, data, context),
                                               static_cast<int>(options.bins), context);
    if (std::all_of(transform.thresholds.begin(), transform.thresholds.end(),
                    [](const auto& cuts) { return cuts.empty(); }))
      throw Error(ErrorCode::data, "--bins: every feature is constant, so there is nothing to cut");
  }
  if (!transform.is_identity() && transform.features.empty())
    transform.features = data.feature_names();
  return transform;
}

}  // namespace podium
