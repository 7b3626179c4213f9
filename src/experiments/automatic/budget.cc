#include "experiments/automatic/budget.h"

#include <algorithm>

namespace podium {
namespace {

constexpr double kFirstShare = 0.17;      // of the seconds, for the first training run
constexpr double kFlagshipShare = 0.2;    // for the flagship on all folds and on all data
constexpr double kDefaultsShare = 0.4;    // for all learners with their defaults
constexpr double kRoundShare = 0.1;       // for a round
constexpr double kCandidateShare = 0.35;  // of what is left, for one candidate
constexpr double kUnknownWeights = 0.05;  // for all weights, before one fit was measured
constexpr double kLeast = 0.02;           // less than this is not worth starting with
constexpr double kWorthSearching = 0.08;
constexpr double kMargin = 0.04;
constexpr double kFinalRun =
    2.8;  // of a forest on all data, by one on a fold's: of more trees, too
constexpr double kFoldRefitsShare = 0.1;  // of the seconds, for training the members of estimates
constexpr int kShare = 4;
constexpr std::size_t kRoundTrials = 4;
constexpr double kRunsOfATrial = 2;  // a race on two folds

}  // namespace

double Budget::first_limit() const {
  return kFirstShare * setting_.seconds;
}

SearchPlan Budget::plan(const FirstRun& first) {
  SearchPlan plan;
  const double all = first.seconds * (static_cast<double>(setting_.splits) + kFinalRun);
  plan.first_fold = setting_.splits > 1 && first.can_take_first_fold &&
                    (first.cut || all > kFlagshipShare * setting_.seconds);
  if (plan.first_fold) setting_.splits = 1;
  const double candidate = first.seconds * static_cast<double>(setting_.splits);
  if (first.can_share &&
      candidate * static_cast<double>(setting_.families) > kDefaultsShare * setting_.seconds)
    plan.share = kShare;
  const double trial =
      first.seconds * std::min(kRunsOfATrial, static_cast<double>(setting_.splits)) / plan.share;
  plan.round_trials = kRoundTrials;
  while (plan.round_trials > 1 &&
         static_cast<double>(plan.round_trials) * trial > kRoundShare * setting_.seconds)
    --plan.round_trials;
  return plan;
}

double Budget::reserve(const Needs& needs) const {
  const double fits =
      static_cast<double>(setting_.folds) + 3;  // one more, and each member left out
  const double weights =
      needs.weights > 0 ? fits * needs.weights : kUnknownWeights * setting_.seconds;
  return needs.refits + needs.fold_refits + weights + needs.estimate_share * needs.rounds +
         kMargin * setting_.seconds;
}

double Budget::fold_refits(double refits) const {
  const auto k = static_cast<double>(setting_.folds);
  // Forests have fewer trees there, too.
  const double all = k * refits * ((k - 1) / k) * ((k - 1) / k);
  return all <= kFoldRefitsShare * setting_.seconds ? all : 0;
}

double Budget::left(double now, const Needs& needs) const {
  return std::max(0.0, setting_.seconds - now - reserve(needs));
}

double Budget::run_limit(double now, const Needs& needs, std::size_t runs) const {
  return kCandidateShare * std::max(left(now, needs), kLeast * setting_.seconds) *
         static_cast<double>(setting_.threads) / (static_cast<double>(runs) + kFinalRun);
}

bool Budget::another_default_fits(double now, const Needs& needs) const {
  return left(now, needs) > kLeast * setting_.seconds;
}

bool Budget::round_fits(double now, const Needs& needs, double round_seconds) const {
  Needs after = needs;
  after.rounds += round_seconds;
  return left(now, after) > round_seconds;
}

double Budget::estimate_end(double refits) const {
  return std::max(0.0, (1 - kMargin) * setting_.seconds - refits);
}

bool Budget::search_on(double now, const Needs& needs, double round_seconds) const {
  return left(now, needs) > kWorthSearching * setting_.seconds &&
         round_fits(now, needs, round_seconds);
}

}  // namespace podium
