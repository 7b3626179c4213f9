// Operations on every kind of model, by std::visit: a new kind does not compile here until it has
// them.
#include "podium/model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/overloaded.h"
#include "data/transform/expected_types.h"
#include "models/blend/blend.h"
#include "models/forest/forest.h"
#include "models/linear/linear.h"
#include "models/mlp/mlp.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

std::size_t inputs(const Linear& linear) {
  return linear.weights.size();
}
std::size_t inputs(const Forest& forest) {
  return forest.features;
}
std::size_t inputs(const Mlp& mlp) {
  return mlp.mean.size();
}

std::size_t inputs(const Blend& blend) {
  return blend.features.size();
}

std::vector<double> sizes(const Linear& linear) {
  std::vector<double> out(linear.weights.size());
  std::transform(linear.weights.begin(), linear.weights.end(), out.begin(),
                 [](double w) { return std::abs(w); });
  return out;
}
std::vector<double> sizes(const Forest& forest) {
  std::vector<double> out(forest.features);
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes) out[node.feature] += node.gain;
  return out;
}
std::vector<double> sizes(const Mlp& mlp) {
  std::vector<double> reach = {1};  // of each output of a layer
  for (auto layer = mlp.layers.rbegin(); layer != mlp.layers.rend(); ++layer) {
    std::vector<double> below(layer->weights[0].size());
    for (std::size_t o = 0; o < reach.size(); ++o)
      for (std::size_t i = 0; i < below.size(); ++i)
        below[i] += reach[o] * std::abs(static_cast<double>(layer->weights[o][i]));
    reach = std::move(below);
  }
  for (std::size_t f = 0; f < reach.size(); ++f)
    if (mlp.scale[f] == 0) reach[f] = 0;
  return reach;
}

std::vector<double> sizes(const Blend& blend) {
  return blended_importance(blend);
}

std::vector<double> uses(const Linear& linear) {
  std::vector<double> out(linear.weights.size());
  std::transform(linear.weights.begin(), linear.weights.end(), out.begin(),
                 [](double w) { return w != 0 ? 1.0 : 0.0; });
  return out;
}
std::vector<double> uses(const Forest& forest) {
  std::vector<double> out(forest.features);
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes) out[node.feature] += 1;
  return out;
}
std::vector<double> uses(const Mlp& mlp) {
  std::vector<double> out = sizes(mlp);
  for (double& size : out) size = size != 0 ? 1.0 : 0.0;
  return out;
}
std::vector<double> uses(const Blend& blend) {
  return blended_split_counts(blend);
}

}  // namespace

std::size_t feature_count(const Model& model) {
  return std::visit([](const auto& kind) { return inputs(kind); }, model);
}

std::vector<double> score(const Model& model, const Dataset& data, Context& context) {
  // Not a generic lambda: a kind without an overload would be converted back to a Model.
  return std::visit(
      Overloaded{[&](const Linear& linear) { return score(linear, data, context.pool); },
                 [&](const Forest& forest) { return score(forest, data, context); },
                 [&](const Mlp& mlp) { return score(mlp, data, context.pool); },
                 [&](const Blend& blend) { return score(blend, data, context); }},
      model);
}

std::vector<double> importance(const Model& model) {
  return std::visit([](const auto& kind) { return sizes(kind); }, model);
}

std::vector<double> split_counts(const Model& model) {
  return std::visit([](const auto& kind) { return uses(kind); }, model);
}

std::size_t inputs_of(const SavedModel& saved, std::size_t feature) {
  return input_count(saved.normalization, saved.schema, feature);
}

std::vector<std::string> input_names(const SavedModel& saved) {
  if (!saved.normalization.multiplies()) return saved.features;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < saved.features.size(); ++f)
    for (std::string& name : input_names(saved.normalization, saved.schema, f, saved.features[f]))
      names.push_back(std::move(name));
  return names;
}

bool needs_queries(const SavedModel& saved) {
  const Transform& transform = saved.normalization;
  if (transform.normalization != Normalization::none || needs_query(transform.imputation))
    return true;
  const auto members = members_of(saved.model);
  return std::any_of(members.begin(), members.end(),
                     [](const BlendMember& member) { return needs_queries(member.saved); });
}

FeatureSchema input_schema(const SavedModel& saved) {
  const Transform& transform = saved.normalization;
  if ((transform.thresholds.empty() && transform.encodings.empty()) || saved.schema.all_numbers())
    return saved.schema;
  constexpr std::size_t kNumber = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> source;
  for (std::size_t f = 0; f < saved.features.size(); ++f) {
    const bool is_encoded =
        std::any_of(transform.encodings.begin(), transform.encodings.end(),
                    [f](const CategoryEncoding& encoding) { return encoding.feature == f; });
    source.insert(source.end(), inputs_of(saved, f), is_encoded ? kNumber : f);
  }
  return saved.schema.selected(source);
}

Dataset prepare_inputs(const SavedModel& saved, const Dataset& data, Context& context) {
  Transform transform = saved.normalization;
  transform.features = saved.features;
  transform.schema = saved.schema;
  Dataset prepared = apply(transform, data, context);
  if (saved.schema.all_numbers()) require_numbers(prepared);
  if (prepared.features() != feature_count(saved.model))
    throw Error(ErrorCode::data, fmt::format("the model has {}, but its normalization gives {}",
                                             counted(feature_count(saved.model), "input"),
                                             counted(prepared.features(), "feature")));
  return prepared;
}

std::vector<double> score(const SavedModel& saved, const Dataset& data, Context& context) {
  return score(saved.model, prepare_inputs(saved, data, context), context);
}

}  // namespace podium
