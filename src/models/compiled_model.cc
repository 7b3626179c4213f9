#include "podium/compiled_model.h"

#include <utility>

#include "models/fast_forest.h"
#include "models/forest.h"

namespace podium {
namespace {

constexpr std::size_t kFewDocuments = 8;  // for which walking down the trees is as fast

bool transforms(Transform transform) {
  transform.features.clear();  // data comes with the model's features
  return !transform.is_identity();
}

}  // namespace

CompiledModel::CompiledModel(SavedModel saved)
    : saved_(std::move(saved)), needs_transform_(transforms(saved_.normalization)) {
  if (const auto* forest = std::get_if<Forest>(&saved_.model))
    trees_ =
        std::make_unique<const FastForest>(forest->trees, forest->base.size(), forest->features);
}
CompiledModel::~CompiledModel() = default;
CompiledModel::CompiledModel(CompiledModel&&) noexcept = default;
CompiledModel& CompiledModel::operator=(CompiledModel&&) noexcept = default;

std::vector<double> CompiledModel::score(const Dataset& data) const {
  ThreadPool pool(1);
  if (needs_transform_) {
    const auto comm = make_local_communicator();
    Observer silent;
    Context context{1, pool, *comm, silent};
    return podium::score(saved_, data, context);
  }
  if (!trees_ || data.documents() < kFewDocuments) return podium::score(saved_.model, data, pool);
  const Forest& forest = std::get<Forest>(saved_.model);
  std::vector<double> outputs = first_outputs(forest, data, pool);
  trees_->add_to(outputs, data, pool);
  if (forest.link.kind == Link::Kind::identity) return outputs;
  const std::size_t width = forest.base.size();
  std::vector<double> scores(data.documents());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = forest.link(std::span(outputs).subspan(i * width, width));
  return scores;
}

}  // namespace podium
