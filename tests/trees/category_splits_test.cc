// Splits by category: the best of all sets, and trees that agree with the raw values.
#include "trees/category_splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/communicator.h"
#include "podium/error.h"
#include "trees/category_bins.h"
#include "trees/grown_tree.h"
#include "trees/tree_data.h"

namespace podium::category_splits_test {
namespace {

using testing::Bench;
using ::testing::ElementsAre;
using testing::kMissing;

// The best score over all sets of items on the left, by the formula of the header.
struct AllSets {
  std::span<const DerivativeSums> items;  // with documents
  SplitRules rules;

  double score(const DerivativeSums& s, int n) const {
    const double g = static_cast<double>(s.first) * rules.first_unit;
    return 0.5 * g * g /
           (static_cast<double>(s.second) * rules.second_unit + rules.l2 + n * rules.category_l2);
  }
  bool allowed(const DerivativeSums& s) const {
    const double h = static_cast<double>(s.second) * rules.second_unit;
    return s.documents >= 1 && h + rules.l2 > 0;
  }
  double gain(unsigned set) const {
    DerivativeSums left, right;
    int lefts = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      (set >> i & 1 ? left : right) += items[i];
      lefts += set >> i & 1 ? 1 : 0;
    }
    const int all = static_cast<int>(items.size());
    if (!allowed(left) || !allowed(right)) return 0;
    return score(left, lefts) + score(right, all - lefts) - score(left + right, all);
  }
  double best() const {
    double best = 0;
    for (unsigned set = 1; set < 1U << items.size(); ++set) best = std::max(best, gain(set));
    return best;
  }
};

// Every side is allowed: each item has curvature, and one document is enough.
RC_GTEST_PROP(CategorySplits, FindTheBestOfAllSets, ()) {
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1000000));
  const auto values = static_cast<std::uint32_t>(1 + random.below(10));
  BinnedFeature feature;
  feature.is_category = true;
  feature.codes.resize(values);
  feature.has_missing = random.below(2) == 0;
  std::vector<DerivativeSums> bins(feature.bins()), items;
  DerivativeSums total;
  for (auto& bin : bins) {
    if (random.below(5) > 0)
      bin = {static_cast<std::int64_t>(random.below(401)) - 200,
             static_cast<std::int64_t>(1 + random.below(60)),
             static_cast<std::int64_t>(1 + random.below(9))};
    total += bin;
    if (bin.documents > 0) items.push_back(bin);
  }
  SplitRules rules;
  rules.first_unit = 0.5;
  rules.second_unit = 0.25;
  rules.l2 = static_cast<double>(random.below(3));
  rules.category_l2 = random.below(2) * 0.7 * static_cast<double>(random.below(5));
  const AllSets sets{items, rules};
  const SplitProblem problem{bins, total, {}};
  const SplitScale scale(rules, ValueBounds{});
  Split split = best_category_split(feature, problem, scale);
  if (split.found()) split.left_bins = left_bins(feature, problem, scale, split);
  const double unit = 0.5 * rules.first_unit / rules.second_unit * rules.first_unit;
  const double best = sets.best();
  RC_ASSERT(std::abs(split.gain * unit - best) <= 1e-9 * (1 + best));
  if (!split.found()) return;
  DerivativeSums left;
  for (const std::uint32_t b : split.left_bins) left += bins[b];
  RC_ASSERT(left == split.left);
  RC_ASSERT(split.missing == Tree::Node::Missing::right);
  if (feature.has_missing)
    RC_ASSERT(bins.back().documents == 0 || split.left_bins.back() < feature.value_bins());
}

// All prefixes of all items, sorted as a whole.
double best_of_all_prefixes(std::span<const DerivativeSums> bins, const DerivativeSums& total,
                            const SplitScale& scale) {
  std::vector<DerivativeSums> items;
  for (const auto& bin : bins)
    if (bin.documents > 0) items.push_back(bin);
  const auto key = [&](const DerivativeSums& s) {
    return static_cast<double>(s.first) / (static_cast<double>(s.second) + scale.category_l2);
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto n = static_cast<double>(items.size());
  const double before = side_score(scale, total, n * scale.category_l2);
  double best = 0;
  DerivativeSums left;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    left += items[i];
    if (!scale.allows(left) || !scale.allows(total - left)) continue;
    const auto lefts = static_cast<double>(i + 1);
    best = std::max(best, side_score(scale, left, lefts * scale.category_l2) +
                              side_score(scale, total - left, (n - lefts) * scale.category_l2) -
                              before);
  }
  return best;
}

// Buckets that are passed over hold nothing better: with hundreds of values, few or many different
// keys, rules that forbid sides, and bounds of the values.
RC_GTEST_PROP(CategorySplits, OfManyValuesAreThoseOfSorting, ()) {
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1000000));
  const auto values = static_cast<std::uint32_t>(2 + random.below(600));
  const std::uint64_t spread = random.below(2) == 0 ? 7 : 100001;
  BinnedFeature feature;
  feature.is_category = true;
  feature.codes.resize(values);
  std::vector<DerivativeSums> bins(values);
  DerivativeSums total;
  for (auto& bin : bins) {
    if (random.below(4) > 0)
      bin = {
          static_cast<std::int64_t>(random.below(spread)) - static_cast<std::int64_t>(spread / 2),
          static_cast<std::int64_t>(1 + random.below(2000)),
          static_cast<std::int64_t>(1 + random.below(30))};
    total += bin;
  }
  SplitRules rules;
  rules.l2 = static_cast<double>(random.below(50));
  rules.category_l2 = static_cast<double>(random.below(3)) * 150;
  rules.min_docs = static_cast<std::int64_t>(random.below(300));
  ValueBounds bounds;
  if (random.below(3) == 0) bounds = {-0.5, static_cast<double>(random.below(20))};
  const SplitScale scale(rules, bounds);
  const double found = best_category_split(feature, {bins, total, bounds}, scale).gain;
  const double best = best_of_all_prefixes(bins, total, scale);
  RC_ASSERT(std::abs(found - best) <= 1e-11 * side_score(scale, total) + 1e-11 * best);
}

// With usual ratios: the best cut of their order if all items are sorted at once, and a cut of it
// that is no better than the best of all sets, otherwise.
RC_GTEST_PROP(CategorySplits, FollowTheUsualOrder, ()) {
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1000000));
  const auto values = static_cast<std::uint32_t>(20 + random.below(300));
  BinnedFeature feature;
  feature.is_category = true;
  feature.codes.resize(values);
  std::vector<DerivativeSums> bins(values);
  DerivativeSums total;
  for (auto& bin : bins) {
    if (random.below(4) > 0)
      bin = {static_cast<std::int64_t>(random.below(2001)) - 1000,
             static_cast<std::int64_t>(1 + random.below(200)),
             static_cast<std::int64_t>(1 + random.below(9))};
    total += bin;
  }
  std::vector<double> usual(values);
  for (double& u : usual) u = 4 * random.uniform() - 2;
  SplitRules rules;
  rules.l2 = 1;
  rules.category_l2 = 150;
  const SplitProblem problem{bins, total, {}};
  const SplitScale scale(rules, ValueBounds{});
  const Split split = best_category_split(feature, problem, scale, usual);
  RC_ASSERT(split.gain <= best_category_split(feature, problem, scale).gain * (1 + 1e-9));
  if (!split.found()) return;
  const auto ratio = [&](std::uint32_t b) {
    return (static_cast<double>(bins[b].first) + 150 * usual[b]) /
           (static_cast<double>(bins[b].second) + 150);
  };
  const std::vector<std::uint32_t> lefts = left_bins(feature, problem, scale, split, usual);
  std::vector<std::uint32_t> order;
  for (std::uint32_t b = 0; b < values; ++b)
    if (bins[b].documents > 0) order.push_back(b);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ratio(a) < ratio(b); });
  const auto n = static_cast<double>(order.size());
  double best = 0, chosen = 0;
  DerivativeSums prefix;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    prefix += bins[order[i]];
    const auto items = static_cast<double>(i + 1);
    const double gain = side_score(scale, prefix, items * 150) +
                        side_score(scale, total - prefix, (n - items) * 150) -
                        side_score(scale, total, n * 150);
    best = std::max(best, gain);
    if (order[i] == split.bin) chosen = gain;
  }
  RC_ASSERT(std::abs(chosen - split.gain) <= 1e-9 * (1 + best));
  if (order.size() <= 48) RC_ASSERT(std::abs(best - split.gain) <= 1e-9 * (1 + best));
  DerivativeSums left;
  for (const std::uint32_t b : lefts) left += bins[b];
  RC_ASSERT(left == split.left);
}

Dataset one_category(std::uint32_t values) {
  std::vector<float> codes(values);
  std::iota(codes.begin(), codes.end(), 0.0F);
  std::vector<std::string> names;
  for (std::uint32_t v = 0; v < values; ++v) names.push_back(std::to_string(v));
  DatasetParts parts =
      testing::make_dataset({values}, 1, codes, std::vector<float>(values)).parts();
  parts.schema = FeatureSchema({{0, make_strings(names)}});
  return Dataset(std::move(parts));
}

// A category of many values is sorted with the help of the first leaf's sums in later leaves, one
// of few values by the leaf's own sums in all.
TEST(CategorySplits, LaterLeavesRememberTheFirst) {
  for (const std::uint32_t values : {12U, 40U}) {
    const Dataset data = one_category(values);
    Bench bench;
    const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
    SplitFinder finder(binned);
    finder.prepare({.category_l2 = 10, .documents = 100 * values}, {0});
    std::vector<DerivativeSums> all(binned.total_bins()), part(binned.total_bins());
    DerivativeSums sums, rest;
    for (std::uint32_t v = 0; v < values; ++v) {
      all[v] = {v < values / 2 ? -1000 : 1000, 100, 100};
      part[v] = {v % 2 == 0 ? -1 : 1, 1, 1};
      sums += all[v];
      rest += part[v];
    }
    const std::vector<SplitProblem> first = {{all, sums, {}}}, later = {{part, rest, {}}};
    EXPECT_EQ(finder.best(first, bench.context.pool)[0].left_bins.size(), values / 2);
    const Split split = finder.best(later, bench.context.pool)[0];
    ASSERT_TRUE(split.found());
    // All even values against all odd ones; or only those of them that the first leaf has first.
    EXPECT_EQ(split.left_bins.size(), values == 12U ? values / 2 : values / 4);
  }
}

TEST(CategorySplits, UnknownValuesGoToTheLargerSide) {
  BinnedFeature feature;
  feature.is_category = true;
  feature.codes = {0, 1, 2};
  const std::vector<DerivativeSums> bins = {{-50, 5, 5}, {40, 5, 5}, {40, 4, 4}};
  const DerivativeSums total{30, 14, 14};
  const SplitProblem problem{bins, total, {}};
  const SplitScale scale(SplitRules{}, ValueBounds{});
  const Split split = best_category_split(feature, problem, scale);
  EXPECT_THAT(left_bins(feature, problem, scale, split), ElementsAre(0));
}

TEST(CategoryBins, KeepTheMostFrequentValues) {
  const std::vector<std::int64_t> counts = {5, 9, 0, 9, 2, 9};
  BinOptions options{.max_category_bins = 255, .min_category_docs = 1};
  EXPECT_THAT(choose_category_bins(7, counts, 0, options).feature.codes,
              ElementsAre(0, 1, 3, 4, 5));
  EXPECT_FALSE(choose_category_bins(7, counts, 0, options).feature.has_missing);
  EXPECT_TRUE(choose_category_bins(7, counts, 1, options).feature.has_missing);
  options.min_category_docs = 5;
  const CategoryBins common = choose_category_bins(7, counts, 0, options);
  EXPECT_THAT(common.feature.codes, ElementsAre(0, 1, 3, 5));
  EXPECT_TRUE(common.feature.has_missing);  // of the rare value
  options.max_category_bins = 3;
  const CategoryBins few = choose_category_bins(7, counts, 0, options);
  EXPECT_THAT(few.feature.codes, ElementsAre(1, 3));
  EXPECT_EQ(few.feature.default_bin, 2U);
  EXPECT_DOUBLE_EQ(few.default_share, 16.0 / 34);
  const CategoryTable table(few.feature);
  EXPECT_EQ(table(1), 0);
  EXPECT_EQ(table(3), 1);
  for (const float other : {0.0F, 2.0F, 4.0F, 5.0F, 100.0F, -1.0F, kMissing})
    EXPECT_EQ(table(other), 2) << other;
}

// Derivatives that need sets: they depend on a hash of each code. They are functions of the row, so
// that ranks have their part of them.
testing::Slopes slopes_of(const Dataset& data) {
  testing::Slopes slopes;
  const Rows rows = data.rows(0, data.documents());
  std::vector<float> row(data.features());
  const auto coin = [](float code, std::uint64_t stream) {
    return static_cast<double>(mix(static_cast<std::uint64_t>(code), stream) % 2);
  };
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    slopes.first.push_back(0.3 * static_cast<double>(row[0]) + coin(row[3], 1) +
                           (std::isnan(row[1]) ? 2 : coin(row[1], 2)) - 1.2);
    slopes.second.push_back(0.5 + static_cast<double>(row[0]));
  }
  return slopes;
}

testing::GrownTree grow(const Dataset& data, Context& context, const DocumentSample& sample = {}) {
  const BinnedDataset binned = BinnedDataset::bin(data, {.min_category_docs = 2}, context);
  testing::OneTreeGrower grower(binned, {.leaves = 40, .min_docs = 3, .category_l2 = 0.1}, context);
  const testing::Slopes slopes = slopes_of(data);
  return grower.grow(slopes.first, slopes.second, sample, 1);
}

void expect_agreement(const testing::GrownTree& grown, const Dataset& data) {
  const Tree& tree = grown.tree;
  ASSERT_EQ(tree.categories.size(), tree.nodes.size());
  std::vector<int> splits(data.features());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const std::uint32_t feature = tree.nodes[n].feature;
    EXPECT_EQ(tree.tests_category(n), data.schema().values(feature) != nullptr);
    ++splits[feature];
  }
  EXPECT_GT(splits[0], 0);
  EXPECT_GT(splits[1], 0);
  EXPECT_GT(splits[3], 0);
  std::vector<float> row(data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    ASSERT_EQ(grown.leaf_of[d], testing::leaf_by_values(tree, row)) << d;
  }
}

TEST(CategorySplits, TreesAgreeWithTheValues) {
  const Dataset dense = testing::with_categories(40, 5);
  Bench bench;
  const testing::GrownTree expected = grow(dense, bench.context);
  expect_agreement(expected, dense);
  for (const float absent : {0.0F, kMissing}) {
    const testing::GrownTree grown = grow(testing::as_sparse(dense, absent), bench.context);
    EXPECT_TRUE(testing::same_tree(grown.tree, expected.tree));
    EXPECT_EQ(grown.leaf_of, expected.leaf_of);
  }
}

// In sparse rows that omit missing values, of a category with many values that is never missing.
TEST(CategorySplits, SparseRowsNeedNoBinForMissingValues) {
  const Dataset dense = testing::with_categories(7, 5);
  Bench bench;
  const testing::Slopes slopes = slopes_of(dense);
  const auto tree_of = [&](const Dataset& data) {
    const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
    EXPECT_TRUE(std::ranges::all_of(binned.columns(), [](const BinnedFeature& feature) {
      return feature.default_bin < feature.bins();
    }));
    return testing::OneTreeGrower(binned, {.leaves = 12, .min_docs = 10, .l2 = 2}, bench.context)
        .grow(slopes.first, slopes.second, {}, 1)
        .tree;
  };
  EXPECT_TRUE(testing::same_tree(tree_of(testing::as_sparse(dense, kMissing)), tree_of(dense)));
}

TEST(CategorySplits, DocumentsOutsideTheSampleHaveALeaf) {
  const Dataset data = testing::with_categories(40, 6);
  std::vector<std::uint32_t> sample;
  for (std::uint32_t d = 0; d < data.documents(); ++d)
    if (mix(d, 9) % 4 > 0) sample.push_back(d);
  Bench bench;
  expect_agreement(grow(data, bench.context, sample), data);
}

TEST(CategorySplits, AreTheSameForThreadsAndRanks) {
  const Dataset data = testing::with_categories(60, 8);
  Bench bench;
  const Tree expected = grow(data, bench.context).tree;
  for (const int threads : {2, 7}) {
    Bench other(threads);
    EXPECT_TRUE(testing::same_tree(grow(data, other.context).tree, expected));
  }
  for (const int ranks : {2, 3}) {
    run_in_threads(ranks, [&](Communicator& comm) {
      const Dataset mine =
          select_queries(data, testing::queries_of_rank(data.queries(), comm.rank(), ranks));
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      EXPECT_TRUE(testing::same_tree(grow(mine, context).tree, expected));
    });
  }
}

}  // namespace
}  // namespace podium::category_splits_test
