#include "trees/category_splits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace podium {
namespace {

struct CategoryItem {
  double key;
  std::uint32_t bin;
};

// The items of a leaf in the order of their keys; of equal ones the lower bin first.
std::vector<CategoryItem> sorted_items(ConstHistogram bins, double category_l2) {
  std::vector<CategoryItem> items;
  for (std::uint32_t b = 0; b < bins.size(); ++b) {
    if (bins[b].documents == 0) continue;
    const auto first = static_cast<double>(bins[b].first);
    const double second = static_cast<double>(bins[b].second) + category_l2;
    const double key = second > 0   ? first / second
                       : first == 0 ? 0
                                    : std::copysign(std::numeric_limits<double>::infinity(), first);
    items.push_back({key, b});
  }
  std::sort(items.begin(), items.end(), [](const CategoryItem& a, const CategoryItem& b) {
    return a.key != b.key ? a.key < b.key : a.bin < b.bin;
  });
  return items;
}

// The prefix with the largest score, as its length; 0: the rules allow none.
struct PrefixCut {
  std::size_t items = 0;
  double score = kForbiddenSplit;
  DerivativeSums sums = {};
};

PrefixCut best_prefix(std::span<const CategoryItem> items, ConstHistogram bins,
                      const DerivativeSums& total, const SplitScale& scale) {
  PrefixCut best;
  DerivativeSums left;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    left += bins[items[i].bin];
    const DerivativeSums right = total - left;
    if (right.documents < scale.min_docs) break;
    if (!scale.allows(left) || !scale.allows(right)) continue;
    const auto lefts = static_cast<double>(i + 1);
    const double score =
        side_score(scale, left, lefts * scale.category_l2) +
        side_score(scale, right, (static_cast<double>(items.size()) - lefts) * scale.category_l2);
    if (score > best.score) best = {i + 1, score, left};
  }
  return best;
}

}  // namespace

Split best_category_split(const BinnedFeature& feature, const SplitProblem& problem,
                          const SplitScale& scale) {
  const ConstHistogram bins = problem.histogram.subspan(feature.first_bin, feature.bins());
  const std::vector<CategoryItem> items = sorted_items(bins, scale.category_l2);
  const PrefixCut cut = best_prefix(items, bins, problem.sums, scale);
  if (cut.items == 0) return {};
  const double before =
      side_score(scale, problem.sums, static_cast<double>(items.size()) * scale.category_l2);
  if (cut.score - before <= kSplitRounding * before) return {};

  const std::uint32_t missing = feature.value_bins();
  const auto prefix = std::span(items).first(cut.items),
             suffix = std::span(items).subspan(cut.items);
  const auto has_missing = [&](std::span<const CategoryItem> side) {
    return std::any_of(side.begin(), side.end(), [&](const auto& i) { return i.bin == missing; });
  };
  const bool prefix_is_left = has_missing(prefix) ? false
                              : has_missing(suffix)
                                  ? true
                                  : 2 * cut.sums.documents <= problem.sums.documents;
  Split split;
  split.gain = cut.score - before;
  split.missing = Tree::Node::Missing::right;
  split.left = prefix_is_left ? cut.sums : problem.sums - cut.sums;
  for (const CategoryItem& item : prefix_is_left ? prefix : suffix)
    split.left_bins.push_back(item.bin);
  std::sort(split.left_bins.begin(), split.left_bins.end());
  return split;
}

}  // namespace podium
