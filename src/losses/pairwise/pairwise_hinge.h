// RankSVM's loss.
#pragma once

#include <memory>

#include "losses/pairwise/pair_options.h"
#include "podium/loss.h"

namespace podium {

struct PairwiseHingeOptions {
  PairScale pairs = PairScale::average;
};

std::unique_ptr<const Loss> pairwise_hinge_loss(const PairwiseHingeOptions& options);

}  // namespace podium
