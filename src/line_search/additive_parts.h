// The parts of an additive measure (MeasureForm::Kind::additive) for one query.
#pragma once

#include <span>
#include <vector>

#include "podium/measure.h"

namespace podium {

// value = offset + Σ gain(label) · weight(rank).
struct AdditiveParts {
  double offset = 0;
  std::vector<double> gains;         // one per document
  std::vector<double> rank_weights;  // those that matter; empty: the order does not matter
};
AdditiveParts additive_parts(const Measure& measure, std::span<const float> labels,
                             std::span<const float> ideal);

}  // namespace podium
