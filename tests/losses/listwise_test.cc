// Softmax cross-entropies, Plackett–Luce likelihoods and the cosine against their formulas.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::listwise_test {
namespace {

using testing::make_dataset;

struct Evaluated {
  double value;
  std::vector<double> first, second;
};

Evaluated evaluate(const std::string& name, const Dataset& data, std::span<const double> scores) {
  Evaluated out{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  out.value = parse_loss(name)->bind(data)->evaluate(0, scores, {out.first, out.second});
  return out;
}

struct Query {
  Dataset data;
  std::vector<float> labels, weights;
  std::vector<double> scores;
};

Query random_query(Random& random, std::size_t n, std::uint64_t grades) {
  Query query;
  for (std::size_t i = 0; i < n; ++i) {
    query.labels.push_back(static_cast<float>(random.below(grades)));
    query.weights.push_back(static_cast<float>(1 + random.below(3)));
    query.scores.push_back(4 * random.uniform() - 2);
  }
  DatasetParts parts = make_dataset({n}, 0, {}, query.labels).parts();
  parts.document_weights = query.weights;
  query.data = Dataset(parts);
  return query;
}

double log_sum_exp(std::span<const double> scores) {
  double sum = 0;
  for (const double s : scores) sum += std::exp(s);
  return std::log(sum);
}

// −log P of an order, stage by stage, the naive way.
double minus_log_likelihood(const Query& query, std::span<const std::size_t> order,
                            std::size_t stages) {
  double value = 0;
  for (std::size_t t = 0; t < std::min(stages, order.size()); ++t) {
    std::vector<double> left;
    for (std::size_t u = t; u < order.size(); ++u) left.push_back(query.scores[order[u]]);
    value += query.weights[order[t]] * (log_sum_exp(left) - query.scores[order[t]]);
  }
  return value;
}

void expect_second_derivatives(const std::string& name, const Query& query) {
  const Evaluated at = evaluate(name, query.data, query.scores);
  for (std::size_t i = 0; i < query.scores.size(); ++i) {
    auto up = query.scores, down = query.scores;
    up[i] += 1e-5;
    down[i] -= 1e-5;
    const double slope =
        (evaluate(name, query.data, up).first[i] - evaluate(name, query.data, down).first[i]) /
        2e-5;
    EXPECT_NEAR(at.second[i], slope, 1e-6 * (1 + slope)) << name;
  }
}

TEST(Softmax, EqualsTheFormula) {
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Query query = random_query(random, 2 + random.below(8), 4);
    for (const bool gains : {false, true}) {
      double total = 0, expected = 0;
      const auto mass = [&](std::size_t i) {
        return gains ? std::exp2(double{query.labels[i]}) - 1 : std::exp(double{query.labels[i]});
      };
      for (std::size_t i = 0; i < query.labels.size(); ++i) total += mass(i);
      if (total == 0) continue;
      for (std::size_t i = 0; i < query.labels.size(); ++i)
        expected +=
            query.weights[i] * mass(i) / total * (log_sum_exp(query.scores) - query.scores[i]);
      EXPECT_NEAR(
          evaluate(gains ? "softmax(target=gains)" : "softmax", query.data, query.scores).value,
          expected, 1e-10);
    }
    expect_second_derivatives("softmax", query);
  }
}

TEST(Softmax, QueriesWithoutGainDoNotContribute) {
  const Dataset data = make_dataset({3}, 0, {}, {0, 0, 0});
  const auto bound = parse_loss("softmax(target=gains)")->bind(data);
  EXPECT_FALSE(bound->informative(0));
  EXPECT_TRUE(parse_loss("softmax")->bind(data)->informative(0));
  EXPECT_EQ(evaluate("softmax(target=gains)", data, std::vector<double>{1, 2, 3}).value, 0);
  EXPECT_THROW(parse_loss("softmax(gain=cubic)"), Error);
}

// Many draws approach the exact cross entropy over all ordered pairs (triples).
TEST(Softmax, TopKApproachesTheSumOverAllOrders) {
  Random random(2);
  Query query = random_query(random, 5, 3);
  std::fill(query.weights.begin(), query.weights.end(), 1.0F);
  query.data = make_dataset({5}, 0, {}, query.labels);
  for (const std::size_t k : {2UL, 3UL}) {
    std::vector<std::size_t> order(5);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double expected = 0, rest = 1;
    for (std::size_t left = 2; left <= 5 - k; ++left) rest *= static_cast<double>(left);
    do {  // every order of the first k occurs (5 − k)! times
      double log_target = 0;
      for (std::size_t t = 0; t < k; ++t) {
        double left = 0;
        for (std::size_t u = t; u < 5; ++u) left += std::exp(double{query.labels[order[u]]});
        log_target += query.labels[order[t]] - std::log(left);
      }
      expected += std::exp(log_target) * minus_log_likelihood(query, order, k) / rest;
    } while (std::next_permutation(order.begin(), order.end()));
    const std::string name = "softmax(draws=10000)@" + std::to_string(k);
    EXPECT_NEAR(evaluate(name, query.data, query.scores).value, expected, 0.05);
    expect_second_derivatives("softmax(draws=5)@" + std::to_string(k), query);
  }
  EXPECT_EQ(parse_loss("softmax@2")->name(), "softmax@2");
  EXPECT_THROW(parse_loss("softmax@0"), Error);
}

TEST(ListMle, WithoutTiesEqualsTheFormula) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t n = 2 + random.below(8);
    Query query = random_query(random, n, 1);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t t = 0; t < n; ++t) query.labels[order[t]] = static_cast<float>(n - t);
    DatasetParts parts = make_dataset({n}, 0, {}, query.labels).parts();
    parts.document_weights = query.weights;
    query.data = Dataset(parts);
    for (const std::size_t k : {0UL, 1UL, 3UL}) {
      const std::string cut = k > 0 ? "@" + std::to_string(k) : "";
      const double expected = minus_log_likelihood(query, order, k > 0 ? k : n);
      EXPECT_NEAR(evaluate("listmle" + cut, query.data, query.scores).value, expected, 1e-10);
      EXPECT_NEAR(evaluate("listmle(ties=permute,seed=9)" + cut, query.data, query.scores).value,
                  expected, 1e-10);
      expect_second_derivatives("listmle" + cut, query);
    }
  }
}

// All orders of a query in which the grades descend.
void for_each_order(const Query& query,
                    const std::function<void(std::span<const std::size_t>)>& visit) {
  std::vector<std::size_t> order(query.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool kept = true;
    for (std::size_t t = 1; t < order.size(); ++t)
      kept = kept && query.labels[order[t - 1]] >= query.labels[order[t]];
    if (kept) visit(order);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ListMle, AveragedTiesBoundTheMeanOverOrders) {
  Random random(4);
  for (int repeat = 0; repeat < 40; ++repeat) {
    Query query = random_query(random, 6, 3);
    std::fill(query.weights.begin(), query.weights.end(), 1.0F);
    query.data = make_dataset({6}, 0, {}, query.labels);
    for (const std::size_t k : {2UL, 6UL}) {
      double sum = 0, orders = 0;
      for_each_order(query, [&](std::span<const std::size_t> order) {
        sum += minus_log_likelihood(query, order, k);
        ++orders;
      });
      const std::string name = k == 6 ? "listmle" : "listmle@2";
      const double value = evaluate(name, query.data, query.scores).value;
      EXPECT_GE(value, sum / orders - 1e-10);
      double expected = 0;  // Efron's rule, document by document and stage by stage
      for (std::size_t i = 0; i < 6; ++i) {
        double above = 0, same = 0, own = 0, lower = 0, none = 0;
        for (std::size_t j = 0; j < 6; ++j) {
          const float y = query.labels[j];
          above += y > query.labels[i];
          same += y == query.labels[i];
          (y > query.labels[i]   ? none
           : y < query.labels[i] ? lower
                                 : own) += std::exp(query.scores[j]);
        }
        for (double r = 0; r < same && above + r < static_cast<double>(k); ++r)
          expected += (std::log(lower + (1 - r / same) * own) - query.scores[i]) / same;
      }
      EXPECT_NEAR(value, expected, 1e-10);
      expect_second_derivatives(name, query);
      auto level = query;  // equal scores within grades: the bound is exact
      for (std::size_t i = 0; i < 6; ++i) level.scores[i] = 0.7 * query.labels[i];
      double level_sum = 0;
      for_each_order(level, [&](std::span<const std::size_t> order) {
        level_sum += minus_log_likelihood(level, order, k);
      });
      EXPECT_NEAR(evaluate(name, level.data, level.scores).value, level_sum / orders, 1e-10);
    }
  }
}

TEST(ListMle, PermutedTiesAreOneOfTheOrders) {
  Random random(5);
  const Query query = random_query(random, 6, 3);
  std::vector<double> values, seen;
  for_each_order(query, [&](std::span<const std::size_t> order) {
    values.push_back(minus_log_likelihood(query, order, 6));
  });
  for (int seed = 0; seed < 20; ++seed) {
    const std::string name = "listmle(ties=permute,seed=" + std::to_string(seed) + ")";
    seen.push_back(evaluate(name, query.data, query.scores).value);
    EXPECT_TRUE(std::any_of(values.begin(), values.end(),
                            [&](double v) { return std::abs(v - seen.back()) < 1e-10; }));
    EXPECT_EQ(evaluate(name, query.data, query.scores).value, seen.back());
  }
  EXPECT_GT(*std::max_element(seen.begin(), seen.end()),
            *std::min_element(seen.begin(), seen.end()) + 1e-6);
}

// Suffixes far below the top keep their gradients: nothing underflows to 0/0.
TEST(ListMle, ExtremeScoresKeepTheirDigits) {
  const Dataset data = make_dataset({4}, 0, {}, {3, 2, 1, 0});
  const Evaluated at = evaluate("listmle", data, std::vector<double>{1e8, -1e8, -1e8, -1e8 - 1});
  const double z = 2 + std::exp(-1.0);
  EXPECT_NEAR(at.value, std::log(z) + std::log(1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(at.first[0], 0, 1e-9);
  EXPECT_NEAR(at.first[1], 1 / z - 1, 1e-6);
}

// The target's mean over γ, by brute force on a grid of γ.
TEST(Xendcg, ExpectedTargetIsTheMeanOverGamma) {
  const double scores[] = {0.3, -0.2, 1.1};
  for (const std::vector<float>& labels :
       {std::vector<float>{2, 0, 1}, {0, 0, 0}, {0.01F, 0, 0}, {20, 3, 0}, {1, 1, 0}}) {
    const Dataset data = make_dataset({3}, 0, {}, labels);
    constexpr int kGrid = 60;
    double mean = 0;
    for (int a = 0; a < kGrid; ++a)
      for (int b = 0; b < kGrid; ++b)
        for (int c = 0; c < kGrid; ++c) {
          const double part[] = {std::exp2(double{labels[0]}) - (a + 0.5) / kGrid,
                                 std::exp2(double{labels[1]}) - (b + 0.5) / kGrid,
                                 std::exp2(double{labels[2]}) - (c + 0.5) / kGrid};
          for (std::size_t i = 0; i < 3; ++i)
            mean += part[i] / (part[0] + part[1] + part[2]) * (log_sum_exp(scores) - scores[i]);
        }
    mean /= kGrid * kGrid * kGrid;
    EXPECT_NEAR(evaluate("xendcg", data, scores).value, mean, 3e-5);
  }
}

TEST(Xendcg, DrawsAreMeanAndRepeatable) {
  const Dataset data = make_dataset({4}, 0, {}, {2, 0, 1, 0});
  const std::vector<double> scores = {0.3, -0.2, 1.1, 0};
  double sum = 0;
  for (int seed = 0; seed < 2000; ++seed)
    sum += evaluate("xendcg(gamma=drawn,seed=" + std::to_string(seed) + ")", data, scores).value;
  EXPECT_NEAR(sum / 2000, evaluate("xendcg", data, scores).value, 0.01);
  EXPECT_EQ(evaluate("xendcg(gamma=drawn,seed=3)", data, scores).value,
            evaluate("xendcg(gamma=drawn,seed=3)", data, scores).value);
}

// Long lists and huge grades: the target still sums to 1.
TEST(Xendcg, TargetsAreADistribution) {
  for (const float grade : {0.0F, 1.0F, 31.0F, 900.0F})
    for (const std::size_t n : {1UL, 2UL, 1000UL}) {
      std::vector<float> labels(n, 0.0F);
      labels[0] = grade;
      const Dataset data = make_dataset({n}, 0, {}, labels);
      const std::vector<double> scores(n, 0.0);
      const Evaluated at = evaluate("xendcg", data, scores);
      EXPECT_NEAR(at.value, std::log(static_cast<double>(n)), 1e-9) << grade << " " << n;
      EXPECT_LE(at.first[0], 1e-12);
    }
}

TEST(Cosine, EqualsTheFormula) {
  Random random(6);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Query query = random_query(random, 2 + random.below(8), 4);
    double squares = 1, product = 0, length = 0, dcg = 0;
    auto ideal = query.labels;
    std::sort(ideal.rbegin(), ideal.rend());
    for (std::size_t i = 0; i < ideal.size(); ++i) {
      const double w = query.weights[i], y = query.labels[i], s = query.scores[i];
      squares += w * s * s;
      product += w * s * y;
      length += w * y * y;
      dcg += ideal[i] / std::log2(static_cast<double>(i) + 2);
    }
    const double expected = dcg > 0 ? 0.5 * (1 - product / std::sqrt(length * squares)) : 0;
    const double consistent = dcg > 0 ? 0.5 * (1 - product / dcg / std::sqrt(squares)) : 0;
    EXPECT_NEAR(evaluate("cosine", query.data, query.scores).value, expected, 1e-12);
    EXPECT_NEAR(evaluate("cosine(norm=ideal-dcg)", query.data, query.scores).value, consistent,
                1e-12);
  }
}

// From scores that are all 0, every relevant document is pulled up.
TEST(Cosine, HasAGradientAtZero) {
  const Dataset data = make_dataset({3}, 0, {}, {2, 0, 1});
  const Evaluated at = evaluate("cosine", data, std::vector<double>(3));
  EXPECT_LT(at.first[0], at.first[2]);
  EXPECT_LT(at.first[2], 0);
  EXPECT_EQ(at.first[1], 0);
}

}  // namespace
}  // namespace podium::listwise_test
