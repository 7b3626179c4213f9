// The rows of the table of learners, each defined in the file of its trainer.
#pragma once

#include "podium/learner.h"

namespace podium {

// A row whose learner is made from its options: Made has a static table() and is constructed from
// the options that the table reads.
template <class Made>
constexpr Entry<Learner> learner_row(std::string_view name, std::string_view summary,
                                     std::string_view paper) {
  return {name, summary, paper,
          []() -> const std::vector<Field>& { return Made::table().fields(); },
          [](const Settings& settings) -> std::unique_ptr<const Learner> {
            return std::make_unique<Made>(Made::table().read(settings));
          }};
}

extern const Entry<Learner> kFeatureLearner;
extern const Entry<Learner> kLinearLearner;

extern const Entry<Learner> kRankSvm;
extern const Entry<Learner> kSvmAcc;
extern const Entry<Learner> kSvmAuc;
extern const Entry<Learner> kSvmMap;
extern const Entry<Learner> kSvmNdcg;
extern const Entry<Learner> kSvmNdcgNc;
extern const Entry<Learner> kSvmMrr;
extern const Entry<Learner> kSvmCombo;
extern const Entry<Learner> kDorm;

extern const Entry<Learner> kMlpLearner;
extern const Entry<Learner> kRankNetLearner;
extern const Entry<Learner> kLambdaRankLearner;
extern const Entry<Learner> kListNetLearner;
extern const Entry<Learner> kListMleLearner;
extern const Entry<Learner> kRankCosineLearner;
extern const Entry<Learner> kSmoothRankLearner;
extern const Entry<Learner> kSoftRankLearner;

extern const Entry<Learner> kAdaRank;
extern const Entry<Learner> kRankBoost;
extern const Entry<Learner> kFRank;
extern const Entry<Learner> kCoordinateAscent;
extern const Entry<Learner> kDirectRank;
extern const Entry<Learner> kDirectRankTrees;

extern const Entry<Learner> kBoostingLearner;
extern const Entry<Learner> kMartLearner;
extern const Entry<Learner> kLambdaMartLearner;
extern const Entry<Learner> kMcRankLearner;
extern const Entry<Learner> kGbRankLearner;
extern const Entry<Learner> kIsotonicLearner;
extern const Entry<Learner> kIntervalRankLearner;

}  // namespace podium
