#include "trees/histogram.h"

#include <gtest/gtest.h>

#include "trees/tree_data.h"

namespace podium::histogram_test {
namespace {

using testing::Bench;
using testing::mixed_data;

std::vector<DerivativeSums> sum_plainly(const BinnedDataset& data,
                                        std::span<const std::uint32_t> documents,
                                        std::span<const std::uint64_t> words) {
  std::vector<DerivativeSums> sums(data.total_bins());
  for (const std::uint32_t d : documents)
    for (std::size_t c = 0; c < data.columns().size(); ++c)
      sums[data.columns()[c].first_bin + data.bin_of(c, d)] += unpack(words[d]);
  return sums;
}

std::vector<std::uint32_t> every(std::size_t step, std::size_t documents) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t d = 0; d < documents; d += step) chosen.push_back(static_cast<std::uint32_t>(d));
  return chosen;
}

std::vector<std::uint64_t> draw_words(std::size_t n, std::int64_t largest) {
  Random random(4);
  std::vector<std::uint64_t> words(n);
  for (auto& word : words) {
    const auto g = static_cast<std::int64_t>(random.below(2 * static_cast<std::uint64_t>(largest)));
    word = pack(g - largest, static_cast<std::int64_t>(random.below(kMostSecond)));
  }
  return words;
}

TEST(Histogram, EqualsPlainSums) {
  const Dataset data = mixed_data(150, 100, 43, 1);
  const auto words = draw_words(data.documents(), kMostFirst);
  for (const double sparse_from : {0.5, 2.0}) {
    for (const int threads : {1, 2, 4}) {
      Bench bench(threads);
      const BinnedDataset binned =
          BinnedDataset::bin(data, {.sparse_from = sparse_from}, bench.context);
      HistogramBuilder builder(binned, bench.pool);
      std::vector<DerivativeSums> out(binned.total_bins(), {7, 7, 7});
      for (const std::size_t step : {1, 2, 9, 400, 20000}) {
        const auto documents = every(step, data.documents());
        const DerivativeSums total = builder.build(documents, words, out);
        EXPECT_EQ(out, sum_plainly(binned, documents, words)) << "one in " << step;
        DerivativeSums expected;
        for (const std::uint32_t d : documents) expected += unpack(words[d]);
        EXPECT_EQ(total, expected);
      }
      builder.build({}, words, out);
      EXPECT_EQ(out, std::vector<DerivativeSums>(binned.total_bins()));
    }
  }
}

TEST(Histogram, EveryBlockWidthIsRight) {
  for (std::size_t features = 1; features <= 40; ++features) {
    Random random(features);
    std::vector<float> values(500 * features);
    for (float& x : values) x = static_cast<float>(random.below(300));
    const Dataset data =
        testing::make_dataset({500}, features, std::move(values), std::vector<float>(500));
    const auto words = draw_words(500, 50);
    Bench bench;
    const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
    HistogramBuilder builder(binned, bench.pool);
    std::vector<DerivativeSums> out(binned.total_bins());
    for (const std::size_t step : {1, 3}) {
      const auto documents = every(step, 500);
      builder.build(documents, words, out);
      ASSERT_EQ(out, sum_plainly(binned, documents, words));
    }
  }
}

// Every document with the largest derivatives, in one bin: any field would overflow many times.
TEST(Histogram, FieldsDoNotOverflow) {
  const std::size_t n = 200000;
  std::vector<float> values(3 * n);
  for (std::size_t d = 0; d < n; ++d) {
    values[3 * d] = d == 17;
    values[3 * d + 1] = static_cast<float>(d % 2);
    values[3 * d + 2] = d == 5 ? 0.0F : 1.0F;
  }
  const Dataset data = testing::make_dataset({n}, 3, std::move(values), std::vector<float>(n));
  for (const auto& [g, h] : {std::pair{kMostFirst, kMostSecond},
                             {-kMostFirst, kMostSecond},
                             {-kMostFirst, std::int64_t{0}},
                             {std::int64_t{0}, std::int64_t{0}}}) {
    const std::vector<std::uint64_t> words(n, pack(g, h));
    for (const double sparse_from : {0.9, 2.0}) {
      Bench bench(2);
      const BinnedDataset binned =
          BinnedDataset::bin(data, {.sparse_from = sparse_from}, bench.context);
      HistogramBuilder builder(binned, bench.pool);
      std::vector<DerivativeSums> out(binned.total_bins());
      const auto documents = every(1, n);
      builder.build(documents, words, out);
      EXPECT_EQ(out, sum_plainly(binned, documents, words));
    }
  }
}

TEST(Histogram, SumsOnlyTheColumnsInUse) {
  const Dataset data = mixed_data(20, 50, 40, 2);
  const auto words = draw_words(data.documents(), 300);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  HistogramBuilder builder(binned, bench.pool);
  const std::vector<std::uint32_t> used = {1, 2, 3, 5, 6, 9, 10, 11, 12, 13, 20, 33};
  builder.use_columns(used);
  std::vector<DerivativeSums> out(binned.total_bins());
  for (const std::size_t step : {1, 2}) {
    const auto documents = every(step, data.documents());
    const auto expected = sum_plainly(binned, documents, words);
    builder.build(documents, words, out);
    for (const std::uint32_t c : used) {
      const BinnedFeature& feature = binned.columns()[c];
      for (std::uint32_t b = 0; b < feature.bins(); ++b)
        ASSERT_EQ(out[feature.first_bin + b], expected[feature.first_bin + b]);
    }
  }
}

TEST(Histogram, SubtractsBinByBin) {
  BinnedFeature feature;
  feature.thresholds.resize(3);
  feature.first_bin = 2;
  std::vector<DerivativeSums> large(8, {5, 6, 7}), small(8, {1, 2, 3});
  subtract(large, small, feature);
  for (std::size_t b = 0; b < large.size(); ++b)
    EXPECT_EQ(large[b], b >= 2 && b < 6 ? DerivativeSums({4, 4, 4}) : DerivativeSums({5, 6, 7}));
}

}  // namespace
}  // namespace podium::histogram_test
