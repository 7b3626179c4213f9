// What every kind of model can do, by std::visit: a new kind fails to compile here until it can.
#include "podium/model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/linear.h"
#include "podium/error.h"

namespace podium {

std::size_t feature_count(const Model& model) {
  return std::visit([](const Linear& linear) { return linear.weights.size(); }, model);
}

std::vector<double> score(const Model& model, const Dataset& data, ThreadPool& pool) {
  return std::visit([&](const auto& kind) { return score(kind, data, pool); }, model);
}

std::vector<double> importance(const Model& model) {
  return std::visit(
      [](const Linear& linear) {
        std::vector<double> sizes(linear.weights.size());
        std::transform(linear.weights.begin(), linear.weights.end(), sizes.begin(),
                       [](double w) { return std::abs(w); });
        return sizes;
      },
      model);
}

std::vector<double> score(const SavedModel& saved, const Dataset& data, Context& context) {
  Transform transform = saved.normalization;
  transform.features = saved.features;
  const Dataset prepared = apply(transform, data, context);
  if (prepared.features() != feature_count(saved.model))
    throw Error(ErrorCode::data,
                fmt::format("the model has {} inputs, but its normalization gives {} features",
                            feature_count(saved.model), prepared.features()));
  return score(saved.model, prepared, context.pool);
}

}  // namespace podium
