#include "trees/level_search.h"

#include <algorithm>

#include "trees/run_tasks.h"
#include "trees/split_scale.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

// What a leaf gains by a division.
class LeafGain {
 public:
  LeafGain(const SplitRules& rules, int direction, const SplitProblem& leaf)
      : scale_(rules, leaf.bounds),
        is_free_(rules.monotone.empty()),
        direction_(direction),
        sums_(leaf.sums) {}

  // In units of the derivatives; 0 where the rules do not allow it.
  double operator()(const DerivativeSums& left) const {
    const DerivativeSums right = sums_ - left;
    if (!scale_.allows(left) || !scale_.allows(right)) return 0;
    const double found =
        is_free_ ? free_score(scale_, left, right) : bounded_score(scale_, direction_, left, right);
    return found == kForbiddenSplit ? 0 : net_score(scale_, sums_, found, is_free_);
  }

 private:
  SplitScale scale_;
  bool is_free_;
  int direction_;
  DerivativeSums sums_;
};

}  // namespace

void LevelSearch::start(std::span<const char> allowed) {
  columns_.clear();
  for (const std::uint32_t column : finder_.columns())
    if (allowed.empty() || allowed[column]) columns_.push_back(column);
  has_missing_.assign(data_.columns().size(), 0);
  missing_right_.assign(data_.total_bins(), 0);
  missing_left_.assign(data_.total_bins(), 0);
}

void LevelSearch::add(const SplitProblem& leaf) {
  run_tasks(pool_, columns_.size(), 4 * data_.total_bins(),
            [&](std::size_t i) { add_column(columns_[i], leaf); });
}

void LevelSearch::add_column(std::uint32_t column, const SplitProblem& leaf) {
  const BinnedFeature& feature = data_.columns()[column];
  const auto bins = leaf.histogram.subspan(feature.first_bin, feature.bins());
  const DerivativeSums missing =
      feature.has_missing ? bins[feature.value_bins()] : DerivativeSums{};
  const bool any_missing = missing.documents > 0;
  if (any_missing) has_missing_[column] = 1;
  const LeafGain gain(finder_.rules(), finder_.direction(column), leaf);
  DerivativeSums left;
  double right_gain = 0, left_gain = any_missing ? gain(missing) : 0;
  for (std::uint32_t b = 0; b < feature.value_bins(); ++b) {
    if (bins[b].documents > 0) {
      left += bins[b];
      right_gain = gain(left);
      left_gain = any_missing ? gain(left + missing) : right_gain;
    }
    missing_right_[feature.first_bin + b] += right_gain;
    missing_left_[feature.first_bin + b] += left_gain;
  }
}

Split LevelSearch::best_of(std::uint32_t column) const {
  const BinnedFeature& feature = data_.columns()[column];
  Split best;
  const auto consider = [&](double gain, std::uint32_t bin, Missing side) {
    if (gain > best.gain) best = {.gain = gain, .column = column, .bin = bin, .missing = side};
  };
  for (std::uint32_t b = 0; b < feature.value_bins(); ++b) {
    consider(missing_right_[feature.first_bin + b], b, Missing::right);
    consider(missing_left_[feature.first_bin + b], b, Missing::left);
  }
  return best;
}

Split LevelSearch::best() const {
  std::vector<Split> found(columns_.size());
  run_tasks(pool_, columns_.size(), 2 * data_.total_bins(),
            [&](std::size_t i) { found[i] = best_of(columns_[i]); });
  Split best;
  for (Split& split : found)
    if (split.gain > best.gain) best = std::move(split);
  best.gain = gain_of(best.gain, gain_unit(finder_.rules()));
  return best.gain > std::max(finder_.rules().min_gain, 0.0) ? best : Split{};
}

Split LevelSearch::split_of(const SplitProblem& leaf, const Split& test) const {
  const BinnedFeature& feature = data_.columns()[test.column];
  const auto bins = leaf.histogram.subspan(feature.first_bin, feature.bins());
  Split split = test;
  split.left = {};
  for (std::uint32_t b = 0; b <= test.bin; ++b) split.left += bins[b];
  if (feature.has_missing && test.missing == Missing::left)
    split.left += bins[feature.value_bins()];
  const LeafGain gain(finder_.rules(), finder_.direction(test.column), leaf);
  split.gain = gain_of(gain(split.left), gain_unit(finder_.rules()));
  return split.found() ? split : Split{};
}

}  // namespace podium
