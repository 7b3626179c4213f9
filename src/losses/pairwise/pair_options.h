// How the pairs of a query count; the names are shared by losses and learners over pairs.
#pragma once

#include "podium/options.h"

namespace podium {

enum class PairWeight { one, grade_difference };
inline const Choices<PairWeight>& pair_weight_choices() {
  static const Choices<PairWeight> choices = {{"one", PairWeight::one},
                                              {"grade", PairWeight::grade_difference}};
  return choices;
}

enum class PairScale { average, sum };  // over the pairs of a query
inline const Choices<PairScale>& pair_scale_choices() {
  static const Choices<PairScale> choices = {{"average", PairScale::average},
                                             {"sum", PairScale::sum}};
  return choices;
}
constexpr const char* kPairScaleHelp =
    "average: every query has the same weight; sum: every pair has";

}  // namespace podium
