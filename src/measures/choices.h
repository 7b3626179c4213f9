// Choices in which tools differ, with the names used in options and files.
#pragma once

#include <cstdint>

#include "podium/measure.h"
#include "podium/options.h"

namespace podium {

// The default number of first ranks.
constexpr std::int64_t kUsualRanks = 10;

inline const Choices<GradeGain>& gain_choices() {
  static const Choices<GradeGain> choices = {{"exp2", GradeGain::exp2},
                                             {"linear", GradeGain::linear}};
  return choices;
}
inline const Choices<RankDiscount>& discount_choices() {
  static const Choices<RankDiscount> choices = {{"log2", RankDiscount::log2},
                                                {"letor", RankDiscount::letor}};
  return choices;
}
inline const Choices<ShortLists>& short_list_choices() {
  static const Choices<ShortLists> choices = {{"whole", ShortLists::whole},
                                              {"zero", ShortLists::zero}};
  return choices;
}
inline const Choices<ApDenominator>& ap_denominator_choices() {
  static const Choices<ApDenominator> choices = {{"relevant", ApDenominator::relevant},
                                                 {"cutoff", ApDenominator::cut_off},
                                                 {"retrieved", ApDenominator::retrieved}};
  return choices;
}

}  // namespace podium
