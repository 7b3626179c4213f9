// The arithmetic of pair functions on one pair, for both sides: the text that the CPU's vectors use
// (lane_functions-inl.h), hence the same bits.
#pragma once

#include "device/atomics.h"
#include "device/both.h"
#include "losses/pairwise/pair_kernels.h"

namespace podium::one_lane {

using Lanes = double;
using LaneBits = long long;

PODIUM_BOTH inline Lanes splat(double x) {
  return x;
}
PODIUM_BOTH inline Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}
PODIUM_BOTH inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
PODIUM_BOTH inline LaneBits lane_bits(Lanes x) {
  return static_cast<LaneBits>(bits_of(x));
}
PODIUM_BOTH inline Lanes lanes_of(LaneBits bits) {
  return number_of(static_cast<std::uint64_t>(bits));
}
PODIUM_BOTH inline Lanes magnitude(Lanes x) {
  return lanes_of(lane_bits(x) & 0x7fffffffffffffffLL);
}

#define PODIUM_LANE_FUNCTION PODIUM_BOTH inline
#include "losses/pairwise/lane_functions-inl.h"
#undef PODIUM_LANE_FUNCTION

}  // namespace podium::one_lane
