#include "experiments/report/weight_line.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "experiments/comparison/json_number.h"
#include "line_search/exact_line_search.h"
#include "models/linear/linear.h"
#include "models/model_kinds.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPieces = 2000;

}  // namespace

bool has_weight_line(const Model& model) {
  return std::visit(
      Overloaded{[](const Linear&) { return true; }, [](const Forest&) { return false; },
                 [](const Mlp&) { return false; }, [](const Blend&) { return false; }},
      model);
}

Json weight_line(const std::string& system, const std::string& fold, const SavedModel& saved,
                 const std::string& feature, const Dataset& train, const MeasurePtr& measure,
                 const Convention& convention, Context& context) {
  const Linear& linear = require_linear(
      saved.model, Error(ErrorCode::usage, "only linear models have a line along a weight"));
  const auto at = std::find(saved.features.begin(), saved.features.end(), feature);
  const auto f = static_cast<std::size_t>(at - saved.features.begin());
  if (at == saved.features.end() || saved.normalization.multiplies()) return nullptr;
  const double weight = linear.weights[f];
  Linear others = linear;
  others.weights[f] = 0;
  double reach = std::abs(weight);
  for (const double w : others.weights) reach = std::max(reach, std::abs(w));
  if (!(reach > 0) || !std::isfinite(reach)) return nullptr;

  const std::vector<double> base = score(others, train, context.pool);
  const std::vector<double> direction = feature_column(train, f, context.pool);
  const SearchLine line{base, direction, weight - 2 * reach, weight + 2 * reach, weight};
  const ExactLineSearch search(train, measure, convention, context);
  const LineSearchResult best = search.search(line, context);
  const std::vector<LinePiece> pieces = search.pieces(line, context);
  // If there are too many, those around the weight.
  const auto here = static_cast<std::size_t>(
      std::upper_bound(pieces.begin(), pieces.end(), weight,
                       [](double x, const LinePiece& piece) { return x < piece.low; }) -
      pieces.begin());
  const std::size_t begin = here > kMostPieces / 2 ? here - kMostPieces / 2 : 0;
  const std::size_t end = std::min(pieces.size(), begin + kMostPieces);
  Json list = Json::array();
  for (std::size_t k = begin; k < end; ++k)
    list.push_back({json_number(pieces[k].low), json_number(pieces[k].value)});
  return {{"system", system},
          {"fold", fold},
          {"feature", feature},
          {"weight", weight},
          {"measure", measure_label(*measure, convention)},
          {"jumps", best.jumps},
          {"pieces", list}};
}

}  // namespace podium
