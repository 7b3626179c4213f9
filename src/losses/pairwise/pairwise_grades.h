// Losses over all pairs of different grades that learners use.
#pragma once

#include <memory>

#include "losses/pairwise/pair_options.h"
#include "podium/loss.h"

namespace podium {

struct SigmaPairOptions {
  double sigma = 1;
  PairWeight weight = PairWeight::one;
  PairScale pairs = PairScale::average;
  static const OptionTable<SigmaPairOptions>& table();
};

struct GbrankOptions {
  double margin = 0, grade_margin = 1, tie = 0.1;
  PairWeight weight = PairWeight::one;
  PairScale pairs = PairScale::average;
  static const OptionTable<GbrankOptions>& table();
};

std::unique_ptr<const Loss> logistic_pairs_loss(const SigmaPairOptions& options);  // RankNet's
std::unique_ptr<const Loss> gbrank_loss(const GbrankOptions& options);

}  // namespace podium
