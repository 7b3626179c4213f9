#include "podium/compiled_model.h"

#include <algorithm>
#include <utility>

#include "core/overloaded.h"
#include "models/forest/fast_forest.h"
#include "models/forest/forest.h"
#include "models/linear/linear.h"
#include "models/mlp/mlp.h"

namespace podium {
namespace {

constexpr std::size_t kFewDocuments = 8;  // up to here, walking the trees is as fast

bool transforms(const SavedModel& saved) {
  Transform transform = saved.normalization;
  transform.features.clear();  // the data already has the model's features
  return !transform.is_identity();
}

// Whether the data has this very schema, not just an equal one: its codes are the model's.
bool shares(const FeatureSchema& data, const FeatureSchema& model) {
  const auto a = data.categories(), b = model.categories();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.feature == y.feature && x.values.size() == y.values.size() &&
           x.values.chars.view().data() == y.values.chars.view().data();
  });
}

std::vector<double> score_compiled(const FastForest& trees, const Forest& forest,
                                   const Dataset& data, ThreadPool& pool) {
  std::vector<double> outputs = first_outputs(forest, data, pool);
  trees.add_to(outputs, data, pool);
  if (forest.link.kind == Link::Kind::identity) return outputs;
  const std::size_t width = forest.base.size();
  std::vector<double> scores(data.documents());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = forest.link(std::span(outputs).subspan(i * width, width));
  return scores;
}

}  // namespace

CompiledModel::CompiledModel(SavedModel saved)
    : saved_(std::move(saved)), needs_transform_(transforms(saved_)) {
  using Trees = std::unique_ptr<const FastForest>;
  trees_ = std::visit(Overloaded{[](const Linear&) { return Trees(); },
                                 [](const Forest& forest) {
                                   return std::make_unique<const FastForest>(
                                       forest.trees, forest.base.size(), forest.features);
                                 },
                                 [](const Mlp&) { return Trees(); }},
                      saved_.model);
}
CompiledModel::~CompiledModel() = default;
CompiledModel::CompiledModel(CompiledModel&&) noexcept = default;
CompiledModel& CompiledModel::operator=(CompiledModel&&) noexcept = default;

std::vector<double> CompiledModel::score(const Dataset& data) const {
  ThreadPool pool(1);
  if (needs_transform_ || !shares(data.schema(), saved_.schema)) {
    const auto comm = make_local_communicator();
    Observer silent;
    Context context{1, pool, *comm, silent};
    return podium::score(saved_, data, context);
  }
  return std::visit(
      Overloaded{[&](const Linear& linear) { return podium::score(linear, data, pool); },
                 [&](const Forest& forest) {
                   return data.documents() < kFewDocuments
                              ? score_plainly(forest, data, pool)
                              : score_compiled(*trees_, forest, data, pool);
                 },
                 [&](const Mlp& mlp) { return podium::score(mlp, data, pool); }},
      saved_.model);
}

}  // namespace podium
