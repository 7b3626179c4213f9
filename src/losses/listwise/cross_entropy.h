// Cross entropy of a fixed target distribution P over a query's documents and the softmax of its
// scores, the common form of softmax losses:
//
//   L = v_q Σ_i w_i P_i (log Σ_j exp s_j − s_i)
//
//   ∂L/∂s_i = v_q (T p_i − w_i P_i),   T = Σ_i w_i P_i
//
// with p = softmax(s) and the exact diagonal T p (1 − p) as second derivatives. O(n).
#pragma once

#include <memory>
#include <vector>

#include "podium/loss.h"

namespace podium {

// `target` has one element per document; a query whose elements are all 0 does not contribute.
std::unique_ptr<const BoundLoss> bind_cross_entropy(const Dataset& data,
                                                    std::vector<double> target);

}  // namespace podium
