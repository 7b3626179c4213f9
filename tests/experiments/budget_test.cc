// How `auto` spends its seconds, on searches whose training times are made up: the flagship always
// fits, the time is kept, and little of it is left unused.
#include "experiments/automatic/budget.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace podium::budget_test {
namespace {

struct Made {
  double seconds = 60;
  double flagship = 1;  // seconds of one training run, with all threads
  std::size_t families = 13;
  double slowest = 4;     // times the flagship
  double weights = 0.05;  // seconds of one fit
};

struct Spent {
  SearchPlan plan;
  double seconds = 0;
  std::size_t defaults = 0, rounds = 0, cut = 0;
};

// A search as find_ranker.cc runs one, where family f takes between a tenth and `slowest` times as
// long as the flagship, and members are the five most expensive candidates.
Spent simulate(const Made& made) {
  constexpr std::size_t kThreads = 2, kFolds = 5;
  constexpr double kFinal = 2.8;
  Budget budget({made.seconds, kThreads, kFolds, kFolds, made.families});
  Spent spent;
  const double first = std::min(made.flagship, budget.first_limit());
  double now = first;
  spent.plan = budget.plan({.seconds = first, .cut = first < made.flagship});
  const std::size_t runs = spent.plan.first_fold ? 1 : kFolds;
  now += first * static_cast<double>(runs - 1);
  std::vector<double> members;
  Budget::Needs needs;
  const auto add_member = [&](double seconds) {
    members.push_back(seconds);
    std::sort(members.rbegin(), members.rend());
    members.resize(std::min<std::size_t>(members.size(), 5));
    needs.refits = 0;
    for (const double member : members) needs.refits += kFinal * member;
    needs.fold_refits = spent.plan.first_fold ? 0 : budget.fold_refits(needs.refits);
  };
  add_member(first);
  spent.defaults = 1;
  for (std::size_t f = 1; f < made.families && budget.another_default_fits(now, needs); ++f) {
    const double whole = made.flagship * (0.1 + (made.slowest - 0.1) * static_cast<double>(f) /
                                                    static_cast<double>(made.families));
    if (spent.plan.share > 1)
      now += std::min(whole / spent.plan.share, budget.run_limit(now, needs, runs) / kThreads) *
             std::min<double>(2, runs);
    const double limit = budget.run_limit(now, needs, runs) / kThreads;
    spent.cut += limit < whole;
    now += std::min(whole, limit) * static_cast<double>(runs);
    add_member(std::min(whole, limit));
    ++spent.defaults;
  }
  needs.weights = made.weights;
  now += made.weights;
  double round = 0;
  for (int part = 0; part < 4; ++part) {
    while (budget.round_fits(now, needs, round)) {
      round = static_cast<double>(spent.plan.round_trials) *
              std::min(made.flagship * 2,
                       budget.run_limit(now, needs, runs * spent.plan.round_trials) / kThreads) *
              std::min<double>(2, runs) / spent.plan.share;
      now += round;
      needs.rounds += round;
      ++spent.rounds;
    }
    // Half of the members are others than at the estimate before.
    now += kFolds * made.weights + 0.3 * needs.rounds + (part == 0 ? 1.0 : 0.5) * needs.fold_refits;
    needs.rounds = 0;
    needs.estimate_share = 0.3;
    if (!budget.search_on(now, needs, round)) break;
  }
  spent.seconds = now + needs.refits + 4 * made.weights;
  return spent;
}

TEST(Budget, IsKeptAndUsed) {
  for (const double seconds : {12.0, 60.0, 600.0})
    for (const double share : {0.0005, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 2.0}) {
      SCOPED_TRACE(std::to_string(seconds) + " s, a run takes " + std::to_string(share) + " of it");
      const Spent spent =
          simulate({.seconds = seconds, .flagship = share * seconds, .weights = 0.0005 * seconds});
      EXPECT_LT(spent.seconds, 1.15 * seconds);
      EXPECT_GT(spent.seconds, 0.6 * seconds);
      EXPECT_GE(spent.defaults, share <= 0.02 ? 12U : 4U);
      EXPECT_GE(spent.rounds, share <= 0.005 ? 1U : 0U);
    }
}

TEST(Budget, JudgesByFoldsOnlyIfTheFlagshipFits) {
  const auto plan = [](double first, bool cut = false) {
    return Budget({60, 2, 5, 5, 13}).plan({.seconds = first, .cut = cut});
  };
  EXPECT_EQ(plan(0.05), SearchPlan());
  EXPECT_FALSE(plan(1.5).first_fold);
  EXPECT_EQ(plan(1.5).share, 4);
  EXPECT_TRUE(plan(5).first_fold);
  EXPECT_TRUE(plan(15, true).first_fold);
  EXPECT_EQ(plan(15, true).round_trials, 1U);
  // Few queries: all folds are needed to judge.
  EXPECT_FALSE(Budget({60, 2, 5, 5, 13})
                   .plan({.seconds = 5, .can_take_first_fold = false, .can_share = false})
                   .first_fold);
}

// With five folds 5 · 0.8² times the final training runs, at most a tenth of the time.
TEST(Budget, ExtrapolatesOnlyIfThatTakesLittle) {
  const Budget budget({100, 2, 5, 5, 13});
  EXPECT_DOUBLE_EQ(budget.fold_refits(2), 6.4);
  EXPECT_EQ(budget.fold_refits(4), 0);
  EXPECT_LT(budget.left(0, {.refits = 2, .fold_refits = 6.4, .weights = 1}),
            budget.left(0, {.refits = 2, .weights = 1}) - 6.3);
}

TEST(Budget, KeepsTimeForWhatFollows) {
  const Budget budget({100, 2, 5, 5, 13});
  const Budget::Needs needs{.refits = 40, .weights = 1, .rounds = 10};
  EXPECT_LT(budget.left(0, needs), 100 - 40 - 8 - 5);
  EXPECT_EQ(budget.left(60, needs), 0);
  EXPECT_FALSE(budget.round_fits(0, needs, 40));
  EXPECT_TRUE(budget.round_fits(0, needs, 15));
  EXPECT_LT(budget.estimate_end(40), 60);
}

}  // namespace
}  // namespace podium::budget_test
