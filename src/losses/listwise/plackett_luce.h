// The Plackett–Luce likelihood of an order of documents [Plackett75]: the first is drawn with odds
// exp(s), then the next among the remaining ones, and so on.
//
//   −log P = Σ_t (log D_t − s_t),   D_t = Σ of exp(s) over the documents left at stage t
//
// A block of m tied documents stands for all their orders. Its stages r = 0 … m − 1 have D_r =
// lower + (1 − r/m) own, the mean of the remainder over all those orders (Efron's rule for ties in
// survival analysis [Efron77]); as the logarithm is concave, the loss is an upper bound of the mean
// of −log P over the orders, and exact for blocks of one. Each stage has the weight of the document
// drawn; in a block, the mean weight.
//
// Every D_t is a sum of exponentials with fixed positive coefficients, so the loss is convex. All
// sums are kept in logarithms. O(n).
#pragma once

#include <cstdint>
#include <span>

#include "podium/loss.h"

namespace podium {

struct TiedOrder {
  std::span<const std::uint32_t> documents;  // best first; the rest after the last block
  std::span<const std::uint32_t> ends;       // of the blocks of ties
};

// The first `stages` stages. Adds scale times the derivatives to `out` and returns scale times the
// value; `weights` may be empty.
double add_plackett_luce(TiedOrder order, std::size_t stages, std::span<const double> scores,
                         std::span<const float> weights, double scale, Derivatives out);

}  // namespace podium
