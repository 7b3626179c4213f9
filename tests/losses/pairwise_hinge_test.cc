#include <cmath>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::pairwise_hinge_test {
namespace {

using testing::Bench;
using testing::make_dataset;

TEST(PairwiseHinge, EqualsTheSumOverPairs) {
  Random random(1);
  const auto loss = parse_loss("pairwise-hinge"),
             sum_loss = parse_loss("pairwise-hinge(pairs=sum)");
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t n = 2 + random.below(12);
    std::vector<float> labels(n);
    std::vector<double> scores(n), first(n), expected(n), second(n);
    for (float& y : labels) y = static_cast<float>(random.below(5)) * 0.5F - 1;
    for (double& s : scores)
      s = 0.25 * static_cast<double>(random.below(12));  // many ties and exact margins
    double value = 0, pairs = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (!(labels[i] > labels[j])) continue;
        ++pairs;
        const double short_of = 1 - (scores[i] - scores[j]);
        if (short_of <= 0) continue;
        value += short_of;
        expected[i] -= 1;
        expected[j] += 1;
      }
    const Dataset data = make_dataset({n}, 0, {}, labels);
    const auto bound = loss->bind(data), sum_bound = sum_loss->bind(data);
    EXPECT_EQ(bound->informative(0), pairs > 0);
    if (pairs == 0) continue;
    EXPECT_NEAR(sum_bound->evaluate(0, scores, {first, second}), value, 1e-9);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(first[i], expected[i], 1e-9);
    EXPECT_NEAR(bound->evaluate(0, scores, {first, second}), value / pairs, 1e-9);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(first[i], expected[i] / pairs, 1e-9);
  }
}

// The hinge bounds the Δ of the ranking by score.
TEST(StructuredHinge, BoundsTheTrueLoss) {
  const std::pair<const char*, const char*> rows[] = {{"structured-auc", "AUC"},
                                                      {"structured-map", "AP"},
                                                      {"structured-ndcg@3", "nDCG(gain=0;1)@3"},
                                                      {"structured-ndcg-nc", "nDCG(gain=0;1)"},
                                                      {"structured-mrr@2", "RR@2"},
                                                      {"structured-mrr(map=po)@2", "RR@2"},
                                                      {"dorm@5", "nDCG@5"}};
  Bench bench;
  const Convention& convention = find_convention("podium");
  Random random(2);
  for (const auto& [loss_name, measure_name] : rows) {
    const auto loss = parse_loss(loss_name);
    const auto measure = parse_measure(measure_name, convention);
    for (int repeat = 0; repeat < 300; ++repeat) {
      const std::size_t n = 3 + random.below(8);
      std::vector<float> labels(n);
      for (float& y : labels) y = static_cast<float>(random.below(2));
      labels[0] = 0;
      labels[1] = 1;
      std::vector<double> scores(n), first(n);
      for (double& s : scores) s = 2 * random.uniform() - 1;
      const Dataset data = make_dataset({n}, 0, {}, labels);
      const double value = loss->bind(data)->evaluate(0, scores, {first, {}});
      const double delta = 1 - evaluate(measure, convention, data, scores, bench.context);
      EXPECT_GE(value, delta - 1e-9) << loss_name;
    }
  }
}

TEST(Combination, SumsAndMaxima) {
  const Dataset data = testing::noisy_linear(5, 12, 1, 3);
  Random random(4);
  std::vector<double> scores(12), a(12), b(12), c(12), second(12);
  for (double& s : scores) s = random.uniform();
  const auto first = parse_loss("structured-map"), other = parse_loss("structured-auc");
  const auto sum = parse_loss("structured-map+0.5*structured-auc");
  const auto maximum = parse_loss("max(structured-map, structured-auc)");
  EXPECT_EQ(sum->name(), "structured-map+0.5*structured-auc");
  EXPECT_EQ(maximum->name(), "max(structured-map,structured-auc)");
  EXPECT_EQ(sum->traits().shape, LossTraits::Shape::convex);
  for (std::size_t q = 0; q < 5; ++q) {
    const double x = first->bind(data)->evaluate(q, scores, {a, second});
    const double y = other->bind(data)->evaluate(q, scores, {b, second});
    EXPECT_NEAR(sum->bind(data)->evaluate(q, scores, {c, second}), x + 0.5 * y, 1e-12);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(c[i], a[i] + 0.5 * b[i], 1e-12);
    EXPECT_EQ(maximum->bind(data)->evaluate(q, scores, {c, second}), std::max(x, y));
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(c[i], x >= y ? a[i] : b[i]);
  }
  const auto large = parse_loss("1e+20*structured-map+structured-auc");
  EXPECT_EQ(parse_loss(large->name())->name(), large->name());
  EXPECT_THROW(parse_loss("structured-map+nosuch"), Error);
  EXPECT_THROW(parse_loss("-1*structured-map"), Error);
  EXPECT_THROW(parse_loss("structured-ndcg@-1"), Error);
  EXPECT_THROW(parse_loss("structured-ndcg(discont=log2)"), Error);
}

TEST(QueryWeights, ScaleValueAndDerivatives) {
  DatasetParts parts = make_dataset({4}, 0, {}, {1, 0, 2, 0}).parts();
  const Dataset plain(parts);
  parts.query_weights = std::vector<float>{3};
  const Dataset weighted(parts);
  for (const auto* entry : losses().entries()) {
    const auto loss = parse_loss(entry->name);
    const auto bound = loss->bind(plain), heavy = loss->bind(weighted);
    const std::size_t n = 4 * bound->link().outputs();
    std::vector<double> scores(n), a(n), b(n), c(n), d(n);
    for (std::size_t i = 0; i < n; ++i) scores[i] = 0.1 * static_cast<double>(i * 3 % 7);
    const double one = bound->evaluate(0, scores, {a, c});
    const double three = heavy->evaluate(0, scores, {b, d});
    EXPECT_NEAR(three, 3 * one, 1e-12) << entry->name;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(b[i], 3 * a[i], 1e-12) << entry->name;
      EXPECT_NEAR(d[i], 3 * c[i], 1e-12) << entry->name;
    }
  }
}

// Grades 2 and 1 are both good, but DORM distinguishes them.
TEST(StructuredHinge, GradedOraclesLearnFromTwoGrades) {
  const Dataset data = make_dataset({2, 2}, 0, {}, {2, 1, 1, 1});
  EXPECT_TRUE(parse_loss("dorm")->bind(data)->informative(0));
  EXPECT_FALSE(parse_loss("dorm")->bind(data)->informative(1));
  EXPECT_FALSE(parse_loss("dorm(labels=binary)")->bind(data)->informative(0));
  EXPECT_FALSE(parse_loss("structured-map")->bind(data)->informative(0));
}

TEST(Hinge, CountsDocumentsEquallyAndBalances) {
  const Dataset data = make_dataset({1, 3}, 0, {}, {1, 0, 0, 0});
  std::vector<double> scores = {0, 0, 0}, first(3), one(1);
  const auto plain = parse_loss("hinge")->bind(data),
             balanced = parse_loss("hinge(balance=true)")->bind(data);
  EXPECT_NEAR(plain->evaluate(0, std::span(scores).first(1), {one, {}}), 1, 1e-12);
  EXPECT_NEAR(one[0], -1, 1e-12);
  EXPECT_NEAR(plain->evaluate(1, scores, {first, {}}), 3, 1e-12);
  EXPECT_NEAR(balanced->evaluate(0, std::span(scores).first(1), {one, {}}), 3, 1e-12);
}

}  // namespace
}  // namespace podium::pairwise_hinge_test
