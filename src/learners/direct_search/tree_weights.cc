#include "learners/direct_search/tree_weights.h"

#include <algorithm>
#include <limits>

namespace podium {

double best_weight(std::span<const double> scores, std::span<const double> direction,
                   const WeightRange& range, double current, const ExactLineSearch& search,
                   Context& context) {
  SearchLine line{.base = scores, .direction = direction, .current = current};
  if (range.outside == WeightRange::Outside::search) {
    line.low = range.low;
    line.high = range.high;
  }
  const LineSearchResult found = search.search(line, context);
  return found.holds_current ? current : std::clamp(found.middle, range.low, range.high);
}

std::vector<double> TreeWeights::find(std::span<const double> scores, const NewTree& tree) const {
  std::vector<double> direction(scores.size());
  look_up(tree, tree.values, direction);
  const double weight = best_weight(scores, direction, rule_.range,
                                    std::numeric_limits<double>::quiet_NaN(), search_, context_);
  if (rule_.of == Rule::Of::leaves) return of_leaves(scores, direction, tree, weight);
  return std::vector<double>(tree.values.size(), weight);
}

// The values of the documents that change.
void TreeWeights::look_up(const NewTree& tree, std::span<const double> values,
                          std::span<double> out) const {
  tree.look_up(values, out);
  if (rule_.queries == Rule::Queries::held_out)
    for (const std::uint32_t i : tree.grown_on) out[i] = 0;
}

std::vector<double> TreeWeights::of_leaves(std::span<const double> scores,
                                           std::span<const double> direction, const NewTree& tree,
                                           double weight) const {
  const auto value_at = [&](std::span<const double> at) {
    return evaluate(objective_, convention_, data_, at, context_);
  };
  std::vector<double> weights(tree.values.size(), weight), alone(weights.size());
  std::vector<double> at(scores.begin(), scores.end()), along(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] += weight * direction[i];
  const double before = value_at(at);
  for (std::size_t leaf = 0; leaf < weights.size(); ++leaf) {
    // Only this leaf's documents, from a weight of 0.
    alone[leaf] = tree.values[leaf];
    look_up(tree, alone, along);
    alone[leaf] = 0;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] -= weight * along[i];
    weights[leaf] = best_weight(at, along, rule_.range, weight, search_, context_);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += weights[leaf] * along[i];
  }
  // Of the scores that the tree will give.
  tree.look_up(weights, along);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = scores[i] + along[i] * direction[i];
  if (value_at(at) < before) std::fill(weights.begin(), weights.end(), weight);
  return weights;
}

}  // namespace podium
