// How a loss weighs its pairs, read from its name: the settings that a loss on click pairs keeps.
#pragma once

#include <cstddef>

#include "losses/lambda/lambda.h"

namespace podium {

struct ClickPairRule {
  bool is_lambda = false;
  double sigma = 1;
  std::size_t truncation = 0;  // ranks; 0: all pairs
  std::size_t cutoff = 0;      // of the measure; 0: none
  bool scaled = false;         // each query's sum of |λ|, by log2(1 + sum) / sum
};
// A usage Error names the losses that have one.
ClickPairRule click_pair_rule(const Loss& loss);

}  // namespace podium
