// The rows of the table of measures, each defined in the file of its family, and the aliases that
// users know.
#pragma once

#include <string_view>

#include "podium/measure.h"

namespace podium {

extern const Entry<Measure> kNdcg, kDcg, kMeanNdcg;
extern const Entry<Measure> kAveragePrecision, kGeometricAveragePrecision;
extern const Entry<Measure> kReciprocalRank;
extern const Entry<Measure> kExpectedReciprocalRank;
extern const Entry<Measure> kPrecision, kRecall, kRelativePrecision, kSuccess, kRPrecision, kJudged,
    kUnjudged, kRankBiasedPrecision;
extern const Entry<Measure> kAuc, kPairAccuracy, kKendallTau;
extern const Entry<Measure> kBpref, kGeometricBpref;
extern const Entry<Measure> kInferredAveragePrecision;
extern const Entry<Measure> kInterpolatedPrecision, kElevenPointAverage;
extern const Entry<Measure> kSetPrecision, kSetRecall, kSetRelativePrecision, kSetAveragePrecision,
    kSetF, kUtility;
extern const Entry<Measure> kCountQueries, kCountRetrieved, kCountRelevant, kCountRelevantRetrieved,
    kCountNonRelevantRetrieved;

// The entry for a user's word, ignoring case: a name of the table or an alias; null if there is
// none.
const Entry<Measure>* find_measure(std::string_view word);

}  // namespace podium
