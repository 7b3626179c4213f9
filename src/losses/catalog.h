// The rows of the table of losses, each defined in the file of its name.
#pragma once

#include "podium/loss.h"

namespace podium {

extern const Entry<Loss> kSquaredLoss;
extern const Entry<Loss> kQuerySquared;
extern const Entry<Loss> kScoreRidge;
extern const Entry<Loss> kInterval;
extern const Entry<Loss> kIsotonic;
extern const Entry<Loss> kMultinomial;
extern const Entry<Loss> kOrdinal;
extern const Entry<Loss> kSoftmax;
extern const Entry<Loss> kListMle;
extern const Entry<Loss> kXendcg;
extern const Entry<Loss> kCosine;
extern const Entry<Loss> kApproxNdcg;
extern const Entry<Loss> kSmooth;
extern const Entry<Loss> kSoftRank;
extern const Entry<Loss> kPairwiseHinge;
extern const Entry<Loss> kLogisticPairs;
extern const Entry<Loss> kExponentialPairs;
extern const Entry<Loss> kFidelityPairs;
extern const Entry<Loss> kHingePairs;
extern const Entry<Loss> kSquaredHingePairs;
extern const Entry<Loss> kGbrankLoss;
extern const Entry<Loss> kMarginPairs;
extern const Entry<Loss> kLambdaNdcg;
extern const Entry<Loss> kLambdaAp;
extern const Entry<Loss> kLambdaRr;
extern const Entry<Loss> kLambdaErr;
extern const Entry<Loss> kLambdaP;
extern const Entry<Loss> kLambdaLoss;
extern const Entry<Loss> kWinnerTakesAll;
extern const Entry<Loss> kHinge;
extern const Entry<Loss> kStructuredAuc;
extern const Entry<Loss> kStructuredMap;
extern const Entry<Loss> kStructuredNdcg;
extern const Entry<Loss> kStructuredNdcgNc;
extern const Entry<Loss> kStructuredMrr;
extern const Entry<Loss> kDormLoss;

}  // namespace podium
