#include "trees/split_finder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trees/category_splits.h"
#include "trees/run_tasks.h"
#include "trees/split_scale.h"

namespace podium {
namespace {

constexpr std::size_t kColumnsAChunk = 1;

using Missing = Tree::Node::Missing;

// Iterates over a number's bins; score(left, right) for the splits that the rules allow.
template <class Score>
Split scan(const BinnedFeature& feature, const SplitProblem& problem, const SplitScale& scale,
           Score&& score) {
  const auto bins = problem.histogram.subspan(feature.first_bin, feature.bins());
  const DerivativeSums missing =
      feature.has_missing ? bins[feature.value_bins()] : DerivativeSums{};
  Split best;
  best.gain = kForbiddenSplit;
  const auto consider = [&](const DerivativeSums& left, std::uint32_t bin, Missing side) {
    const DerivativeSums right = problem.sums - left;
    if (!scale.allows(left) || !scale.allows(right)) return;
    if (const double found = score(left, right); found > best.gain)
      best = {.gain = found, .bin = bin, .missing = side, .left = left, .left_bins = {}};
  };
  const std::int64_t most_left = problem.sums.documents - scale.min_docs;
  DerivativeSums left;
  for (std::uint32_t b = 0; b < feature.value_bins() && left.documents <= most_left; ++b) {
    if (bins[b].documents == 0) continue;
    left += bins[b];
    consider(left, b, Missing::right);
    if (missing.documents > 0) consider(left + missing, b, Missing::left);
  }
  if (missing.documents == 0)
    best.missing =
        2 * best.left.documents >= problem.sums.documents ? Missing::left : Missing::right;
  return best;
}

}  // namespace

void SplitFinder::prepare(const SplitRules& rules, std::vector<std::uint32_t> columns) {
  rules_ = rules;
  columns_ = std::move(columns);
  const auto is_category = [](const BinnedFeature& column) { return column.is_category; };
  if (std::any_of(data_.columns().begin(), data_.columns().end(), is_category))
    usual_.assign(data_.total_bins(), 0);
}

std::span<const double> SplitFinder::usual(std::uint32_t column,
                                           const SplitProblem& problem) const {
  const BinnedFeature& feature = data_.columns()[column];
  if (usual_.empty() || is_first(problem) || feature.value_bins() <= kSearchedExactly) return {};
  return std::span(usual_).subspan(feature.first_bin, feature.bins());
}

int SplitFinder::direction(std::uint32_t column) const {
  return rules_.monotone.empty() ? 0 : rules_.monotone[data_.columns()[column].feature];
}

Split SplitFinder::best_of(std::uint32_t column, const SplitProblem& problem) const {
  const BinnedFeature& feature = data_.columns()[column];
  const SplitScale scale(rules_, problem.bounds);
  const bool is_free = rules_.monotone.empty();
  if (feature.is_category) {
    if (is_first(problem))
      find_usual(feature, problem, scale,
                 std::span(usual_).subspan(feature.first_bin, feature.bins()));
    return finished(best_category_split(feature, problem, scale, usual(column, problem)), column);
  }
  Split split;
  if (is_free) {
    split = scan(feature, problem, scale, [&](const auto& left, const auto& right) {
      return free_score(scale, left, right);
    });
  } else {
    split = scan(feature, problem, scale,
                 [&, way = direction(column)](const auto& left, const auto& right) {
                   return bounded_score(scale, way, left, right);
                 });
  }
  if (split.gain == kForbiddenSplit) return {};
  split.gain = net_score(scale, problem.sums, split.gain, is_free);
  return finished(std::move(split), column);
}

// With the gain in the loss's units, if it is large enough.
Split SplitFinder::finished(Split split, std::uint32_t column) const {
  split.gain = gain_of(split.gain, gain_unit(rules_));
  split.column = column;
  return split.gain > std::max(rules_.min_gain, 0.0) ? split : Split{};
}

std::vector<Split> SplitFinder::best(std::span<const SplitProblem> problems, ThreadPool& pool,
                                     const PrepareColumn& prepare_column) const {
  return best_among(columns_, problems, pool, prepare_column);
}

std::vector<Split> SplitFinder::best_among(std::span<const std::uint32_t> columns,
                                           std::span<const SplitProblem> problems, ThreadPool& pool,
                                           const PrepareColumn& prepare_column) const {
  const std::size_t chunks = (columns.size() + kColumnsAChunk - 1) / kColumnsAChunk;
  std::vector<Split> found(chunks * problems.size());
  const std::size_t operations = 4 * (problems.size() + 1) * data_.total_bins();
  run_tasks(pool, chunks, operations, [&](std::size_t chunk) {
    const std::span<Split> here =
        std::span(found).subspan(chunk * problems.size(), problems.size());
    const std::size_t last = std::min(columns.size(), (chunk + 1) * kColumnsAChunk);
    for (std::size_t i = chunk * kColumnsAChunk; i < last; ++i) {
      if (prepare_column) prepare_column(columns[i]);
      for (std::size_t p = 0; p < problems.size(); ++p) {
        const auto allowed = problems[p].allowed;
        if (!allowed.empty() && !allowed[columns[i]]) continue;
        Split split = best_of(columns[i], problems[p]);
        if (split.gain > here[p].gain) here[p] = std::move(split);
      }
    }
  });
  std::vector<Split> best(problems.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (Split& so_far = best[i % problems.size()]; found[i].gain > so_far.gain)
      so_far = std::move(found[i]);
  for (std::size_t p = 0; p < problems.size(); ++p) {
    if (!best[p].found()) continue;
    const BinnedFeature& feature = data_.columns()[best[p].column];
    if (feature.is_category)
      best[p].left_bins = left_bins(feature, problems[p], SplitScale(rules_, problems[p].bounds),
                                    best[p], usual(best[p].column, problems[p]));
  }
  return best;
}

SplitFinder::ChildBounds SplitFinder::child_bounds(const Split& split, const DerivativeSums& sums,
                                                   const ValueBounds& bounds) const {
  ChildBounds children{bounds, bounds};
  const int way = direction(split.column);
  if (way == 0) return children;
  const SplitScale scale(rules_, bounds);
  const double middle =
      std::clamp(0.5 * (scale.value(split.left) + scale.value(sums - split.left)) *
                     (rules_.first_unit / rules_.second_unit),
                 bounds.low, bounds.high);
  (way > 0 ? children.left.high : children.left.low) = middle;
  (way > 0 ? children.right.low : children.right.high) = middle;
  return children;
}

}  // namespace podium
