// The rows of the table of losses, each defined in the file of its name.
#pragma once

#include "podium/loss.h"

namespace podium {

extern const Entry<Loss> kSquaredLoss;
extern const Entry<Loss> kPairwiseHinge;
extern const Entry<Loss> kHinge;
extern const Entry<Loss> kStructuredAuc;
extern const Entry<Loss> kStructuredMap;
extern const Entry<Loss> kStructuredNdcg;
extern const Entry<Loss> kStructuredNdcgNc;
extern const Entry<Loss> kStructuredMrr;
extern const Entry<Loss> kDormLoss;

}  // namespace podium
