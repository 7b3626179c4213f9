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
// A category with more than kSearchedExactly values is treated so in the first leaf of a tree. In a
// leaf of few documents, the sums of most values are noise, and the best set of the leaf is a set
// of that noise. So the other leaves sort by
//
//   (G_i + λ_c u_i) / (H_i + λ_c),      u_i = G_i / (H_i + λ_c) of the first leaf
//
// which moves a value with few documents to its usual place instead of the middle. The score counts
// the leaf's own sums as before, and the best cut of this order is taken.
//
// The left side is the one without missing values; if the leaf has none, the one with fewer
// documents. So unknown values go right, as does everything that is not in the set.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trees/split_finder.h"
#include "trees/split_scale.h"

namespace podium {

inline constexpr std::size_t kSearchedExactly = 16;

// u_i for each bin, from the first leaf of a tree.
void find_usual(const BinnedFeature& feature, const SplitProblem& root, const SplitScale& scale,
                std::span<double> usual);

// With the gain in units of the derivatives; 0: there is none. Its bin is the last item of the
// prefix, and left_bins() lists the bins of its left side: only for the best of all columns,
// because that takes as long as the search. `usual`: by bin; empty: items are sorted by their own
// sums alone.
Split best_category_split(const BinnedFeature& feature, const SplitProblem& problem,
                          const SplitScale& scale, std::span<const double> usual = {});
std::vector<std::uint32_t> left_bins(const BinnedFeature& feature, const SplitProblem& problem,
                                     const SplitScale& scale, const Split& split,
                                     std::span<const double> usual = {});

}  // namespace podium
