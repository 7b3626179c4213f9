// nDCG over the whole list, shared by the clipped and the unclipped oracle.
#pragma once

#include <span>

#include "oracles/discount.h"
#include "oracles/partial_order.h"

namespace podium {

// Δ and coefficients of the most violated ranking for 1 − nDCG without cut-off.
double unclipped_ndcg(const PartialOrder& order, RankDiscount discount, std::span<double> c);

}  // namespace podium
