#include "experiments/report/model_directions.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "experiments/report/importance_shares.h"

namespace podium {
namespace {

// Keeps cell files small, which contain directions.
constexpr std::size_t kMostFeatures = 10000;

// Other kinds have no direction.
std::span<const double> weights_of(const Model& model) {
  using Weights = std::span<const double>;
  return std::visit(
      Overloaded{[](const Linear& linear) { return Weights(linear.weights); },
                 [](const Forest&) { return Weights(); }, [](const Mlp&) { return Weights(); },
                 [](const Blend&) { return Weights(); }},
      model);
}

bool same_everywhere(const std::vector<Direction>& a, const std::vector<Direction>& b) {
  for (std::size_t f = 0; f < a.size(); ++f)
    if (a[f].empty() || b[f].empty() || cosine(a[f], b[f]) < kSameDirection) return false;
  return true;
}

}  // namespace

Direction direction_of(const SavedModel& saved, const Dataset& inputs) {
  const std::span<const double> weights = weights_of(saved.model);
  if (weights.empty() || weights.size() > kMostFeatures) return {};
  std::vector<double> moves = feature_deviations(inputs);
  double square = 0;
  for (std::size_t f = 0; f < moves.size(); ++f) {
    moves[f] *= weights[f];
    square += moves[f] * moves[f];
  }
  if (!(square > 0) || !std::isfinite(square)) return {};
  const Transform& prepared = saved.normalization;
  const std::string how = fmt::format(
      "{}{}{} ", to_text(prepared.normalization), prepared.log1p ? " log1p" : "",
      prepared.imputation == Imputation::none ? "" : " impute " + to_text(prepared.imputation));
  Direction direction;
  const std::vector<std::string> names = input_names(saved);
  for (std::size_t input = 0; input < names.size(); ++input)
    direction.emplace_back(how + names[input], moves[input] / std::sqrt(square));
  std::sort(direction.begin(), direction.end());
  return direction;
}

double cosine(const Direction& a, const Direction& b) {
  double sum = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->first == j->first)
      sum += i++->second * j++->second;
    else
      ++(i->first < j->first ? i : j);
  }
  return sum;
}

std::vector<std::vector<std::size_t>> same_directions(
    const std::vector<std::vector<Direction>>& directions) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < directions.size(); ++s) {
    if (directions[s].empty()) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& members) {
      return same_everywhere(directions[members.front()], directions[s]);
    });
    if (group != groups.end())
      group->push_back(s);
    else
      groups.push_back({s});
  }
  std::erase_if(groups, [](const auto& members) { return members.size() < 2; });
  return groups;
}

}  // namespace podium
