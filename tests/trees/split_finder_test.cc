#include "trees/split_finder.h"

#include <cmath>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trees/tree_data.h"

namespace podium::split_finder_test {
namespace {

using testing::Bench;
using testing::kMissing;
using Missing = Tree::Node::Missing;

// Everything needed to evaluate splits on raw rows.
struct Rivals {
  const Dataset& data;
  const BinnedDataset& binned;
  std::span<const std::uint64_t> words;
  SplitRules rules;

  double half_score(const DerivativeSums& s) const {
    const double g = static_cast<double>(s.first) * rules.first_unit;
    return 0.5 * g * g / (static_cast<double>(s.second) * rules.second_unit + rules.l2);
  }
  bool allowed(const DerivativeSums& s) const {
    const double h = static_cast<double>(s.second) * rules.second_unit;
    return s.documents >= std::max<std::int64_t>(1, rules.min_docs) && h >= rules.min_curvature &&
           h + rules.l2 > 0;
  }
  // The gain of a split by raw values.
  std::optional<double> gain(std::uint32_t feature, float threshold, Missing missing) const {
    DerivativeSums left, right;
    Tree tree;
    tree.nodes = {
        {.feature = feature, .threshold = threshold, .missing = missing, .left = 1, .right = 2}};
    const Rows rows = data.rows(0, data.documents());
    for (std::size_t d = 0; d < data.documents(); ++d)
      (tree.child(0, rows.dense(d)[feature]) == 1 ? left : right) += unpack(words[d]);
    if (!allowed(left) || !allowed(right)) return {};
    return half_score(left) + half_score(right) - half_score(left + right);
  }
  // The largest gain over all features, thresholds and sides of missing values.
  double best_gain() const {
    double best = 0;
    for (const BinnedFeature& feature : binned.columns())
      for (std::uint32_t b = 0; b < feature.value_bins(); ++b)
        for (const Missing missing : {Missing::left, Missing::right})
          best = std::max(best, gain(feature.feature, feature.threshold(b), missing).value_or(0));
    return best;
  }
};

Split find(const BinnedDataset& binned, std::span<const std::uint64_t> words,
           const SplitRules& rules, ThreadPool& pool) {
  HistogramBuilder builder(binned, pool);
  std::vector<DerivativeSums> histogram(binned.total_bins());
  std::vector<std::uint32_t> documents(binned.documents()), columns(binned.columns().size());
  std::iota(documents.begin(), documents.end(), 0U);
  std::iota(columns.begin(), columns.end(), 0U);
  const DerivativeSums total = builder.build(documents, words, histogram);
  SplitFinder finder(binned);
  finder.prepare(rules, columns);
  return finder.best(std::array{SplitProblem{histogram, total, {}}}, pool)[0];
}

RC_GTEST_PROP(SplitFinder, FindsTheBestOfAllSplits, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  Random random(seed);
  const Dataset data = testing::mixed_data(1 + random.below(3), 1 + random.below(40), 9, seed);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(
      data, {.max_bins = 2 + static_cast<int>(random.below(30)), .sparse_from = 0.8},
      bench.context);
  std::vector<std::uint64_t> words(data.documents());
  for (auto& word : words)
    word = pack(static_cast<std::int64_t>(random.below(41)) - 20,
                static_cast<std::int64_t>(random.below(4)));
  const SplitRules rules{.first_unit = 0.5,
                         .second_unit = 0.25,
                         .l2 = static_cast<double>(random.below(3)),
                         .min_curvature = static_cast<double>(random.below(3)),
                         .min_docs = static_cast<std::int64_t>(random.below(6))};
  const Rivals rivals{data, binned, words, rules};
  const Split split = find(binned, words, rules, bench.pool);
  const double best = rivals.best_gain();
  RC_ASSERT(std::abs(split.gain - best) <= 1e-9 * (1 + best));
  if (split.found()) {
    const BinnedFeature& feature = binned.columns()[split.column];
    const auto own = rivals.gain(feature.feature, feature.threshold(split.bin), split.missing);
    RC_ASSERT(own.has_value());
    RC_ASSERT(std::abs(*own - split.gain) <= 1e-9 * (1 + best));
  }
}

TEST(SplitFinder, ChoosesTheLowestOfEqualSplits) {
  // Three copies of a feature; values 0 0 1 2: the splits after 0 and after 1 are equally good.
  std::vector<float> values;
  for (const float x : {0.0F, 0.0F, 1.0F, 2.0F, 2.0F}) values.insert(values.end(), 3, x);
  const Dataset data = testing::make_dataset({5}, 3, values, std::vector<float>(5));
  Bench bench(4);
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  const std::vector<std::uint64_t> words = {pack(-4, 1), pack(-4, 1), pack(0, 1), pack(4, 1),
                                            pack(4, 1)};
  const Split split = find(binned, words, {}, bench.pool);
  EXPECT_TRUE(split.found());
  EXPECT_EQ(split.column, 0U);
  EXPECT_EQ(split.bin, 0U);
}

TEST(SplitFinder, SendsMissingValuesToTheBetterSide) {
  const Dataset data =
      testing::make_dataset({6}, 1, {1, 1, 2, 2, kMissing, kMissing}, std::vector<float>(6));
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  for (const std::int64_t sign : {-1, 1}) {
    const std::uint64_t low = pack(-9, 1), high = pack(9, 1);
    const std::vector<std::uint64_t> words = {
        low, low, high, high, pack(9 * sign, 1), pack(9 * sign, 1)};
    const Split split = find(binned, words, {}, bench.pool);
    EXPECT_EQ(split.bin, 0U);
    EXPECT_EQ(split.missing, sign < 0 ? Missing::left : Missing::right);
    EXPECT_EQ(split.left.documents, sign < 0 ? 4 : 2);
  }
}

TEST(SplitFinder, SeparatesMissingValuesFromOthers) {
  const Dataset data =
      testing::make_dataset({5}, 1, {1, 2, 3, kMissing, kMissing}, std::vector<float>(5));
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  const std::vector<std::uint64_t> words = {pack(5, 1), pack(5, 1), pack(5, 1), pack(-5, 1),
                                            pack(-5, 1)};
  const Split split = find(binned, words, {}, bench.pool);
  EXPECT_EQ(split.left.documents, 3);
  EXPECT_EQ(split.missing, Missing::right);
  EXPECT_EQ(binned.columns()[0].threshold(split.bin), std::numeric_limits<float>::max());
}

TEST(SplitFinder, WithoutMissingValuesTheyGoToTheLargerSide) {
  Bench bench;
  for (const std::size_t lefts : {1, 2, 3}) {
    std::vector<float> values(4, 1);
    std::fill_n(values.begin(), lefts, 0.0F);
    const Dataset data = testing::make_dataset({4}, 1, values, std::vector<float>(4));
    const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
    std::vector<std::uint64_t> words(4, pack(5, 1));
    std::fill_n(words.begin(), lefts, pack(-5, 1));
    EXPECT_EQ(find(binned, words, {}, bench.pool).missing,
              lefts >= 2 ? Missing::left : Missing::right);
  }
}

TEST(SplitFinder, DoesNotSplitWithoutGain) {
  const Dataset data = testing::mixed_data(2, 50, 9, 3);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  // The same derivatives everywhere: every split gains 0, up to rounding.
  const std::vector<std::uint64_t> words(data.documents(), pack(777, 3));
  EXPECT_FALSE(find(binned, words, {.first_unit = 0.1, .second_unit = 0.3}, bench.pool).found());
  std::vector<std::uint64_t> other = words;
  for (std::size_t d = 0; d < 40; ++d) other[d] = pack(-5, 3);
  const double gain = find(binned, other, {}, bench.pool).gain;
  EXPECT_GT(gain, 0);
  EXPECT_TRUE(find(binned, other, {.min_gain = gain * 0.999}, bench.pool).found());
  EXPECT_FALSE(find(binned, other, {.min_gain = gain}, bench.pool).found());
}

}  // namespace
}  // namespace podium::split_finder_test
