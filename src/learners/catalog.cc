// The table of learners: names from papers are rows here, not classes.
#include "learners/catalog.h"

#include <array>

#include "losses/pointwise/squared.h"

namespace podium {

const Catalog<Learner>& learners() {
  static const std::array entries = {
      &kSvmAcc,
      &kRankSvm,
      &kSvmAuc,
      &kSvmMap,
      &kSvmNdcg,
      &kSvmNdcgNc,
      &kSvmMrr,
      &kSvmCombo,
      &kDorm,
      &kRankNetLearner,
      &kLambdaRankLearner,
      &kListNetLearner,
      &kListMleLearner,
      &kRankCosineLearner,
      &kSmoothRankLearner,
      &kSoftRankLearner,
      &kMlpLearner,
      &kMartLearner,
      &kLambdaMartLearner,
      &kMcRankLearner,
      &kGbRankLearner,
      &kIsotonicLearner,
      &kIntervalRankLearner,
      &kBoostingLearner,
      &kAdaRank,
      &kRankBoost,
      &kFRank,
      &kCoordinateAscent,
      &kDirectRank,
      &kDirectRankTrees,
      &kLinearLearner,
      &kFeatureLearner,
  };
  static const Catalog<Learner> catalog("learner", entries);
  return catalog;
}

std::unique_ptr<const Learner> Learner::with_loss(const SharedLoss& loss) const {
  throw Error(ErrorCode::usage, "this learner minimises no loss, so it cannot use " + loss->name());
}

SharedLoss Learner::pointwise_loss() const {
  return squared_loss({});
}

std::string_view to_text(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::iteration_limit:
      return "iteration-limit";
    case Termination::early_stopping:
      return "early-stopping";
    case Termination::time_limit:
      return "time-limit";
    case Termination::stopped:
      return "stopped";
    case Termination::numerical_limit:
      return "numerical-limit";
  }
  return "";
}

}  // namespace podium
