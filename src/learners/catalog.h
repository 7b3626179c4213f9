// The rows of the table of learners, each defined in the file of its trainer.
#pragma once

#include "podium/learner.h"

namespace podium {

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

}  // namespace podium
