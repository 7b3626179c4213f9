// ‹nonnegative›: for engines that accept no negative scores. The scores of trees are raised, which
// changes no ranking; other models are refused unless they have a lower bound already.
#pragma once

#include "models/exporters/portable_model.h"

namespace podium {

// Adds what the scores are raised by to `exported.shift`, and notes.
void make_nonnegative(Model& model, const Capabilities& can, ExportedModel& exported);

}  // namespace podium
