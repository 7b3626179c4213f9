#include "models/model_kinds.h"

#include <algorithm>

#include "core/overloaded.h"

namespace podium {

std::string_view kind_name(const Model& model) {
  return std::visit([]<class Kind>(const Kind&) { return kind_name(std::type_identity<Kind>()); },
                    model);
}

std::optional<std::size_t> tree_count(const Model& model) {
  using Count = std::optional<std::size_t>;
  return std::visit(Overloaded{[](const Linear&) { return Count(); },
                               [](const Forest& forest) { return Count(forest.trees.size()); },
                               [](const Mlp&) { return Count(); },
                               [](const Blend& blend) {
                                 Count sum;
                                 for (const BlendMember& member : blend.members)
                                   if (const Count trees = tree_count(member.saved.model))
                                     sum = sum.value_or(0) + *trees;
                                 return sum;
                               }},
                    model);
}

const Linear& require_linear(const Model& model, const Error& otherwise) {
  return std::visit(Overloaded{[](const Linear& linear) -> const Linear& { return linear; },
                               [&](const Forest&) -> const Linear& { throw otherwise; },
                               [&](const Mlp&) -> const Linear& { throw otherwise; },
                               [&](const Blend&) -> const Linear& { throw otherwise; }},
                    model);
}

const Forest& require_forest(const Model& model, const Error& otherwise) {
  return std::visit(Overloaded{[&](const Linear&) -> const Forest& { throw otherwise; },
                               [](const Forest& forest) -> const Forest& { return forest; },
                               [&](const Mlp&) -> const Forest& { throw otherwise; },
                               [&](const Blend&) -> const Forest& { throw otherwise; }},
                    model);
}

std::vector<BlendMember> members_of(const Model& model) {
  using Members = std::vector<BlendMember>;
  return std::visit(
      Overloaded{[](const Linear&) { return Members(); }, [](const Forest&) { return Members(); },
                 [](const Mlp&) { return Members(); },
                 [](const Blend& blend) { return blend.members; }},
      model);
}

}  // namespace podium
