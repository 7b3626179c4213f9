// Losses over given preferences.
#include "losses/pairwise/preferences.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::preferences_test {
namespace {

// Two queries of three and two documents; the second has no preferences.
Dataset with_pairs(std::vector<Preference> pairs, float query_weight = 1) {
  DatasetParts parts =
      testing::make_dataset({3, 2}, 1, {0, 0, 0, 0, 0}, std::vector<float>(5, 0)).parts();
  const std::uint64_t count = pairs.size();
  parts.preference_begin = std::vector<std::uint64_t>{0, count, count};
  parts.preferences = std::move(pairs);
  parts.query_weights = std::vector<float>{query_weight, 1};
  return Dataset(std::move(parts));
}

struct Evaluated {
  double value;
  std::vector<double> first, second;
};
Evaluated evaluated(const Loss& loss, const Dataset& data, const std::vector<double>& scores) {
  Evaluated out{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  out.value = loss.bind(data)->evaluate(0, scores, {out.first, out.second});
  return out;
}

const std::vector<const char*> kOverPairs = {"logistic-pairs",
                                             "logistic-pairs(sigma=2)",
                                             "hinge-pairs",
                                             "squared-hinge-pairs",
                                             "gbrank",
                                             "exponential-pairs",
                                             "fidelity-pairs",
                                             "margin-pairs",
                                             "pairwise-hinge",
                                             "lambda-ndcg(sigma=0.5)",
                                             "logistic-pairs+0.5*hinge-pairs"};

TEST(Preferences, DerivativesAreThoseOfTheValue) {
  const Dataset data = with_pairs({{0, 1, 1}, {2, 1, 0.5F}, {0, 2, 3}, {1, 2, 0.25F}}, 2);
  const std::vector<double> scores = {0.3, -0.2, 0.45};
  for (const char* name : kOverPairs) {
    const auto loss = parse_loss(name)->over_preferences();
    ASSERT_TRUE(loss) << name;
    const Evaluated at = evaluated(*loss, data, scores);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      constexpr double kStep = 1e-6;
      std::vector<double> up = scores, down = scores;
      up[i] += kStep;
      down[i] -= kStep;
      const double slope =
          (evaluated(*loss, data, up).value - evaluated(*loss, data, down).value) / (2 * kStep);
      EXPECT_NEAR(at.first[i], slope, 1e-6) << name;
      EXPECT_GE(at.second[i], 0) << name;
      sum += at.first[i];
    }
    EXPECT_NEAR(sum, 0, 1e-12) << name;
  }
}

// Two documents of different grades are one pair: grades and preferences agree to the bit.
TEST(Preferences, OfOnePairAreTheLossOfTwoGrades) {
  DatasetParts parts = testing::make_dataset({2}, 1, {0, 0}, {1, 0}).parts();
  parts.preference_begin = std::vector<std::uint64_t>{0, 1};
  parts.preferences = std::vector<Preference>{{0, 1, 1}};
  const Dataset data(std::move(parts));
  for (const char* name : {"logistic-pairs", "hinge-pairs", "squared-hinge-pairs",
                           "exponential-pairs", "fidelity-pairs", "margin-pairs"}) {
    const SharedLoss grades = parse_loss(name);
    for (const double lead : {-1.5, 0.0, 0.25, 2.0}) {
      const Evaluated a = evaluated(*grades, data, {lead, 0});
      const Evaluated b = evaluated(*grades->over_preferences(), data, {lead, 0});
      EXPECT_NEAR(a.value, b.value, 1e-14) << name;
      EXPECT_NEAR(a.first[0], b.first[0], 1e-14) << name;
      EXPECT_NEAR(a.second[1], b.second[1], 1e-14) << name;
    }
  }
}

TEST(Preferences, CountEachPairAndItsWeight) {
  const auto loss = parse_loss("hinge-pairs(pairs=sum)")->over_preferences();
  const std::vector<double> scores = {0, 0, 0};
  EXPECT_EQ(evaluated(*loss, with_pairs({{0, 1, 1}, {0, 1, 1}, {1, 0, 3}}), scores).value, 5);
  const auto average = parse_loss("hinge-pairs")->over_preferences();
  EXPECT_EQ(evaluated(*average, with_pairs({{0, 1, 1}, {0, 1, 3}}), scores).value, 2);
  // A cycle of equal weights balances at equal scores.
  const Evaluated cycle =
      evaluated(*average, with_pairs({{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}), scores);
  EXPECT_THAT(cycle.first, ::testing::Each(0));
}

TEST(Preferences, InformOnlyTheirQueries) {
  const Dataset data = with_pairs({{0, 1, 1}});
  const auto loss = parse_loss("logistic-pairs")->over_preferences();
  const auto bound = loss->bind(data);
  EXPECT_TRUE(bound->informative(0));
  EXPECT_FALSE(bound->informative(1));
  EXPECT_FALSE(loss->bind(with_pairs({{0, 1, 0}}))->informative(0));
}

TEST(Preferences, AreNothingToLossesThatAreNotOverPairs) {
  for (const char* name : {"squared", "softmax", "approx-ndcg"})
    EXPECT_FALSE(parse_loss(name)->over_preferences()) << name;
}

}  // namespace
}  // namespace podium::preferences_test
