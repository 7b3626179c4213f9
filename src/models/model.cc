// What every kind of model can do, by std::visit: a new kind fails to compile here until it can.
#include "podium/model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/forest.h"
#include "models/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

std::size_t inputs(const Linear& linear) {
  return linear.weights.size();
}
std::size_t inputs(const Forest& forest) {
  return forest.features;
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

}  // namespace

std::size_t feature_count(const Model& model) {
  return std::visit([](const auto& kind) { return inputs(kind); }, model);
}

std::vector<double> score(const Model& model, const Dataset& data, ThreadPool& pool) {
  return std::visit([&](const auto& kind) { return score(kind, data, pool); }, model);
}

std::vector<double> importance(const Model& model) {
  return std::visit([](const auto& kind) { return sizes(kind); }, model);
}

std::vector<double> split_counts(const Model& model) {
  return std::visit([](const auto& kind) { return uses(kind); }, model);
}

Dataset prepare_inputs(const SavedModel& saved, const Dataset& data, Context& context) {
  Transform transform = saved.normalization;
  transform.features = saved.features;
  Dataset prepared = apply(transform, data, context);
  if (prepared.features() != feature_count(saved.model))
    throw Error(ErrorCode::data,
                fmt::format("the model has {} inputs, but its normalization gives {} features",
                            feature_count(saved.model), prepared.features()));
  return prepared;
}

std::vector<double> score(const SavedModel& saved, const Dataset& data, Context& context) {
  return score(saved.model, prepare_inputs(saved, data, context), context.pool);
}

}  // namespace podium
