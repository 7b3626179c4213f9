#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/loss.h"
#include "support/least_distance.h"
#include "support/toy_data.h"

namespace podium::interval_test {
namespace {

using testing::least_distance;
using testing::make_dataset;

struct Query {
  std::vector<float> labels;
  std::vector<double> scores;
};

// 1 to 8 documents; grades 0…4 with gaps, ties in scores and grades.
Query random_query(Random& random) {
  Query query;
  const std::size_t n = 1 + random.below(8);
  const std::uint64_t grades = 1 + random.below(5);
  const bool coarse = random.below(2) == 0;
  for (std::size_t i = 0; i < n; ++i) {
    query.labels.push_back(static_cast<float>(random.below(grades) * (1 + random.below(2))));
    const double s = 6 * random.uniform() - 3;
    query.scores.push_back(coarse ? std::round(s) : s);
  }
  return query;
}

struct Reference {
  double value;
  std::vector<double> gradient;
};

// Problem (6) of [Moon10] with adjacent grades only, over all of its variables: δ of each document,
// ε of each neighbouring pair of grades and ξ of each grade, scaled so that the objective is
// ½‖x‖². lambda1 = ∞ leaves out ε, lambda2 = 0 leaves out ξ.
Reference solve_directly(const Query& query, double lambda1, double lambda2) {
  std::vector<float> grades = query.labels;
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  const auto n = static_cast<Eigen::Index>(query.labels.size());
  const auto count = static_cast<Eigen::Index>(grades.size());
  const Eigen::Index variables = n + (count - 1) + count;
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> bounds;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto at = [&](Eigen::Index k) { return static_cast<std::size_t>(k); };
      const auto grade = [&](Eigen::Index k) {
        return std::lower_bound(grades.begin(), grades.end(), query.labels[at(k)]) - grades.begin();
      };
      const double apart = query.scores[at(i)] - query.scores[at(j)];
      Eigen::VectorXd row = Eigen::VectorXd::Zero(variables);
      row[i] += 1;
      row[j] -= 1;
      if (grade(i) == grade(j) + 1) {
        if (std::isfinite(lambda1)) row[n + grade(j)] = 1 / std::sqrt(lambda1);
        bounds.push_back(double{query.labels[at(i)]} - query.labels[at(j)] - apart);
      } else if (grade(i) == grade(j) && i != j && lambda2 > 0) {
        row[n + count - 1 + grade(i)] = 1 / std::sqrt(lambda2);  // ξ ≥ z_j − z_i
        bounds.push_back(-apart);
      } else {
        continue;
      }
      rows.push_back(std::move(row));
    }
  Eigen::MatrixXd g(static_cast<Eigen::Index>(rows.size()), variables);
  Eigen::VectorXd h(g.rows());
  for (Eigen::Index r = 0; r < g.rows(); ++r) {
    g.row(r) = rows[static_cast<std::size_t>(r)].transpose();
    h[r] = bounds[static_cast<std::size_t>(r)];
  }
  const Eigen::VectorXd x = least_distance(g, h);
  Reference reference{0.5 * x.squaredNorm(), {}};
  for (Eigen::Index i = 0; i < n; ++i) reference.gradient.push_back(-x[i]);
  return reference;
}

void expect_agreement(const std::string& name, const Query& query, const Reference& reference,
                      double tolerance) {
  const std::size_t n = query.scores.size();
  const Dataset data = make_dataset({n}, 0, {}, query.labels);
  std::vector<double> first(n), second(n);
  const double value = parse_loss(name)->bind(data)->evaluate(0, query.scores, {first, second});
  ASSERT_NEAR(value, reference.value, tolerance * (1 + reference.value)) << name;
  for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(first[i], reference.gradient[i], tolerance);
}

TEST(Interval, AgreesWithAGenericQuadraticProgramme) {
  Random random(1);
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const Query query = random_query(random);
    const double lambda1 = std::pow(10, 5 * random.uniform() - 2);
    const double lambda2 = repeat % 4 == 0 ? 0 : std::pow(10, 5 * random.uniform() - 2);
    expect_agreement(fmt::format("interval(lambda1={},lambda2={})", lambda1, lambda2), query,
                     solve_directly(query, lambda1, lambda2), 1e-7);
    if (HasFatalFailure()) return;
  }
}

TEST(Isotonic, AgreesWithAGenericQuadraticProgramme) {
  Random random(2);
  const double infinity = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const Query query = random_query(random);
    const Reference reference = solve_directly(query, infinity, 0);
    expect_agreement("isotonic", query, reference, 1e-7);
    expect_agreement("interval(lambda1=inf,lambda2=0)", query, reference, 1e-7);
    expect_agreement("interval(lambda1=1e10,lambda2=0)", query, reference, 1e-7);
    if (HasFatalFailure()) return;
  }
}

// One document per grade: subtracting the targets turns the margins into monotonicity.
TEST(Isotonic, IsPoolAdjacentViolatorsWhenGradesHaveOneDocument) {
  Random random(3);
  for (const std::size_t n : {1UL, 2UL, 5UL, 40UL, 1500UL}) {
    std::vector<float> labels(n), weights(n);
    std::vector<double> scores(n), first(n), second(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<float>(i) / 16;
      scores[i] = 0.5 * labels[i] + 20 * random.uniform();
      weights[i] = static_cast<float>(1 + random.below(3));
    }
    DatasetParts parts = make_dataset({n}, 0, {}, labels).parts();
    parts.document_weights = weights;
    const Dataset data(parts);
    const double value = parse_loss("isotonic")->bind(data)->evaluate(0, scores, {first, second});

    struct Pool {
      double mean, weight;
      std::size_t count;
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < n; ++i) {
      pools.push_back({scores[i] - labels[i], weights[i], 1});
      while (pools.size() > 1 && pools[pools.size() - 2].mean >= pools.back().mean) {
        const Pool last = pools.back();
        pools.pop_back();
        Pool& into = pools.back();
        into.mean =
            (into.mean * into.weight + last.mean * last.weight) / (into.weight + last.weight);
        into.weight += last.weight;
        into.count += last.count;
      }
    }
    double expected = 0;
    std::size_t i = 0;
    for (const Pool& pool : pools)
      for (std::size_t k = 0; k < pool.count; ++k, ++i) {
        const double error = scores[i] - labels[i] - pool.mean;
        expected += 0.5 * weights[i] * error * error;
        EXPECT_NEAR(first[i], weights[i] * error, 1e-9);
      }
    EXPECT_NEAR(value, expected, 1e-9 * (1 + expected));
  }
}

// Repeating a document equals weighting it; weight 0 equals absence, also of whole grades.
TEST(Interval, WeightsCountDocuments) {
  const Dataset repeated = make_dataset({7}, 0, {}, {0, 0, 0, 1, 1, 3, 3});
  DatasetParts parts = make_dataset({6}, 0, {}, {0, 0, 1, 2, 3, 1}).parts();
  parts.document_weights = std::vector<float>{2, 1, 2, 0, 2, 0};
  parts.query_weights = std::vector<float>{5};
  const Dataset weighted(parts);
  const std::vector<double> all = {1, 1, 0.5, 0.2, 0.2, 0.4, 0.4}, few = {1, 0.5, 0.2, -9, 0.4, 7};
  const std::size_t same[] = {0, 2, 3, 5}, where[] = {0, 1, 2, 4};
  for (const char* name :
       {"interval", "isotonic", "interval(lambda1=0.3,lambda2=0)", "interval(barrier=8)"}) {
    std::vector<double> a(7), b(6), h(6);
    const double one = parse_loss(name)->bind(repeated)->evaluate(0, all, {a, {}});
    const double five = parse_loss(name)->bind(weighted)->evaluate(0, few, {b, h});
    EXPECT_NEAR(five, 5 * one, 1e-12);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(b[where[k]], 5 * a[same[k]] * parts.document_weights[where[k]], 1e-12);
    EXPECT_EQ(b[3], 0);
    EXPECT_EQ(h[5], 0);
  }
}

TEST(Interval, TargetsSetTheMargins) {
  const Query query{{0, 1, 3}, {0, 0, 0}};
  const Dataset data = make_dataset({3}, 0, {}, query.labels);
  std::vector<double> first(3);
  // 3 documents at 0 that should be 1, then 6 apart: they move to −8/3, −5/3, 13/3.
  for (const char* name :
       {"isotonic(targets=exp2)", "isotonic(targets=0/1/3/7)", "isotonic(targets=0;1;3;7;15)"}) {
    const auto loss = parse_loss(name);
    EXPECT_EQ(loss->name(), name);
    EXPECT_NEAR(loss->bind(data)->evaluate(0, query.scores, {first, {}}),
                0.5 * (64 + 25 + 169) / 9.0, 1e-12);
    EXPECT_NEAR(first[0], 8.0 / 3, 1e-12);
    EXPECT_NEAR(first[2], -13.0 / 3, 1e-12);
  }
  EXPECT_THROW(parse_loss("isotonic(targets=3/1)"), Error);
  EXPECT_THROW(parse_loss("isotonic(targets=exp)"), Error);
  EXPECT_THROW(parse_loss("interval(lambda1=-1)"), Error);
}

// Two documents of two grades with equal scores, by hand. Each is pulled to the near end of its
// interval by δ, which is the force 1 / (μ t) on the gap between them; widths do not matter.
TEST(Interval, ABarrierRequiresMoreThanTheMargin) {
  const Dataset data = make_dataset({2}, 0, {}, {0, 1});
  const std::vector<double> scores = {0, 0};
  std::vector<double> first(2);
  const auto pull = [&](const std::string& name) {
    parse_loss(name)->bind(data)->evaluate(0, scores, {first, {}});
    EXPECT_NEAR(first[0], -first[1], 1e-12) << name;
    return first[0];
  };
  // Hard margins: δ ≥ 1/2 each way.
  EXPECT_NEAR(pull("interval(lambda1=1e9,lambda2=1e-9)"), 0.5, 1e-6);
  double before = 10;
  for (const double mu : {1.0, 8.0, 64.0, 4096.0}) {
    const double now = pull(fmt::format("interval(lambda1=1e9,lambda2=100,barrier={})", mu));
    // l₁ − u₀ = 2 δ = 1 + t with t = 1 / (μ δ).
    EXPECT_NEAR(2 * now, 1 + 1 / (mu * now), 1e-6) << mu;
    EXPECT_LT(now, before);
    before = now;
  }
  EXPECT_NEAR(before, 0.5, 1e-3);
}

TEST(Interval, ABarrierNeedsPricesOnEverySlack) {
  for (const char* name :
       {"interval(barrier=-1)", "interval(barrier=inf)", "interval(barrier=1e-9)",
        "interval(lambda2=0,barrier=1)", "interval(lambda1=0,barrier=1)"})
    EXPECT_THROW(parse_loss(name), Error) << name;
  EXPECT_EQ(parse_loss("interval(barrier=0)")->name(), "interval");
  EXPECT_EQ(parse_loss("interval(barrier=64)")->name(), "interval(barrier=64)");
}

// The gradient verifies the solution: ∂/∂s of the value by differences in long lists.
TEST(Interval, LongListsAndRealGrades) {
  Random random(4);
  for (const char* name :
       {"interval", "isotonic", "interval(lambda1=1000,lambda2=50)", "interval(barrier=8)"})
    for (const std::uint64_t grades : {1UL, 2UL, 5UL, 100000UL}) {
      const std::size_t n = 3000;
      std::vector<float> labels(n);
      std::vector<double> scores(n), first(n);
      for (float& y : labels) y = 4 * static_cast<float>(random.below(grades)) / grades;
      for (std::size_t i = 0; i < n; ++i) scores[i] = labels[i] + 4 * random.uniform();
      const Dataset data = make_dataset({n}, 0, {}, labels);
      const auto bound = parse_loss(name)->bind(data);
      const double value = bound->evaluate(0, scores, {first, {}});
      EXPECT_NEAR(std::accumulate(first.begin(), first.end(), 0.0), 0, 1e-8);
      std::vector<double> moved = scores, unused(n);
      double slope = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double by = random.uniform() - 0.5;
        moved[i] += 1e-5 * by;
        slope += by * first[i];
      }
      const double up = bound->evaluate(0, moved, {unused, {}});
      for (std::size_t i = 0; i < n; ++i) moved[i] = 2 * scores[i] - moved[i];
      const double down = bound->evaluate(0, moved, {unused, {}});
      EXPECT_NEAR((up - down) / 2e-5, slope, 1e-4 * (1 + std::abs(slope))) << name << value;
    }
}

}  // namespace
}  // namespace podium::interval_test
