// ApproxNDCG, SmoothRank and SoftRank: against brute force, and against the measure they smooth.
#include <cmath>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::smooth_measures_test {
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

// With little smoothing, each approaches one minus the measure.
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

TEST(ApproxNdcg, LongListsEqualTheFormula) {
  Random random(5);
  for (const double spread : {0.0, 1.0, 50.0}) {
    Query query = random_query(random, 700);
    for (double& score : query.scores) score *= spread;
    const auto labels = query.data.labels(0);
    const std::size_t n = labels.size();
    const double ideal = ideal_dcg(labels, n);
    double value = 1;
    std::vector<double> wanted(n), first(n), second(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto coin = [&](std::size_t j) {
        return 1 / (1 + std::exp((query.scores[i] - query.scores[j]) / 0.5));
      };
      double rank = 1;
      for (std::size_t j = 0; j < n; ++j) rank += j == i ? 0 : coin(j);
      const double gain = (std::exp2(double{labels[i]}) - 1) / ideal,
                   log_rank = std::log2(1 + rank);
      value -= gain / log_rank;
      for (std::size_t j = 0; j < n; ++j) {
        const double slope = gain / (log_rank * log_rank * (1 + rank) * std::log(2.0)) * coin(j) *
                             (1 - coin(j)) / 0.5;
        wanted[j] += slope;
        wanted[i] -= slope;
      }
    }
    EXPECT_NEAR(parse_loss("approx-ndcg(temperature=0.5)")
                    ->bind(query.data)
                    ->evaluate(0, query.scores, {first, second}),
                value, 1e-12);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(first[i], wanted[i], 1e-13);
      ASSERT_GE(second[i], std::abs(first[i]));
    }
  }
}

// Rank by rank, and document by document.
TEST(Smooth, LongListsEqualTheFormula) {
  Random random(6);
  for (const bool ap : {false, true})
    for (const double sigma : {0.02, 1.0, 30.0}) {
      const Query query = random_query(random, 700);
      const auto labels = query.data.labels(0);
      const std::vector<double>& s = query.scores;
      const std::size_t n = s.size();
      std::vector<std::size_t> order(n);
      for (std::size_t i = 0; i < n; ++i) order[i] = i;
      std::sort(order.begin(), order.end(), [&](auto a, auto b) { return s[a] > s[b]; });
      std::vector<double> gain(n), expected(n), total(n), slope(n), first(n), second(n);
      double goods = 0;
      for (std::size_t i = 0; i < n; ++i) {
        gain[i] = ap ? labels[i] >= 1 : (std::exp2(double{labels[i]}) - 1) / ideal_dcg(labels, n);
        goods += gain[i];
      }
      const auto bell = [&](std::size_t i, std::size_t r) {
        return std::exp(-std::pow(s[i] - s[order[r]], 2) / sigma);
      };
      double measure = 0, before = 0;
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t i = 0; i < n; ++i) {
          total[r] += bell(i, r);
          expected[r] += gain[i] * bell(i, r);
        }
        expected[r] /= total[r];
        const auto rank = static_cast<double>(r);
        slope[r] = ap ? (1 + before) / (rank + 1) / goods : 1 / std::log2(rank + 2);
        measure += slope[r] * expected[r];
        before += expected[r];
      }
      for (std::size_t r = 0; ap && r < n; ++r)
        for (std::size_t later = r + 1; later < n; ++later)
          slope[r] += expected[later] / static_cast<double>(later + 1) / goods;
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = 0; i < n; ++i) {
          const double term = -slope[r] / total[r] * bell(i, r) * (gain[i] - expected[r]);
          const double by_score = -2 * term * (s[i] - s[order[r]]) / sigma;
          first[i] += by_score;
          first[order[r]] -= by_score;
          second[i] += 2 / sigma * std::abs(term);
          second[order[r]] += 2 / sigma * std::abs(term);
        }
      const auto loss = parse_loss("smooth(measure=" + std::string(ap ? "ap" : "ndcg") +
                                   ",sigma=" + std::to_string(sigma) + ")");
      std::vector<double> found(n), curved(n);
      EXPECT_NEAR(loss->bind(query.data)->evaluate(0, s, {found, curved}), 1 - measure, 1e-11);
      const double largest = *std::max_element(second.begin(), second.end());
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(found[i], first[i], 1e-12 * (1 + largest)) << loss->name();
        ASSERT_NEAR(curved[i], second[i], 1e-12 * (1 + largest)) << loss->name();
      }
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
          if (wins >> i & 1) continue;  // no document beats itself
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

// A list twice: as a short list, and with enough documents after all others to make it long. These
// change nothing: they certainly lose.
TEST(SoftRank, LongListsEqualShortOnes) {
  Random random(4);
  for (const char* cut : {"", "@1", "@5", "@40"})
    for (const double sigma : {0.05, 0.3, 2.0}) {
      Query query = random_query(random, 200);
      std::vector<double> first(200), second(200);
      const auto loss = parse_loss("softrank(sigma=" + std::to_string(sigma) + ")" + cut);
      const double value = loss->bind(query.data)->evaluate(0, query.scores, {first, second});
      const auto labels = query.data.labels(0);
      std::vector<float> more(labels.begin(), labels.end());
      std::vector<double> scores = query.scores;
      for (std::size_t i = 0; i < 100; ++i) {
        more.push_back(0);
        scores.push_back(-200 - random.uniform());
      }
      std::vector<double> long_first(300), long_second(300);
      const double long_value = loss->bind(make_dataset({300}, 0, {}, more))
                                    ->evaluate(0, scores, {long_first, long_second});
      EXPECT_NEAR(long_value, value, 1e-12) << loss->name();
      for (std::size_t i = 0; i < 200; ++i) {
        ASSERT_NEAR(long_first[i], first[i], 1e-12) << loss->name();
        ASSERT_NEAR(long_second[i], second[i], 1e-12 / (sigma * sigma)) << loss->name();
      }
      for (std::size_t i = 200; i < 300; ++i) ASSERT_NEAR(long_first[i], 0, 1e-13) << loss->name();
    }
}

// Equal scores: every document's rank is binomial.
TEST(SoftRank, OfALongTie) {
  constexpr std::size_t kDocuments = 1001;
  std::vector<float> labels(kDocuments);
  labels[7] = 1;
  const Query query{make_dataset({kDocuments}, 0, {}, labels), std::vector<double>(kDocuments)};
  double discount = 0, log_choose = 0;
  for (std::size_t r = 0; r < kDocuments; ++r) {
    const auto rank = static_cast<double>(r);
    discount += std::exp(log_choose - 1000 * std::log(2.0)) / std::log2(rank + 2);
    log_choose += std::log(1000 - rank) - std::log(rank + 1);
  }
  EXPECT_NEAR(evaluate_loss("softrank", query), 1 - discount, 1e-12);
}

TEST(SmoothMeasures, QueriesWithoutGainDoNotContribute) {
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
}  // namespace podium::smooth_measures_test
