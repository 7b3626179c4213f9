// The rows of the table of losses, each defined in the file of its name.
#pragma once

#include "podium/loss.h"

namespace podium {

extern const Entry<Loss> kSquaredLoss;

}  // namespace podium
