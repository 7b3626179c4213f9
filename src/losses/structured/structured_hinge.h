// A loss from any oracle, with options as values.
#pragma once

#include "podium/loss.h"

namespace podium {

enum class DeltaBound { hinge, ramp };
inline const Choices<DeltaBound>& delta_bounds() {
  static const Choices<DeltaBound> choices = {{"hinge", DeltaBound::hinge},
                                              {"ramp", DeltaBound::ramp}};
  return choices;
}

// The options that all of these losses have besides those of their oracle.
struct StructuredOptions {
  double relevant_from = 1;
  DeltaBound bound = DeltaBound::hinge;
};

// A row (kStructuredNdcg, …) with its oracle's settings, as given by the oracle's table.
SharedLoss structured_loss(const Entry<Loss>& row, const Settings& oracle,
                           const StructuredOptions& options);

}  // namespace podium
