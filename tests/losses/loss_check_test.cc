#include "podium/loss_check.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/toy_data.h"

namespace podium::loss_check_test {
namespace {

LossCheck check(const std::string& name) {
  LossCheckOptions options;
  options.lists = 120;
  return check_loss(*parse_loss(name), options);
}

TEST(LossCheck, ACostExistsForLogisticPairsAndItIsConvex) {
  const LossCheck result = check("logistic-pairs");
  EXPECT_TRUE(result.cost_exists);
  EXPECT_TRUE(result.convex);
  EXPECT_GT(result.swapping_loops, 100U);
  EXPECT_LT(result.worst_loop.relative, 1e-8);
  EXPECT_LT(result.jacobian.asymmetry, 1e-6);
  EXPECT_GT(result.jacobian.smallest_eigenvalue, -1e-6);
}

// [Burges05] eq. 4–6 as printed: λ jumps at 0 unless δ = 1, downwards in the cost's slope if δ > 1.
TEST(LossCheck, TheLiteralMarginRuleIsConvexUpToOne) {
  for (const char* delta : {"0.5", "1", "2"}) {
    const LossCheck result = check(std::string("margin-pairs(form=literal,delta=") + delta + ")");
    EXPECT_TRUE(result.cost_exists) << delta;
    EXPECT_EQ(result.convex, std::string(delta) != "2") << delta;
  }
  EXPECT_TRUE(check("margin-pairs(delta=2)").convex);
}

TEST(LossCheck, LambdaRankHasNoCostAndTheLoopShowsIt) {
  const LossCheck result = check("lambda-ndcg(norm=none)");
  EXPECT_FALSE(result.cost_exists);
  EXPECT_EQ(result.worst_loop.order, LossCheck::Loop::Order::swapped);
  EXPECT_GT(result.worst_loop.relative, 0.01);
  // Inside one ordering the pair weights are constant, and the Jacobian is symmetric.
  EXPECT_LT(result.jacobian.asymmetry, 1e-6);
}

// α·score-ridge adds α to the Hessian's diagonal, which compensates for curvature that is bounded
// from below: averaged over pairs, that of the fidelity loss is never below −0.1. At 0 the gradient
// of the literal margin rule jumps, so no α is enough.
TEST(LossCheck, TheNotesRegulariserFixesBoundedCurvatureButNoJump) {
  EXPECT_FALSE(check("fidelity-pairs").convex);
  EXPECT_FALSE(check("fidelity-pairs+0.001*score-ridge").convex);
  EXPECT_TRUE(check("fidelity-pairs+0.1*score-ridge").convex);
  const LossCheck mended = check("fidelity-pairs+score-ridge");
  EXPECT_TRUE(mended.cost_exists);
  EXPECT_TRUE(mended.convex);
  EXPECT_GE(mended.jacobian.smallest_eigenvalue, 0);
  for (const char* alpha : {"0.1", "10", "1000"}) {
    const LossCheck jumps =
        check(std::string("margin-pairs(form=literal,delta=2)+") + alpha + "*score-ridge");
    EXPECT_TRUE(jumps.cost_exists) << alpha;
    EXPECT_FALSE(jumps.convex) << alpha;
  }
  EXPECT_FALSE(check("lambda-ndcg(norm=none)+score-ridge").cost_exists);
}

// Derivatives of 1e-17 are rounding errors, and their circulation is arbitrary.
TEST(LossCheck, RoundingErrorsRefuteNothing) {
  const LossCheck result = check("smooth(sigma=0.1)");
  EXPECT_TRUE(result.cost_exists) << result.worst_loop.circulation;
  EXPECT_TRUE(result.value_fits) << result.worst_side.difference;
  EXPECT_FALSE(result.convex);
}

TEST(LossCheck, TheValueIsComparedWithTheDerivatives) {
  for (const char* loss : {"logistic-pairs", "margin-pairs(form=literal,delta=2)", "softmax",
                           "winner-takes-all", "interval", "score-ridge"})
    EXPECT_TRUE(check(loss).value_fits) << loss;
  // The value of a λ-rule jumps at a swap.
  const LossCheck frozen = check("lambda-ndcg(norm=none)");
  EXPECT_FALSE(frozen.value_fits);
  EXPECT_GT(frozen.worst_side.relative, 0.01);
  EXPECT_NE(to_text(frozen, "name").find("slopes are not the derivatives"), std::string::npos);
}

// A gradient by one score that depends only on another's score rotates in the plane of the two.
class Vortex final : public Loss, public BoundLoss {
 public:
  std::string name() const override { return "vortex"; }
  LossTraits traits() const noexcept override { return {}; }
  std::unique_ptr<const BoundLoss> bind(const Dataset&, Communicator&) const override {
    return std::make_unique<Vortex>();
  }
  double evaluate(std::size_t, std::span<const double> s, Derivatives out) const override {
    for (std::size_t i = 0; i < s.size(); ++i) out.first[i] = s[(i + 1) % s.size()];
    return 0;
  }
};

TEST(LossCheck, AVortexHasNoCostInsideOneOrderingEither) {
  LossCheckOptions options;
  options.lists = 30;
  const LossCheck result = check_loss(Vortex(), options);
  EXPECT_FALSE(result.cost_exists);
  EXPECT_GT(result.jacobian.asymmetry, 0.5);
}

// The note's example: one good document first and one last is better than second and third.
TEST(WinnerTakesAll, PrefersTheOrderThatWins) {
  constexpr std::size_t kDocuments = 1000;
  std::vector<float> winning(kDocuments), losing(kDocuments);
  winning.front() = winning.back() = 1;
  losing[1] = losing[2] = 1;
  std::vector<double> scores(kDocuments), first(kDocuments), second(kDocuments);
  for (std::size_t i = 0; i < kDocuments; ++i) scores[i] = -2.0 * static_cast<double>(i);
  const auto value = [&](const char* loss, const std::vector<float>& labels) {
    const Dataset data = testing::make_dataset({kDocuments}, 0, {}, labels);
    return parse_loss(loss)->bind(data)->evaluate(0, scores, {first, second});
  };
  EXPECT_GT(value("logistic-pairs", winning), value("logistic-pairs", losing));
  const double won = value("winner-takes-all", winning);
  const double lost = value("winner-takes-all", losing);
  EXPECT_LT(won, lost);
  // In the losing order the first two change places; no other document moves.
  EXPECT_EQ(first[0], 1);
  EXPECT_EQ(first[1], -1);
  EXPECT_EQ(std::count(first.begin(), first.end(), 0.0), 998);
  const LossCheck result = check("winner-takes-all");
  EXPECT_TRUE(result.cost_exists);
  EXPECT_FALSE(result.convex);
}

}  // namespace
}  // namespace podium::loss_check_test
