// What a line search may use of a measure's form beyond its value. Every measure can be evaluated
// again after each jump (general); these forms say how its parts change instead.
#pragma once

#include <span>
#include <vector>

#include "podium/measure.h"

namespace podium {

enum class MeasureForm {
  constant,   // the order does not matter
  additive,   // Σ gain(label) · weight(rank)
  precision,  // average precision over the whole list
  first,      // reciprocal rank over the whole list
  cascade,    // expected reciprocal rank over the whole list
  pairs,      // AUC
  general,
};

MeasureForm form_of(const Measure& measure);

// The grade from which a document is relevant, for measures that have one.
double relevant_from(const Measure& measure);

// Of an additive measure, for one query: value = offset + Σ gain(label) · weight(rank).
struct AdditiveParts {
  double offset = 0;
  std::vector<double> gains;         // one a document
  std::vector<double> rank_weights;  // as many as matter; empty: the order does not matter
};
AdditiveParts additive_parts(const Measure& measure, std::span<const float> labels,
                             std::span<const float> ideal);

}  // namespace podium
