#include "experiments/report/importance_shares.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace podium {
namespace {

FeatureShares largest_first(FeatureShares shares) {
  std::erase_if(shares, [](const auto& share) { return !(share.second > 0); });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

}  // namespace

std::vector<double> feature_deviations(const Dataset& data) {
  std::vector<double> sum(data.features()), squares(data.features());
  const auto add = [&](std::size_t f, float x) {
    if (std::isnan(x)) return;
    sum[f] += x;
    squares[f] += static_cast<double>(x) * x;
  };
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const Rows rows = data.rows(q);
    for (std::size_t i = 0; i < rows.documents(); ++i) {
      if (rows.is_dense()) {
        const auto values = rows.dense(i);
        for (std::size_t f = 0; f < values.size(); ++f) add(f, values[f]);
      } else {
        const auto [columns, values] = rows.sparse(i);
        for (std::size_t k = 0; k < columns.size(); ++k) add(columns[k], values[k]);
      }
    }
  }
  const auto n = static_cast<double>(std::max<std::size_t>(data.documents(), 1));
  std::vector<double> out(data.features());
  for (std::size_t f = 0; f < out.size(); ++f)
    out[f] = std::sqrt(std::max(0.0, squares[f] / n - sum[f] / n * (sum[f] / n)));
  return out;
}

namespace {

// The effect of a weight is proportional to the deviation of its feature; gains, and weights of
// standardised inputs, include that.
void scale_to_data(const Linear&, const Dataset& inputs, std::vector<double>& sizes) {
  const std::vector<double> spread = feature_deviations(inputs);
  for (std::size_t f = 0; f < sizes.size(); ++f) sizes[f] *= spread[f];
}
void scale_to_data(const Forest&, const Dataset&, std::vector<double>&) {}
void scale_to_data(const Mlp&, const Dataset&, std::vector<double>&) {}
void scale_to_data(const Blend&, const Dataset&, std::vector<double>&) {}

}  // namespace

FeatureShares importance_shares(const SavedModel& saved, const Dataset& inputs) {
  std::vector<double> sizes = importance(saved.model);
  std::visit([&](const auto& kind) { scale_to_data(kind, inputs, sizes); }, saved.model);
  FeatureShares shares;
  double total = 0;
  for (std::size_t f = 0, input = 0; f < saved.features.size(); ++f) {
    double size = 0;
    for (std::size_t k = 0; k < inputs_of(saved, f); ++k) size += sizes[input++];
    shares.emplace_back(saved.features[f], size);
    total += size;
  }
  if (!(total > 0) || !std::isfinite(total)) return {};
  for (auto& [name, share] : shares) share /= total;
  return largest_first(std::move(shares));
}

FeatureShares mean_shares(const std::vector<FeatureShares>& all) {
  std::map<std::string, double> sums;
  double total = 0;
  for (const FeatureShares& shares : all)
    for (const auto& [name, share] : shares) {
      sums[name] += share;
      total += share;
    }
  FeatureShares mean(sums.begin(), sums.end());
  for (auto& [name, share] : mean) share /= total;
  return largest_first(std::move(mean));
}

}  // namespace podium
