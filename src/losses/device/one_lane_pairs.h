// The pair functions on one pair, as one_lane.h.
#pragma once

#include "losses/device/one_lane.h"

namespace podium::one_lane {

#define PODIUM_LANE_FUNCTION PODIUM_BOTH inline
#include "losses/pairwise/pair_functions-inl.h"
#undef PODIUM_LANE_FUNCTION

}  // namespace podium::one_lane
