// Any oracle as a loss, from values.
#pragma once

#include "podium/loss.h"

namespace podium {

enum class DeltaBound { hinge, ramp };
inline const Choices<DeltaBound>& delta_bounds() {
  static const Choices<DeltaBound> choices = {{"hinge", DeltaBound::hinge},
                                              {"ramp", DeltaBound::ramp}};
  return choices;
}

// What all of these losses have beside their oracle's options.
struct StructuredOptions {
  double relevant_from = 1;
  DeltaBound bound = DeltaBound::hinge;
};

// A row (kStructuredNdcg, …) with its oracle's settings, as the oracle's table gives them.
SharedLoss structured_loss(const Entry<Loss>& row, const Settings& oracle,
                           const StructuredOptions& options);

}  // namespace podium
