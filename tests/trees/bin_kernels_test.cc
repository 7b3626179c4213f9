#include "trees/bin_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/on_each_target.h"

namespace podium::bin_kernels_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class FindBinsOn : public testing::OnEachTarget {};
PODIUM_ON_EACH_TARGET(FindBinsOn);

// Features with various numbers of thresholds; the last has the first position in the row.
std::vector<BinnedFeature> features() {
  std::vector<BinnedFeature> out;
  for (const int thresholds : {0, 1, 2, 15, 16, 17, 31, 32, 100, 239, 240, 253, 254}) {
    BinnedFeature feature;
    for (int i = 0; i < thresholds; ++i)
      feature.thresholds.push_back(static_cast<float>(i - thresholds / 3) * 0.37F);
    out.push_back(feature);
  }
  for (std::size_t f = 0; f < out.size(); ++f)
    out[f].feature = static_cast<std::uint32_t>(out.size() - 1 - f);
  return out;
}

// Every threshold, its neighbours, and special floats.
std::vector<float> values_around(const std::vector<BinnedFeature>& features) {
  std::vector<float> out = {0.0F, -0.0F, kInfinity, -kInfinity, std::nanf(""), -std::nanf("")};
  for (const float t : features.back().thresholds)
    out.insert(out.end(), {t, std::nextafter(t, kInfinity), std::nextafter(t, -kInfinity)});
  return out;
}

std::uint8_t expected_bin(const BinnedFeature& feature, float x) {
  if (std::isnan(x)) return static_cast<std::uint8_t>(feature.value_bins());
  const auto& thresholds = feature.thresholds;
  return static_cast<std::uint8_t>(std::lower_bound(thresholds.begin(), thresholds.end(), x) -
                                   thresholds.begin());
}

TEST_P(FindBinsOn, CountsTheThresholdsBelow) {
  const std::vector<BinnedFeature> all = features();
  const std::vector<float> values = values_around(all);
  std::vector<BinTable> tables(all.begin(), all.end());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < all.size(); ++c) columns.push_back(c);

  // Rows with one value everywhere, except in a column that is not used.
  const std::size_t width = all.size(), stride = width + 1;
  std::vector<float> rows(values.size() * stride, -1);
  for (std::size_t d = 0; d < values.size(); ++d)
    for (std::size_t f = 0; f < width; ++f) rows[d * stride + f] = values[(d + f) % values.size()];
  std::vector<std::uint8_t> bins(values.size() * width);
  find_bins(tables, columns, RowsToBin{rows.data(), stride, values.size()}, bins.data());
  for (std::size_t d = 0; d < values.size(); ++d) {
    std::vector<float> of_row;
    for (const BinnedFeature& feature : all) of_row.push_back(rows[d * stride + feature.feature]);
    std::vector<std::uint8_t> one_by_one(width);
    find_bins(tables, columns, of_row.data(), one_by_one.data());
    for (std::size_t c = 0; c < width; ++c) {
      ASSERT_EQ(bins[d * width + c], expected_bin(all[c], of_row[c])) << of_row[c] << " " << c;
      ASSERT_EQ(one_by_one[c], bins[d * width + c]);
    }
  }
}

}  // namespace
}  // namespace podium::bin_kernels_test
