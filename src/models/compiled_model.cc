#include "podium/compiled_model.h"

#include <algorithm>
#include <utility>

#include "core/overloaded.h"
#include "models/blend/blend.h"
#include "models/forest/device/resident_forest.h"
#include "models/forest/fast_forest.h"
#include "models/forest/forest.h"
#include "models/linear/linear.h"
#include "models/mlp/mlp.h"
#include "models/model_kinds.h"

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

std::vector<double> score_compiled(const FastForest& trees, ResidentForest* resident,
                                   const Forest& forest, const Dataset& data, ThreadPool& pool) {
  std::vector<double> outputs = first_outputs(forest, data, pool);
  if (resident && data.documents() >= CompiledModel::kFewestOnDevice)
    resident->add_to(outputs, data);
  else
    trees.add_to(outputs, data, pool);
  if (forest.link.kind == Link::Kind::identity) return outputs;
  const std::size_t width = forest.base.size();
  std::vector<double> scores(data.documents());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = forest.link(std::span(outputs).subspan(i * width, width));
  return scores;
}

}  // namespace

// A member of a blend, compiled, and where the blend has its features; empty: in the same order.
struct CompiledModel::Member {
  double factor;
  std::vector<std::size_t> columns;
  CompiledModel model;
};

CompiledModel::CompiledModel(SavedModel saved, const Device& device)
    : saved_(std::move(saved)), needs_transform_(transforms(saved_)) {
  for (BlendMember& member : members_of(saved_.model)) {
    const double factor = member.factor();
    std::vector<std::size_t> columns = member_columns(saved_.features, member.saved.features);
    members_.push_back(
        {factor, std::move(columns), CompiledModel(std::move(member.saved), device)});
  }
  using Trees = std::unique_ptr<const FastForest>;
  trees_ = std::visit(
      Overloaded{[](const Linear&) { return Trees(); },
                 [&](const Forest& forest) {
                   if (device.kind != Device::Kind::cpu && !needs_transform_)
                     resident_ = std::make_unique<ResidentForest>(forest, open_device(device));
                   return std::make_unique<const FastForest>(forest.trees, forest.base.size(),
                                                             forest.features);
                 },
                 [](const Mlp&) { return Trees(); }, [](const Blend&) { return Trees(); }},
      saved_.model);
}
CompiledModel::~CompiledModel() = default;
CompiledModel::CompiledModel(CompiledModel&&) noexcept = default;
CompiledModel& CompiledModel::operator=(CompiledModel&&) noexcept = default;

bool CompiledModel::uses_device() const noexcept {
  return resident_ || std::ranges::any_of(members_, [](const Member& member) {
           return member.model.uses_device();
         });
}

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
                              : score_compiled(*trees_, resident_.get(), forest, data, pool);
                 },
                 [&](const Mlp& mlp) { return podium::score(mlp, data, pool); },
                 [&](const Blend&) {
                   std::vector<double> sum(data.documents());
                   for (const Member& member : members_)
                     add_scaled(member.factor,
                                member.model.score(with_columns(data, member.columns,
                                                                member.model.saved().features)),
                                sum);
                   return sum;
                 }},
      saved_.model);
}

}  // namespace podium
