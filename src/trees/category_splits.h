// The best split of a leaf by a category: a set of values against all others.
//
// Each value in the leaf, and all missing and rare ones together, is an item i with sums G_i, H_i.
// A set S of n items scores
//
//   s(S) = G² / (H + λ + n λ_c),      G = Σ G_i,  H = Σ H_i  over i in S,
//
// and a split gains s(S) + s(rest) − s(all): λ_c, ‹category-l2›, counts as that many average
// documents with the derivative 0 for each value, as each is a choice of its own that can fit
// noise. The score is convex in (Σ G_i, Σ (H_i + λ_c)), so the best of all 2ⁿ⁻¹ sets is a vertex of
// the polygon of these sums: a prefix of the items in the order of G_i / (H_i + λ_c) [Fisher58].
// Where ‹min-docs› or ‹min-curvature› forbid that prefix, it is the best prefix that they allow.
//
// The left side is the one without missing values; if the leaf has none, the one with fewer
// documents. So unknown values go right, as does everything that is not in the set.
#pragma once

#include <vector>

#include "trees/split_finder.h"
#include "trees/split_scale.h"

namespace podium {

// With the gain in units of the derivatives; 0: there is none. Its bin is the last item of the
// prefix, and left_bins() lists the bins of its left side: only for the best of all columns,
// because that takes as long as the search.
Split best_category_split(const BinnedFeature& feature, const SplitProblem& problem,
                          const SplitScale& scale);
std::vector<std::uint32_t> left_bins(const BinnedFeature& feature, const SplitProblem& problem,
                                     const SplitScale& scale, const Split& split);

}  // namespace podium
