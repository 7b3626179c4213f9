// RankCosine's loss.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct CosineOptions {
  std::string norm = "length";
  std::string targets = "linear";
};

std::unique_ptr<const Loss> cosine_loss(const CosineOptions& options);

}  // namespace podium
