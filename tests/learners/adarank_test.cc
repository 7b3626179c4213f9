#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/learner.h"
#include "support/toy_data.h"

namespace podium::adarank_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

TrainingResult train(const Dataset& data, const Assignments& options = {},
                     const Dataset* valid = nullptr) {
  Bench bench(2);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, valid, parse_measure("nDCG@10", convention), convention, {}};
  return learners().make("adarank", options)->train(problem, bench.context);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

// The paper's loop, every feature re-evaluated in every round.
Linear naive(const Dataset& data, const std::string& objective, int rounds, double tolerance) {
  Bench bench;
  const Convention& convention = find_convention("podium");
  const Evaluator evaluator({parse_measure(objective, convention)}, convention);
  const auto per_query = [&](const Linear& model) {
    return evaluator.evaluate(data, score(model, data, bench.context), bench.context).per_query[0];
  };
  Linear model{std::vector<double>(data.features()), 0}, best = model;
  std::vector<double> p(data.queries(), 1.0 / static_cast<double>(data.queries()));
  std::vector<bool> aside(data.features());
  double previous = -1, best_value = -1;
  for (int t = 0; t < rounds; ++t) {
    std::size_t chosen = 0;
    double chosen_value = -2, chosen_sign = 1;
    for (std::size_t f = 0; f < data.features(); ++f)
      for (const double sign : {1.0, -1.0}) {
        if (aside[f]) continue;
        Linear weak{std::vector<double>(data.features()), 0};
        weak.weights[f] = sign;
        const auto values = per_query(weak);
        double value = 0;
        for (std::size_t q = 0; q < p.size(); ++q) value += p[q] * values[q];
        if (value > chosen_value + 1e-12) {
          chosen = f;
          chosen_value = value;
          chosen_sign = sign;
        }
      }
    if (chosen_value == -2) break;
    model.weights[chosen] += chosen_sign * 0.5 * std::log((1 + chosen_value) / (1 - chosen_value));
    const auto values = per_query(model);
    double total = 0;
    for (std::size_t q = 0; q < p.size(); ++q) total += p[q] = std::exp(-values[q]);
    for (double& x : p) x /= total;
    if (std::abs(mean(values) - previous) > tolerance)
      aside.assign(aside.size(), false);
    else
      aside[chosen] = true;
    previous = mean(values);
    if (previous > best_value) {
      best_value = previous;
      best = model;
    }
  }
  return best;
}

TEST(AdaRank, EqualsTheNaiveLoop) {
  for (const std::string objective : {"AP", "nDCG@5", "P@3"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Dataset data = noisy_linear(12, 10, 5, seed, 2);
      const auto expected = naive(data, objective, 20, 0.002);
      const auto found =
          std::get<Linear>(train(data, {{"objective", objective}, {"rounds", "20"}}).model);
      for (std::size_t f = 0; f < 5; ++f)
        EXPECT_NEAR(found.weights[f], expected.weights[f], 1e-4) << objective << " " << seed;
    }
}

TEST(AdaRank, UsesAFeatureInReverse) {
  const Dataset data = make_dataset({3, 3}, 1, {1, 2, 3, 1, 2, 3}, {2, 1, 0, 2, 1, 0});
  EXPECT_LT(std::get<Linear>(train(data).model).weights[0], 0);
  EXPECT_GT(std::get<Linear>(train(data, {{"signs", "plus"}}).model).weights[0], 0);
}

TEST(AdaRank, DoesNotChooseTheSameFeatureForever) {
  const auto model = std::get<Linear>(train(noisy_linear(40, 20, 6, 3), {}).model);
  int used = 0;
  for (const double w : model.weights) used += w != 0;
  EXPECT_GT(used, 1);
}

TEST(AdaRank, QueriesThatDoNotContributeAreSkippedAndCounted) {
  const Dataset data = make_dataset({2, 1, 3}, 1, {1, 2, 5, 1, 2, 3}, {0, 1, 0, 0, 0, 0});
  const auto result = train(data);
  EXPECT_EQ(result.skipped_queries, 2U);
  EXPECT_TRUE(std::isfinite(std::get<Linear>(result.model).weights[0]));
}

TEST(AdaRank, BadInputsHaveDistinctErrors) {
  EXPECT_THROW(train(make_dataset({2}, 1, {1, 2}, {0, 0})), Error);
  EXPECT_THROW(train(noisy_linear(5, 5, 2, 1), {{"objective", "DCG@10"}}), Error);
  const auto constant = train(
      make_dataset({3}, 2, {1, std::numeric_limits<float>::quiet_NaN(), 1, 0, 1, 0}, {0, 1, 2}));
  for (const double w : std::get<Linear>(constant.model).weights) EXPECT_TRUE(std::isfinite(w));
}

}  // namespace
}  // namespace podium::adarank_test
