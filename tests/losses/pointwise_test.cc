// Losses of single documents, and of whole queries up to a shift: squared, query-squared, and
// McRank's two classification losses.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::pointwise_test {
namespace {

using testing::make_dataset;

Dataset weighted_query() {
  DatasetParts parts = make_dataset({4}, 0, {}, {0, 2, 1, 4}).parts();
  parts.document_weights = std::vector<float>{1, 2, 0.5, 3};
  parts.query_weights = std::vector<float>{2};
  return Dataset(parts);
}

TEST(Squared, TargetsFollowTheOption) {
  const Dataset data = weighted_query();
  const std::vector<double> scores = {1, -1, 0.5, 2};
  const std::pair<const char*, std::vector<double>> rows[] = {
      {"squared", {0, 2, 1, 4}},
      {"squared(targets=exp2)", {0, 3, 1, 15}},
      {"squared(targets=0/0.5/3)", {0, 3, 0.5, 3}}};
  for (const auto& [name, targets] : rows) {
    std::vector<double> first(4), second(4);
    double expected = 0;
    for (std::size_t i = 0; i < 4; ++i)
      expected += data.document_weights(0)[i] * std::pow(scores[i] - targets[i], 2);
    EXPECT_NEAR(parse_loss(name)->bind(data)->evaluate(0, scores, {first, second}), expected,
                1e-12);
    EXPECT_NEAR(first[3], 6 * (2 - targets[3]), 1e-12);
    EXPECT_NEAR(second[3], 6, 1e-12);
  }
  EXPECT_EQ(parse_loss("squared(targets=linear)")->name(), "squared");
  EXPECT_THROW(parse_loss("squared(targets=log)"), Error);
}

TEST(Squared, ListsAreInterpolatedBetweenGrades) {
  const Dataset data = make_dataset({3}, 0, {}, {0.5, 1.25, -2});
  std::vector<double> scores(3), first(3);
  parse_loss("squared(targets=1/2/6)")->bind(data)->evaluate(0, scores, {first, {}});
  EXPECT_NEAR(first[0], -1.5, 1e-12);
  EXPECT_NEAR(first[1], -3, 1e-12);
  EXPECT_NEAR(first[2], -1, 1e-12);
}

TEST(ScoreRidge, AddsHalfTheSquaredScores) {
  const Dataset data = weighted_query();
  const std::vector<double> scores = {1, -1, 0.5, 2};
  std::vector<double> first(4), second(4);
  // 2 · ½ · (1·1 + 2·1 + 0.5·0.25 + 3·4), for any labels.
  EXPECT_NEAR(parse_loss("score-ridge")->bind(data)->evaluate(0, scores, {first, second}), 15.125,
              1e-12);
  EXPECT_NEAR(first[1], -4, 1e-12);
  EXPECT_NEAR(second[3], 6, 1e-12);
  // λ_i − α s_i: the derivatives grow by α times the weight times the score.
  std::vector<double> plain(4), curvature(4);
  parse_loss("lambda-ndcg")->bind(data)->evaluate(0, scores, {plain, curvature});
  parse_loss("lambda-ndcg + 0.1*score-ridge")->bind(data)->evaluate(0, scores, {first, second});
  const auto weights = data.document_weights(0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(first[i], plain[i] + 0.1 * 2 * weights[i] * scores[i], 1e-12);
    EXPECT_NEAR(second[i], curvature[i] + 0.1 * 2 * weights[i], 1e-12);
  }
}

TEST(QuerySquared, IsSquaredAtTheBestShift) {
  const Dataset data = weighted_query();
  const std::vector<double> scores = {1, -1, 0.5, 2};
  std::vector<double> first(4), shifted_first(4);
  const auto squared = parse_loss("squared")->bind(data);
  const double value = parse_loss("query-squared")->bind(data)->evaluate(0, scores, {first, {}});
  const auto at = [&](double shift) {
    auto moved = scores;
    for (double& s : moved) s -= shift;
    return squared->evaluate(0, moved, {shifted_first, {}});
  };
  double low = -100, high = 100;  // the derivative by the shift is −Σ first
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    at(middle);
    (std::accumulate(shifted_first.begin(), shifted_first.end(), 0.0) > 0 ? low : high) = middle;
  }
  EXPECT_NEAR(value, at(low), 1e-9);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(first[i], shifted_first[i], 1e-9);
}

TEST(Multinomial, EqualsTheFormula) {
  const Dataset data = weighted_query();  // grades 0, 1, 2, 4
  const auto bound = parse_loss("multinomial")->bind(data);
  const Link link = bound->link();
  EXPECT_EQ(link.kind, Link::Kind::softmax);
  EXPECT_EQ(link.values, (std::vector<double>{0, 1, 2, 4}));
  Random random(1);
  std::vector<double> scores(16), first(16), second(16);
  for (double& s : scores) s = 4 * random.uniform() - 2;
  const double value = bound->evaluate(0, scores, {first, second});
  const std::size_t target[] = {0, 2, 1, 3};
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double total = 0;
    for (std::size_t k = 0; k < 4; ++k) total += std::exp(scores[4 * i + k]);
    const double w = 2 * data.document_weights(0)[i];
    expected -= w * std::log(std::exp(scores[4 * i + target[i]]) / total);
    for (std::size_t k = 0; k < 4; ++k) {
      const double p = std::exp(scores[4 * i + k]) / total;
      EXPECT_NEAR(first[4 * i + k], w * (p - (k == target[i])), 1e-12);
      EXPECT_NEAR(second[4 * i + k], w * 4 / 3 * p * (1 - p), 1e-12);
    }
  }
  EXPECT_NEAR(value, expected, 1e-12);
}

TEST(Ordinal, EqualsTheFormula) {
  const Dataset data = weighted_query();
  const auto bound = parse_loss("ordinal")->bind(data);
  EXPECT_EQ(bound->link().kind, Link::Kind::cumulative);
  EXPECT_EQ(bound->link().outputs(), 3U);
  Random random(2);
  std::vector<double> scores(12), first(12), second(12);
  for (double& s : scores) s = 4 * random.uniform() - 2;
  const double value = bound->evaluate(0, scores, {first, second}), grades[] = {0, 1, 2};
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = 2 * data.document_weights(0)[i], p = 1 / (1 + std::exp(-scores[3 * i + k]));
      const bool above = data.labels(0)[i] > grades[k];
      expected -= w * std::log(above ? p : 1 - p);
      EXPECT_NEAR(first[3 * i + k], w * (p - above), 1e-12);
      EXPECT_NEAR(second[3 * i + k], w * p * (1 - p), 1e-12);
    }
  EXPECT_NEAR(value, expected, 1e-12);
}

TEST(McRank, OneGradeIsAConstant) {
  const Dataset data = make_dataset({2, 1}, 0, {}, {3, 3, 3});
  for (const char* name : {"multinomial", "ordinal"}) {
    const auto bound = parse_loss(name)->bind(data);
    const Link link = bound->link();
    ASSERT_EQ(link.outputs(), 1U);
    EXPECT_FALSE(bound->informative(0));
    const std::vector<double> scores = {5, -7};
    EXPECT_EQ(link(std::span(scores).first(1)), 3);
    std::vector<double> first(2, 9), second(2);
    EXPECT_EQ(bound->evaluate(0, scores, {first, second}), 0);
    EXPECT_EQ(first, (std::vector<double>{0, 0}));
    EXPECT_GT(second[0], 0);
  }
}

TEST(McRank, GradesAreThoseOfAllRanks) {
  const Dataset parts[] = {make_dataset({2}, 0, {}, {0, 2}), make_dataset({1}, 0, {}, {4}),
                           make_dataset({}, 0, {}, {})};
  const auto loss = parse_loss("ordinal");
  run_in_threads(3, [&](Communicator& comm) {
    const auto bound = loss->bind(parts[comm.rank()], comm);
    EXPECT_EQ(bound->link().values, (std::vector<double>{0, 2, 4}));
  });
}

TEST(McRank, RealLabelsAreAnError) {
  std::vector<float> labels(1000);
  std::iota(labels.begin(), labels.end(), 0.0F);
  const Dataset data = make_dataset({1000}, 0, {}, labels);
  EXPECT_THROW(parse_loss("multinomial")->bind(data), Error);
  EXPECT_THROW(parse_loss("ordinal")->bind(data), Error);
  EXPECT_THROW(parse_loss("multinomial+squared")->bind(make_dataset({2}, 0, {}, {0, 1})), Error);
}

}  // namespace
}  // namespace podium::pointwise_test
