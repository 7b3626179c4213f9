// The weights of a blend, against brute force on a grid.
#include <cmath>

#include <gtest/gtest.h>

#include "podium/blend.h"
#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::blend_weights_test {
namespace {

using testing::Bench;
using Scores = std::vector<std::vector<double>>;

BlendOptions options() {
  BlendOptions out;
  out.measure = parse_measures("nDCG@5", out.convention).front();
  return out;
}

// Labels with noise: each member sees another part of them.
Scores noisy_scores(const Dataset& data, std::size_t members, double noise, std::uint64_t seed) {
  Scores scores(members);
  Random random(seed);
  for (auto& column : scores)
    for (const float label : data.labels())
      column.push_back(label + noise * (random.uniform() - 0.5));
  return scores;
}

double value_at(const Dataset& data, const Scores& scores, std::span<const double> weights,
                Bench& bench) {
  std::vector<double> sum(data.documents());
  for (std::size_t m = 0; m < scores.size(); ++m)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[m] * scores[m][i];
  return evaluate(options().measure, {}, data, sum, bench.context);
}

TEST(BlendWeights, OfTwoMembersReachTheBestOfAGridIfTheyAreNotShrunk) {
  Bench bench;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = testing::noisy_linear(30, 8, 2, seed);
    Scores scores = noisy_scores(data, 1, 2, seed);
    scores.push_back(noisy_scores(data, 1, 40, seed + 100)[0]);  // worse than noise of the first
    const BlendWeights fit = fit_blend_weights(data, scores, options(), bench.context);
    double best = 0;
    for (int k = 0; k <= 1000; ++k)
      best = std::max(
          best, value_at(data, scores, std::vector<double>{k / 1000.0, 1 - k / 1000.0}, bench));
    if (fit.shrinkage == 0) {
      EXPECT_GE(fit.value, best - 1e-12);
    }
    EXPECT_LT(fit.shrinkage, 1) << "equal weights of a good and a useless member are bad";
    EXPECT_GT(fit.value, fit.equal_value);
    EXPECT_EQ(fit.value, value_at(data, scores, fit.weights, bench));
  }
}

TEST(BlendWeights, AreNotNegativeUnlessAsked) {
  Bench bench;
  const Dataset data = testing::noisy_linear(40, 8, 2, 3);
  Scores scores = noisy_scores(data, 2, 4, 5);
  for (double& score : scores[1]) score = -score;  // good, with the wrong sign
  const BlendWeights fit = fit_blend_weights(data, scores, options(), bench.context);
  EXPECT_GE(fit.weights[1], 0);
  BlendOptions any = options();
  any.signs = BlendOptions::Signs::any;
  const BlendWeights free = fit_blend_weights(data, scores, any, bench.context);
  EXPECT_LT(free.weights[1], 0);
  EXPECT_GT(free.value, fit.value);
  EXPECT_NEAR(std::abs(free.weights[0]) + std::abs(free.weights[1]), 1, 1e-12);
}

TEST(BlendWeights, AreTheSameForAnyNumberOfThreads) {
  const Dataset data = testing::noisy_linear(40, 8, 2, 3);
  const Scores scores = noisy_scores(data, 4, 6, 5);
  Bench one(1), two(2);
  EXPECT_EQ(fit_blend_weights(data, scores, options(), one.context).weights,
            fit_blend_weights(data, scores, options(), two.context).weights);
}

TEST(BlendWeights, OfFewQueriesAreEqual) {
  Bench bench;
  const Dataset data = testing::noisy_linear(3, 8, 2, 3);
  const BlendWeights fit =
      fit_blend_weights(data, noisy_scores(data, 2, 1, 5), options(), bench.context);
  EXPECT_EQ(fit.weights, (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(std::isnan(fit.held_out));
}

TEST(ScoreScale, IsTheDeviationWithinQueries) {
  const Dataset data = testing::make_dataset({2, 2}, 1, {0, 0, 0, 0}, {0, 1, 0, 1});
  EXPECT_DOUBLE_EQ(score_scale(data, std::vector<double>{1, 3, 101, 103}), 1);
  EXPECT_EQ(score_scale(data, std::vector<double>{5, 5, 7, 7}), 1);  // constant
}

// Queries and rows in reverse: the same bits.
TEST(ScoreScale, DoesNotDependOnTheOrderOfRows) {
  Random random(3);
  std::vector<double> scores;
  for (int i = 0; i < 40; ++i) scores.push_back(random.uniform() * (i % 3 == 0 ? 1e6 : 1e-3));
  const std::vector<float> labels(40), values(40);
  const Dataset data = testing::make_dataset({7, 13, 20}, 1, values, labels),
                reversed = testing::make_dataset({20, 13, 7}, 1, values, labels);
  EXPECT_EQ(score_scale(data, scores),
            score_scale(reversed, std::vector<double>(scores.rbegin(), scores.rend())));
}

TEST(BlendModels, RefuseDataThatJudgesNothing) {
  Bench bench;
  const Dataset data = testing::make_dataset({2, 2}, 1, {0, 1, 0, 1}, {0, 0, 2, 2});
  SavedModel model;
  model.learner = "linear";
  model.features = {"1"};
  model.model = Linear{{1}, 0};
  EXPECT_THROW(blend_models({model, model}, data, options(), bench.context), Error);
}

}  // namespace
}  // namespace podium::blend_weights_test
