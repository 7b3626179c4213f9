// SmoothRank's loss.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

enum class SmoothedMeasure { ndcg, ap };
inline const Choices<SmoothedMeasure>& smoothed_measures() {
  static const Choices<SmoothedMeasure> choices = {{"ndcg", SmoothedMeasure::ndcg},
                                                   {"ap", SmoothedMeasure::ap}};
  return choices;
}

struct SmoothOptions {
  SmoothedMeasure measure = SmoothedMeasure::ndcg;
  double sigma = 1;
  std::string gain = "exp2";
  double relevant_from = 1;
  std::int64_t k = 0;
};

std::unique_ptr<const Loss> smooth_loss(const SmoothOptions& options);

}  // namespace podium
