#include "learners/boosting/bagging.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "learners/boosting/score_noise.h"
#include "learners/train_on_toys.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium::bagging_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::podium_convention;
using testing::train;
using testing::value_of;

Forest forest_of(const TrainingResult& result) {
  return require_forest(result.model, Error(ErrorCode::training, "not a forest"));
}

TEST(Bagging, QueriesCountAsOftenAsPoissonSays) {
  const Dataset data = noisy_linear(20000, 1, 1, 1);
  Bench bench(2);
  const std::vector<double> counts = bootstrap_counts(data, bench.context);
  const double n = static_cast<double>(counts.size());
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / n;
  double variance = 0;
  for (const double count : counts) variance += (count - mean) * (count - mean) / n;
  EXPECT_NEAR(mean, 1, 0.03);
  EXPECT_NEAR(variance, 1, 0.05);
  EXPECT_NEAR(std::count(counts.begin(), counts.end(), 0.0) / n, 0.3679, 0.015);
}

// The forest of a bag is the mean of forests that differ, with the trees of all.
TEST(Bagging, AveragesForests) {
  const Dataset data = noisy_linear(60, 20, 5, 1);
  const Assignments one = {{"trees", "6"}, {"leaves", "4"}, {"min-docs", "5"}};
  Assignments three = one;
  three.emplace_back("bag", "3");
  const Forest forest = forest_of(train("lambdamart", data, three));
  ASSERT_EQ(forest.trees.size(), 18U);
  EXPECT_NE(forest.trees[0].values, forest.trees[6].values);
  EXPECT_NE(forest.trees[6].values, forest.trees[12].values);
  // A third of each: the first trees of the three move scores by about as much as one alone does.
  const Forest alone = forest_of(train("lambdamart", data, one));
  const auto size = [](const Tree& tree) {
    double sum = 0;
    for (const double value : tree.values) sum += std::abs(value);
    return sum;
  };
  EXPECT_NEAR(size(forest.trees[0]) + size(forest.trees[6]) + size(forest.trees[12]),
              size(alone.trees[0]), 0.5 * size(alone.trees[0]));
}

TEST(Bagging, HelpsOnFewNoisyQueries) {
  const Dataset data = noisy_linear(25, 12, 8, 1), test = noisy_linear(400, 12, 8, 9);
  const Assignments one = {{"trees", "80"}, {"leaves", "8"}, {"min-docs", "2"}};
  Assignments bag = one;
  bag.emplace_back("bag", "8");
  EXPECT_GT(value_of(train("lambdamart", data, bag).model, test),
            value_of(train("lambdamart", data, one).model, test));
}

TEST(Bagging, KeepsTheTreesItStartsFrom) {
  const Dataset data = noisy_linear(40, 15, 5, 1);
  const Assignments options = {{"trees", "3"}, {"bag", "2"}, {"min-docs", "5"}};
  const TrainingResult first = train("mart", data, {{"trees", "4"}});
  Bench bench;
  TrainingProblem problem{data, nullptr, parse_measure("nDCG@5", podium_convention()),
                          podium_convention()};
  problem.start.model = &first.model;
  const Forest forest = forest_of(learners().make("mart", options)->train(problem, bench.context));
  const Forest given = forest_of(first);
  ASSERT_EQ(forest.trees.size(), 4U + 2U * 3U);
  EXPECT_EQ(forest.base, given.base);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(forest.trees[t].values, given.trees[t].values);
}

TEST(ScoreNoise, IsGumbelAndDiffersByRoundAndDraw) {
  const Dataset data = noisy_linear(500, 40, 1, 1);
  Bench bench;
  const ScoreNoise noise(data, 2, 3, bench.context);
  const std::vector<double> scores(data.documents(), 5.0);
  std::vector<double> out(scores.size()), other(scores.size());
  noise.perturb(1, 0, 0, scores, out);
  const double n = static_cast<double>(out.size());
  const double mean = std::accumulate(out.begin(), out.end(), 0.0) / n;
  double variance = 0;
  for (const double x : out) variance += (x - mean) * (x - mean) / n;
  EXPECT_NEAR(mean, 5 + 2 * 0.5772, 0.06);
  EXPECT_NEAR(variance, 4 * 1.6449, 0.3);
  noise.perturb(1, 1, 0, scores, other);
  EXPECT_NE(out, other);
  noise.perturb(2, 0, 0, scores, other);
  EXPECT_NE(out, other);
  // A query alone gets the same numbers.
  std::vector<double> part(40);
  noise.perturb(1, 0, data.begin(7), std::span(scores).subspan(data.begin(7), 40), part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), out.begin() + 7 * 40));
}

TEST(ScoreNoise, IsRefusedForSeveralOutputs) {
  const Dataset data = noisy_linear(30, 10, 3, 1);
  EXPECT_THROW(train("mcrank", data, {{"noise", "0.5"}}), Error);
}

TEST(ScoreNoise, ChangesAListwiseModelAndLearns) {
  const Dataset data = noisy_linear(60, 20, 5, 1), test = noisy_linear(100, 20, 5, 2);
  const Assignments plain = {{"trees", "20"}, {"leaves", "8"}};
  Assignments noisy = plain;
  noisy.emplace_back("noise", "0.5");
  const TrainingResult without = train("lambdamart", data, plain);
  const TrainingResult with = train("lambdamart", data, noisy);
  EXPECT_NE(forest_of(with).trees[5].values, forest_of(without).trees[5].values);
  EXPECT_GT(value_of(with.model, test), value_of(without.model, test) - 0.03);
}

}  // namespace
}  // namespace podium::bagging_test
