// RankSVM's loss.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct PairwiseHingeOptions {
  std::string pairs = "average";
};

std::unique_ptr<const Loss> pairwise_hinge_loss(const PairwiseHingeOptions& options);

}  // namespace podium
