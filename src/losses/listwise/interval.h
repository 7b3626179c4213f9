// IntervalRank's loss, and the isotonic one that it relaxes.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct IntervalOptions {
  double lambda1 = 1000;
  double lambda2 = 100;
  std::string targets = "linear";
  double barrier = 0;
};

struct IsotonicOptions {
  std::string targets = "linear";
};

std::unique_ptr<const Loss> interval_loss(const IntervalOptions& options);
std::unique_ptr<const Loss> isotonic_loss(const IsotonicOptions& options);

}  // namespace podium
