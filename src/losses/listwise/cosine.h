// RankCosine's loss.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

enum class TargetNorm { length, ideal_dcg };
inline const Choices<TargetNorm>& target_norms() {
  static const Choices<TargetNorm> choices = {{"length", TargetNorm::length},
                                              {"ideal-dcg", TargetNorm::ideal_dcg}};
  return choices;
}

struct CosineOptions {
  TargetNorm norm = TargetNorm::length;
  std::string targets = "linear";
};

std::unique_ptr<const Loss> cosine_loss(const CosineOptions& options);

}  // namespace podium
