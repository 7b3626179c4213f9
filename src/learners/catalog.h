// The rows of the table of learners, each defined in the file of its trainer.
#pragma once

#include "podium/learner.h"

namespace podium {

extern const Entry<Learner> kFeatureLearner;
extern const Entry<Learner> kLinearLearner;

}  // namespace podium
