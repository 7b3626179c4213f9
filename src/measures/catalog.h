// The rows of the table of measures, each defined in the file of its family, and the other names
// that people use for them.
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

// The entry that a user's word means, ignoring case: a name of the table or an alias; else null.
const Entry<Measure>* find_measure(std::string_view word);

}  // namespace podium
