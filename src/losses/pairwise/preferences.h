// A loss over given preferences instead of grades: pairs of documents of a query, of which one is
// better, each with a weight (Dataset::preferences).
#pragma once

#include <memory>
#include <string>

#include "losses/pairwise/pair_options.h"
#include "losses/pairwise/pairwise.h"
#include "podium/loss.h"

namespace podium {

struct PreferenceForm {
  std::string function;  // the name of φ
  PairRowKernel kernel;
  PairShape shape = {};
  double sigma = 1;
  LossTraits::Shape convexity = LossTraits::Shape::convex;
  PairScale scale = PairScale::average;
};
std::unique_ptr<const Loss> preference_loss(PreferenceForm form);

}  // namespace podium
