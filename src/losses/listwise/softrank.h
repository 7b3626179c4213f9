// SoftRank's loss.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct SoftRankOptions {
  double sigma = 0.5;
  std::string gain = "exp2";
  std::int64_t k = 0;
};

std::unique_ptr<const Loss> softrank_loss(const SoftRankOptions& options);

}  // namespace podium
