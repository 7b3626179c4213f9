#include "models/exporters/nonnegative_scores.h"

#include <algorithm>
#include <cmath>

#include "models/exporters/refuse_export.h"

namespace podium {
namespace {

// The amount to add to the forest's scores so that none is negative.
double lift(const Forest& forest) {
  double low = forest.base[0], size = std::abs(low);
  for (const Tree& tree : forest.trees) {
    const auto [least, most] = std::minmax_element(tree.values.begin(), tree.values.end());
    low += *least;
    size += std::max(std::abs(*least), std::abs(*most));
  }
  // The consumer may add in single precision.
  const double rounding = static_cast<double>(forest.trees.size() + 2) * 0x1p-23 * size;
  return std::max(0.0, rounding - low);
}

void raise_scores(Forest& forest, const Capabilities&, ExportedModel& exported) {
  if (forest.offset_feature)
    refuse_export(exported.format,
                  "‹nonnegative›: the model adds a feature to its score, which has no lower bound");
  if (forest.link.kind != Link::Kind::identity) {
    if (forest.link.values[0] < 0)
      refuse_export(exported.format,
                    "‹nonnegative›: the model's outputs stand for negative grades");
    return;
  }
  const double up = lift(forest);
  forest.base[0] += up;
  exported.shift += up;
}
[[noreturn]] void refuse_unbounded(const ExportedModel& exported) {
  refuse_export(
      exported.format,
      "‹nonnegative›: only trees, and linear models without negative weights, have a lower bound");
}
void raise_scores(const Linear& linear, const Capabilities& can, ExportedModel& exported) {
  const bool bounded =
      (!can.bias || linear.bias >= 0) &&
      std::all_of(linear.weights.begin(), linear.weights.end(), [](double w) { return w >= 0; });
  if (!bounded) refuse_unbounded(exported);
  exported.notes.emplace_back("scores are not negative as long as no feature is");
}
void raise_scores(const Mlp&, const Capabilities&, ExportedModel& exported) {
  refuse_unbounded(exported);
}

void raise_scores(const Blend&, const Capabilities&, ExportedModel& exported) {
  refuse_unbounded(exported);
}

}  // namespace

void make_nonnegative(Model& model, const Capabilities& can, ExportedModel& exported) {
  std::visit([&](auto& kind) { raise_scores(kind, can, exported); }, model);
}

}  // namespace podium
