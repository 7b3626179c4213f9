// ApproxNDCG, SmoothRank and SoftRank: against brute force, and against the measure they smooth.
#include <cmath>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium {
namespace {

using testing::Bench;
using testing::make_dataset;

struct Query {
  Dataset data;
  std::vector<double> scores;
};

Query random_query(Random& random, std::size_t n) {
  std::vector<float> labels(n);
  for (float& y : labels) y = static_cast<float>(random.below(4));
  labels[0] = 2;
  labels[1] = 0;
  Query query{make_dataset({n}, 0, {}, labels), {}};
  for (std::size_t i = 0; i < n; ++i) query.scores.push_back(4 * random.uniform() - 2);
  return query;
}

double evaluate_loss(const std::string& name, const Query& query) {
  std::vector<double> first(query.scores.size());
  return parse_loss(name)->bind(query.data)->evaluate(0, query.scores, {first, {}});
}

double ideal_dcg(std::span<const float> labels, std::size_t k) {
  std::vector<float> ideal(labels.begin(), labels.end());
  std::sort(ideal.rbegin(), ideal.rend());
  double sum = 0;
  for (std::size_t r = 0; r < std::min(k, ideal.size()); ++r)
    sum += (std::exp2(double{ideal[r]}) - 1) / std::log2(static_cast<double>(r) + 2);
  return sum;
}

// Sharp enough, each is one minus the measure.
TEST(SmoothMeasures, ApproachTheMeasure) {
  Bench bench;
  const Convention& convention = find_convention("podium");
  const std::pair<const char*, const char*> rows[] = {
      {"approx-ndcg(temperature=1e-7)", "nDCG"}, {"smooth(sigma=1e-12)", "nDCG"},
      {"smooth(sigma=1e-12)@3", "nDCG@3"},       {"smooth(sigma=1e-12,measure=ap)", "AP"},
      {"softrank(sigma=1e-7)", "nDCG"},          {"softrank(sigma=1e-7)@3", "nDCG@3"}};
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Query query = random_query(random, 2 + random.below(12));
    for (const auto& [loss, measure] : rows)
      EXPECT_NEAR(evaluate_loss(loss, query),
                  1 - evaluate(parse_measure(measure, convention), convention, query.data,
                               query.scores, bench.context),
                  1e-9)
          << loss;
  }
}

TEST(ApproxNdcg, EqualsTheFormula) {
  Random random(2);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Query query = random_query(random, 2 + random.below(8));
    const auto labels = query.data.labels(0);
    double dcg = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      double rank = 1;
      for (std::size_t j = 0; j < labels.size(); ++j)
        if (j != i) rank += 1 / (1 + std::exp((query.scores[i] - query.scores[j]) / 0.5));
      dcg += (std::exp2(double{labels[i]}) - 1) / std::log2(1 + rank);
    }
    EXPECT_NEAR(evaluate_loss("approx-ndcg(temperature=0.5)", query),
                1 - dcg / ideal_dcg(labels, labels.size()), 1e-12);
  }
}

// Every outcome of the n − 1 comparisons of a document, with its probability.
TEST(SoftRank, EqualsTheSumOverAllComparisons) {
  Random random(3);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Query query = random_query(random, 2 + random.below(6));
    const auto labels = query.data.labels(0);
    const std::size_t n = labels.size();
    for (const std::size_t k : {2UL, n}) {
      double dcg = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t wins = 0; wins < std::size_t{1} << n; ++wins) {
          if (wins >> i & 1) continue;  // nobody beats itself
          double probability = 1, rank = 0;
          for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            const double p = 0.5 * std::erfc((query.scores[i] - query.scores[j]) / (2 * 0.7));
            probability *= wins >> j & 1 ? p : 1 - p;
            rank += wins >> j & 1;
          }
          if (rank < static_cast<double>(k))
            dcg += probability * (std::exp2(double{labels[i]}) - 1) / std::log2(rank + 2);
        }
      EXPECT_NEAR(
          evaluate_loss("softrank(sigma=0.7)" + (k == n ? "" : "@" + std::to_string(k)), query),
          1 - dcg / ideal_dcg(labels, k), 1e-10);
    }
  }
}

TEST(SmoothMeasures, QueriesWithoutGainSayNothing) {
  const Dataset data = make_dataset({3, 1}, 0, {}, {0, 0, 0, 2});
  for (const char* name : {"approx-ndcg", "smooth", "smooth(measure=ap)", "softrank"}) {
    const auto bound = parse_loss(name)->bind(data);
    EXPECT_FALSE(bound->informative(0));
    EXPECT_FALSE(bound->informative(1));
    std::vector<double> first(3, 7), second(3, 7);
    EXPECT_EQ(bound->evaluate(0, std::vector<double>{1, 2, 3}, {first, second}), 0);
    EXPECT_EQ(first[1], 0);
    EXPECT_EQ(second[1], 0);
  }
  EXPECT_THROW(parse_loss("smooth(measure=ap)@3"), Error);
  EXPECT_THROW(parse_loss("softrank(sigma=0)"), Error);
}

}  // namespace
}  // namespace podium
