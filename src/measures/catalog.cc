// The table of measures. To add a measure, write a file with an Entry and add its declaration and a
// line here.
#include "measures/catalog.h"

#include <algorithm>
#include <array>
#include <utility>

namespace podium {
namespace {

constexpr std::array kEntries = {
    &kNdcg,
    &kDcg,
    &kMeanNdcg,
    &kAveragePrecision,
    &kGeometricAveragePrecision,
    &kReciprocalRank,
    &kExpectedReciprocalRank,
    &kPrecision,
    &kRecall,
    &kRelativePrecision,
    &kSuccess,
    &kRPrecision,
    &kJudged,
    &kUnjudged,
    &kRankBiasedPrecision,
    &kAuc,
    &kPairAccuracy,
    &kKendallTau,
    &kBpref,
    &kGeometricBpref,
    &kInferredAveragePrecision,
    &kInterpolatedPrecision,
    &kElevenPointAverage,
    &kSetPrecision,
    &kSetRecall,
    &kSetRelativePrecision,
    &kSetAveragePrecision,
    &kSetF,
    &kUtility,
    &kCountQueries,
    &kCountRetrieved,
    &kCountRelevant,
    &kCountRelevantRetrieved,
    &kCountNonRelevantRetrieved,
};

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"MAP", "AP"},         {"MRR", "RR"},       {"Precision", "P"},
    {"Prec", "P"},         {"Recall", "R"},     {"HitRate", "Success"},
    {"Hits", "Success"},   {"R-Prec", "Rprec"}, {"SetMAP", "SetAP"},
    {"KendallTau", "tau"}, {"ROCAUC", "AUC"},   {"PairwiseAccuracy", "PairAcc"},
};

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

const Catalog<Measure>& measures() {
  static const Catalog<Measure> catalog("measure", kEntries);
  return catalog;
}

const Entry<Measure>* find_measure(std::string_view word) {
  for (const auto& [alias, name] : kAliases)
    if (same_word(alias, word)) word = name;
  for (const Entry<Measure>* entry : kEntries)
    if (same_word(entry->name, word)) return entry;
  return nullptr;
}

}  // namespace podium
