// The hinge and the ramp bound of every oracle: their order relative to Δ of the ranking by score,
// their derivatives, and the convex bounds that touch them.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/random.h"
#include "oracles/brute_force.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::structured_bounds_test {
namespace {

using testing::Delta;
using testing::OracleCase;
using testing::Order;

struct Row {
  std::string loss;  // with bound=BOUND to be filled in
  Delta delta;
};

std::vector<Row> rows() {
  const auto ndcg = [](std::size_t k) {
    return [k](const OracleCase& d, const Order& y) { return ndcg_delta(d, y, k, false); };
  };
  const auto rr = [](std::size_t k) {
    return [k](const OracleCase& d, const Order& y) { return rr_delta(d, y, k); };
  };
  return {{"structured-auc(bound=BOUND)", testing::auc_delta},
          {"structured-map(bound=BOUND)", testing::ap_delta},
          {"structured-ndcg(bound=BOUND)@3", ndcg(3)},
          {"structured-ndcg(bound=BOUND)@0", ndcg(1000)},
          {"structured-ndcg-nc(bound=BOUND)", ndcg(1000)},
          {"structured-mrr(bound=BOUND)@3", rr(3)},
          {"structured-mrr(bound=BOUND)@0", rr(1000)},
          {"structured-mrr(map=po,bound=BOUND)@3", rr(3)},
          {"structured-mrr(map=po,bound=BOUND)@0", rr(1000)},
          {"dorm(bound=BOUND)@3", ndcg(3)}};
}

// Scores without ties.
OracleCase untied_case(Random& random) {
  OracleCase out = testing::random_case(random, 1 + random.below(4), 1 + random.below(6));
  const double scale = random.below(2) ? 0.2 : 3.0;
  for (double& s : out.scores) s = scale * (random.uniform() - 0.5);
  return out;
}

Dataset data_of(const OracleCase& data) {
  return testing::make_dataset({data.size()}, 1, std::vector<float>(data.size()), data.labels);
}

class StructuredBounds : public ::testing::TestWithParam<Row> {
 protected:
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, std::string_view bound) const {
    std::string name = GetParam().loss;
    name.replace(name.find("BOUND"), 5, bound);
    return parse_loss(name)->bind(data);
  }
  static double value(const BoundLoss& loss, const std::vector<double>& scores,
                      std::vector<double>* slope = nullptr) {
    std::vector<double> first(scores.size());
    const double at = loss.evaluate(0, scores, {first, {}});
    if (slope) *slope = first;
    return at;
  }
};

TEST_P(StructuredBounds, RampIsBetweenTheLossOfTheRankingAndTheHinge) {
  Random random(1);
  int below_hinge = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const OracleCase one = untied_case(random);
    const Dataset data = data_of(one);
    Order ranking(one.size());
    std::iota(ranking.begin(), ranking.end(), 0U);
    std::sort(ranking.begin(), ranking.end(),
              [&](auto a, auto b) { return one.scores[a] > one.scores[b]; });
    const double ramp = value(*bind(data, "ramp"), one.scores);
    const double hinge = value(*bind(data, "hinge"), one.scores);
    ASSERT_GE(ramp, GetParam().delta(one, ranking) - 1e-12);
    ASSERT_LE(ramp, hinge + 1e-12);
    ASSERT_LE(ramp, 1 + 1e-12);
    below_hinge += ramp < hinge - 1e-6;
  }
  EXPECT_GT(below_hinge, 50);
}

TEST_P(StructuredBounds, DerivativesAreThoseOfTheValue) {
  Random random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const OracleCase one = untied_case(random);
    const Dataset data = data_of(one);
    const auto ramp = bind(data, "ramp");
    std::vector<double> slope, scores = one.scores;
    value(*ramp, scores, &slope);
    const double step = 1e-7;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = one.scores[i] + step;
      const double up = value(*ramp, scores);
      scores[i] = one.scores[i] - step;
      const double down = value(*ramp, scores);
      scores[i] = one.scores[i];
      ASSERT_NEAR(slope[i], (up - down) / (2 * step), 1e-5) << "document " << i;
    }
  }
}

TEST_P(StructuredBounds, ConvexBoundsTouchAreAboveAndAreConvex) {
  Random random(3);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const OracleCase one = untied_case(random);
    const Dataset data = data_of(one);
    const auto ramp = bind(data, "ramp");
    const auto bound = ramp->convex_bound(one.scores);
    ASSERT_NEAR(value(*bound, one.scores), value(*ramp, one.scores), 1e-12);
    std::vector<double> a(one.size()), b(one.size()), slope;
    for (double& s : a) s = 2 * random.uniform() - 1;
    for (double& s : b) s = 2 * random.uniform() - 1;
    const double at_a = value(*bound, a, &slope), at_b = value(*bound, b);
    ASSERT_GE(at_a, value(*ramp, a) - 1e-12);
    double tangent = at_a;
    for (std::size_t i = 0; i < a.size(); ++i) tangent += slope[i] * (b[i] - a[i]);
    ASSERT_GE(at_b, tangent - 1e-12);
  }
}

TEST_P(StructuredBounds, HingeHasNoOtherConvexBound) {
  Random random(4);
  const OracleCase one = untied_case(random);
  const Dataset data = data_of(one);
  EXPECT_EQ(bind(data, "hinge")->convex_bound(one.scores), nullptr);
  EXPECT_NEAR(value(*bind(data, "ramp")->convex_bound({}), one.scores),
              value(*bind(data, "hinge"), one.scores), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Rows, StructuredBounds, ::testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = info.param.loss;
  for (char& ch : name)
    if (!std::isalnum(static_cast<unsigned char>(ch))) ch = '_';
  return name;
});

TEST(StructuredSum, HasTheSumOfTheBounds) {
  Random random(5);
  const OracleCase one = untied_case(random);
  const Dataset data = data_of(one);
  const auto sum = parse_loss("structured-map(bound=ramp)+0.5*structured-auc")->bind(data);
  const auto bound = sum->convex_bound(one.scores);
  ASSERT_NE(bound, nullptr);
  std::vector<double> first(one.size());
  EXPECT_NEAR(bound->evaluate(0, one.scores, {first, {}}),
              sum->evaluate(0, one.scores, {first, {}}), 1e-12);
}

}  // namespace
}  // namespace podium::structured_bounds_test
