// The weights of a new tree: within the range or clipped to it, and those of its leaves against
// brute force.
#include "learners/direct_search/tree_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "learners/train_on_toys.h"

namespace podium::tree_weights_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::podium_convention;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Outside = WeightRange::Outside;
using Rule = TreeWeights::Rule;

// The first document of one query decides: grade 2 has the value 1, grade 1 the value 1/3.
double weight_in(Outside outside, const std::vector<double>& base,
                 const std::vector<double>& direction, const std::vector<float>& labels,
                 double current = kNone) {
  Bench bench;
  const Dataset data = make_dataset({labels.size()}, 0, {}, labels);
  const ExactLineSearch search(data, parse_measure("nDCG@1", podium_convention()),
                               podium_convention(), bench.context);
  return best_weight(base, direction, {0.1, 0.5, outside}, current, search, bench.context);
}

TEST(TreeWeights, TheBestOutsideIsClippedOrTheInsideSearched) {
  // Grade 0 is first up to 0.2, grade 1 up to 0.3, grade 0 up to 0.9, and grade 2 from there on.
  const std::vector<double> base = {2, 0, -3, -12}, direction = {-10, 0, 10, 20};
  const std::vector<float> labels = {0, 1, 0, 2};
  EXPECT_NEAR(weight_in(Outside::search, base, direction, labels), 0.25, 1e-9);
  EXPECT_EQ(weight_in(Outside::clip, base, direction, labels), 0.5);
}

TEST(TreeWeights, ANegativeOptimumIsClippedToTheLowerBorder) {
  // Grade 2 is first below -0.6, grade 1 above.
  const std::vector<double> base = {-12, 0}, direction = {-20, 0};
  EXPECT_EQ(weight_in(Outside::clip, base, direction, {2, 1}), 0.1);
  EXPECT_NEAR(weight_in(Outside::search, base, direction, {2, 1}), 0.3, 1e-9);
}

TEST(TreeWeights, InsideTheRangeBothFindTheSame) {
  // Grade 0 is first up to 0.2 and from 0.4 on.
  const std::vector<double> base = {2, 0, -4}, direction = {-10, 0, 10};
  for (const Outside outside : {Outside::search, Outside::clip}) {
    EXPECT_NEAR(weight_in(outside, base, direction, {0, 1, 0}), 0.3, 1e-9);
    EXPECT_EQ(weight_in(outside, base, direction, {0, 1, 0}, 0.22), 0.22);  // as good as any
    EXPECT_NEAR(weight_in(outside, base, direction, {0, 1, 0}, 0.45), 0.3, 1e-9);
  }
}

// Queries with scores, and a tree of four leaves with randomly assigned documents.
struct Case {
  static constexpr std::size_t kQueries = 5, kDocuments = 7, kLeaves = 4;
  explicit Case(std::uint64_t seed) {
    Random random(seed);
    std::vector<float> labels;
    for (std::size_t i = 0; i < kQueries * kDocuments; ++i) {
      labels.push_back(static_cast<float>(random.below(3)));
      scores.push_back(random.uniform());
      leaf_of.push_back(static_cast<std::uint32_t>(random.below(kLeaves)));
    }
    for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) values.push_back(2 * random.uniform() - 1);
    data = make_dataset(std::vector<std::size_t>(kQueries, kDocuments), 0, {}, labels);
  }
  NewTree tree(std::span<const std::uint32_t> grown_on = {}) {
    return {values, grown_on, [this](std::span<const double> of, std::span<double> out) {
              for (std::size_t i = 0; i < out.size(); ++i) out[i] = of[leaf_of[i]];
            }};
  }
  double measured(std::span<const double> weights, const MeasurePtr& measure) const {
    std::vector<double> at = scores;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += weights[leaf_of[i]] * values[leaf_of[i]];
    Bench bench;
    return evaluate(measure, podium_convention(), data, at, bench.context);
  }
  std::vector<double> weights(const Rule& rule, const MeasurePtr& measure,
                              std::span<const std::uint32_t> grown_on = {}) {
    Bench bench;
    const ExactLineSearch search(data, measure, podium_convention(), bench.context);
    return TreeWeights(data, measure, podium_convention(), search, rule, bench.context)
        .find(scores, tree(grown_on));
  }

  Dataset data;
  std::vector<double> scores, values;
  std::vector<std::uint32_t> leaf_of;
};

// The best value over one leaf's weights in the range, between all neighbouring crossings.
double best_by_midpoints(const Case& one, std::vector<double> weights, std::size_t leaf,
                         const WeightRange& range, const MeasurePtr& measure) {
  std::vector<double> ends = {range.low, range.high};
  const auto score = [&](std::size_t i) {
    return one.scores[i] + weights[one.leaf_of[i]] * one.values[one.leaf_of[i]];
  };
  for (std::size_t i = 0; i < one.scores.size(); ++i)
    for (std::size_t j = 0; j < one.scores.size(); ++j) {
      if (one.leaf_of[i] != leaf || one.leaf_of[j] == leaf) continue;
      const double crossing = (score(j) - one.scores[i]) / one.values[leaf];
      if (crossing > range.low && crossing < range.high) ends.push_back(crossing);
    }
  std::sort(ends.begin(), ends.end());
  double best = -1;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    weights[leaf] = (ends[k] + ends[k + 1]) / 2;
    best = std::max(best, one.measured(weights, measure));
  }
  return best;
}

TEST(TreeWeights, EachLeafHasTheBestWeightGivenTheOthers) {
  const WeightRange range{0.1, 0.9};
  int different = 0;
  for (const char* name : {"nDCG@3", "AP"}) {
    const MeasurePtr measure = parse_measure(name, podium_convention());
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Case one(seed);
      std::vector<double> weights = one.weights({range}, measure);
      const auto found = one.weights({range, Rule::Of::leaves}, measure);
      ASSERT_EQ(found.size(), Case::kLeaves);
      for (std::size_t leaf = 0; leaf < Case::kLeaves; ++leaf) {
        const double best = best_by_midpoints(one, weights, leaf, range, measure);
        weights[leaf] = found[leaf];
        EXPECT_NEAR(one.measured(weights, measure), best, 1e-9) << name << ' ' << seed;
        EXPECT_GE(found[leaf], range.low);
        EXPECT_LE(found[leaf], range.high);
        different += found[leaf] != found[0];
      }
    }
  }
  EXPECT_GT(different, 40);
}

TEST(TreeWeights, WeightsPerLeafAreNeverWorseThanOneWeightForAll) {
  double gained = 0;
  for (const char* name : {"nDCG@3", "AP", "ERR"}) {
    const MeasurePtr measure = parse_measure(name, podium_convention());
    for (const Outside outside : {Outside::search, Outside::clip})
      for (std::uint64_t seed = 100; seed < 140; ++seed) {
        Case one(seed);
        const WeightRange range{0.1, 0.9, outside};
        const double tree = one.measured(one.weights({range}, measure), measure);
        const double leaves =
            one.measured(one.weights({range, Rule::Of::leaves}, measure), measure);
        EXPECT_GE(leaves, tree - 1e-12) << name << ' ' << seed;
        gained += leaves - tree;
      }
  }
  EXPECT_GT(gained, 1);
}

TEST(TreeWeights, QueriesThatATreeWasGrownOnDoNotAffectItsWeight) {
  const MeasurePtr measure = parse_measure("nDCG@3", podium_convention());
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Case one(seed), other(seed);
    std::vector<std::uint32_t> grown_on;  // the first two queries
    std::vector<float> labels(one.data.labels().begin(), one.data.labels().end());
    for (std::uint32_t i = 0; i < 2 * Case::kDocuments; ++i) {
      grown_on.push_back(i);
      labels[i] = labels[i] == 0 ? 2.0F : 0.0F;
    }
    other.data =
        make_dataset(std::vector<std::size_t>(Case::kQueries, Case::kDocuments), 0, {}, labels);
    for (const Rule::Of of : {Rule::Of::tree, Rule::Of::leaves}) {
      const Rule held_out{{}, of, Rule::Queries::held_out}, all{{}, of, Rule::Queries::all};
      EXPECT_EQ(one.weights(held_out, measure, grown_on),
                other.weights(held_out, measure, grown_on));
      changed += one.weights(all, measure, grown_on) != other.weights(all, measure, grown_on);
    }
  }
  EXPECT_GT(changed, 20);
}

}  // namespace
}  // namespace podium::tree_weights_test
