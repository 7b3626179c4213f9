// The squared error of score and target.
#pragma once

#include <memory>
#include <string>

#include "podium/loss.h"

namespace podium {

struct SquaredOptions {
  std::string targets = "linear";
};

std::unique_ptr<const Loss> squared_loss(const SquaredOptions& options);

}  // namespace podium
