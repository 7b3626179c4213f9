#include "models/exporters/added_models.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "models/blend/blend.h"

namespace podium {
namespace {

using Columns = std::vector<std::size_t>;
enum class SumKind { forest, linear, neither };

// For each feature and code of the blend, the member's code; NaN if the member lacks the value.
// Empty for numbers.
std::vector<std::vector<float>> codes_of_member(const FeatureSchema& member,
                                                const FeatureSchema& blend,
                                                const Columns& columns) {
  std::vector<std::vector<float>> out(columns.size());
  for (const auto& category : member.categories())
    if (const Strings* const all = blend.values(columns[category.feature]))
      out[category.feature] = code_map(*all, category.values);
  return out;
}

// Splits on the blend's codes. A value that the member does not know goes where its missing values
// go.
void use_codes_of_blend(Forest& forest, const std::vector<std::vector<float>>& member_codes) {
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.categories.size(); ++n) {
      if (!tree.tests_category(n)) continue;
      const std::vector<std::uint32_t> own = std::move(tree.categories[n]);
      tree.categories[n].clear();
      const std::vector<float>& codes = member_codes[tree.nodes[n].feature];
      for (std::uint32_t code = 0; code < codes.size(); ++code) {
        const bool left = std::isnan(codes[code])
                              ? tree.nodes[n].missing == Tree::Node::Missing::left
                              : std::binary_search(own.begin(), own.end(),
                                                   static_cast<std::uint32_t>(codes[code]));
        if (left) tree.categories[n].push_back(code);
      }
    }
}

// Each moves a model from its own features to `count` features.
Model moved(Forest forest, const Columns& columns, std::size_t count) {
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes)
      node.feature = static_cast<std::uint32_t>(columns[node.feature]);
  if (forest.offset_feature)
    forest.offset_feature = static_cast<std::uint32_t>(columns[*forest.offset_feature]);
  forest.features = count;
  return forest;
}
Model moved(const Linear& linear, const Columns& columns, std::size_t count) {
  Linear out{std::vector<double>(count), linear.bias};
  for (std::size_t f = 0; f < columns.size(); ++f) out.weights[columns[f]] = linear.weights[f];
  return out;
}
// A scale of 0 turns the inputs of others into 0.
Model moved(Mlp mlp, const Columns& columns, std::size_t count) {
  const auto spread = [&](std::vector<float>& numbers) {
    std::vector<float> out(count);
    for (std::size_t f = 0; f < columns.size(); ++f) out[columns[f]] = numbers[f];
    numbers = std::move(out);
  };
  spread(mlp.mean);
  spread(mlp.scale);
  for (std::vector<float>& row : mlp.layers.front().weights) spread(row);
  return mlp;
}
Model moved(Blend blend, const Columns&, std::size_t) {
  return blend;  // unreachable: members are not blends
}

bool is_plain_sum(const Forest& forest) {
  return forest.link.kind == Link::Kind::identity && !forest.offset_feature;
}
SumKind sum_kind(const Model& model) {
  return std::visit(Overloaded{[](const Forest& f) {
                                 return is_plain_sum(f) ? SumKind::forest : SumKind::neither;
                               },
                               [](const Linear&) { return SumKind::linear; },
                               [](const Mlp&) { return SumKind::neither; },
                               [](const Blend&) { return SumKind::neither; }},
                    model);
}

void add_model_to(Forest& sum, double factor, const Forest& forest) {
  sum.base[0] += factor * forest.base[0];
  for (Tree tree : forest.trees) {
    for (double& value : tree.values) value *= factor;
    sum.trees.push_back(std::move(tree));
  }
}
void add_model_to(Linear& sum, double factor, const Linear& linear) {
  sum.bias += factor * linear.bias;
  for (std::size_t f = 0; f < sum.weights.size(); ++f) sum.weights[f] += factor * linear.weights[f];
}

// Of members that are all of this kind.
template <class Kind>
Model sum_of(Kind sum, const std::vector<MemberSum>& members) {
  for (const MemberSum& member : members)
    add_model_to(sum, member.factor, std::get<Kind>(member.model.model));
  return sum;
}

bool have_one_kind(const std::vector<MemberSum>& members) {
  return std::all_of(members.begin(), members.end(), [&](const MemberSum& member) {
    return sum_kind(member.model.model) == sum_kind(members[0].model.model) &&
           member.model.inputs == members[0].model.inputs;
  });
}

}  // namespace

PortableModel added_up(PortableModel blend, const std::vector<MemberSum>& given) {
  const std::size_t count = blend.features.size();
  std::vector<MemberSum> members = given;
  for (MemberSum& member : members) {
    const Columns columns = find_columns(blend.features, member.model.features);
    std::visit(Overloaded{[&](Forest& forest) {
                            use_codes_of_blend(forest, codes_of_member(member.model.schema,
                                                                       blend.schema, columns));
                          },
                          [](const Linear&) {}, [](const Mlp&) {}, [](const Blend&) {}},
               member.model.model);
    member.model.schema = blend.schema;
    member.model.model = std::visit([&](const auto& kind) { return moved(kind, columns, count); },
                                    member.model.model);
    member.model.features = blend.features;
  }
  const SumKind kind = have_one_kind(members) ? sum_kind(members[0].model.model) : SumKind::neither;
  if (kind == SumKind::forest) {
    Forest empty;
    empty.features = count;
    blend.model = sum_of(std::move(empty), members);
  } else if (kind == SumKind::linear) {
    blend.model = sum_of(Linear{std::vector<double>(count), 0}, members);
    blend.inputs = members[0].model.inputs;
  } else {
    Blend sum{blend.features, {}};
    for (const MemberSum& member : members)
      sum.members.push_back({member.factor, 1, as_saved(member.model)});
    blend.model = std::move(sum);
  }
  return blend;
}

PortableModel member_model(const BlendMember& member) {
  const SavedModel& saved = member.saved;
  return {saved.learner, saved.features, saved.model,
          saved.normalization.log1p ? PortableModel::Inputs::log1p : PortableModel::Inputs::plain};
}

}  // namespace podium
