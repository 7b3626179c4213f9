// The hinge of good against bad documents.
#pragma once

#include <memory>

#include "podium/loss.h"

namespace podium {

struct ClassificationHingeOptions {
  bool balance = false;
  double relevant_from = 1;
};

std::unique_ptr<const Loss> classification_hinge_loss(const ClassificationHingeOptions& options);

}  // namespace podium
