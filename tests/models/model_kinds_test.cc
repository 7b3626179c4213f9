// Properties of a model's kind agree with the model file.
#include "models/model_kinds.h"

#include <nlohmann/json.hpp>
#include <tuple>

#include <gtest/gtest.h>

namespace podium::model_kinds_test {
namespace {

const Error kOther(ErrorCode::usage, "another kind");

Forest two_trees() {
  Forest forest;
  forest.features = 1;
  Tree leaf;
  leaf.values = {1};
  leaf.leaf_documents = {1};
  forest.trees = {leaf, leaf};
  return forest;
}

Mlp one_layer() {
  Mlp mlp;
  mlp.mean = {0};
  mlp.scale = {1};
  mlp.layers = {{{{2}}, {0}}};
  return mlp;
}

Blend two_members() {
  BlendMember linear, trees;
  linear.saved.features = trees.saved.features = {"f"};
  linear.saved.model = Linear{{1}, 0};
  trees.weight = 0.25;
  trees.scale = 4;
  trees.saved.model = two_trees();
  trees.saved.missing = "split";
  return {{"f"}, {linear, trees}};
}

// One of each kind.
const std::tuple<Linear, Forest, Mlp, Blend> kKinds = {Linear{{1}, 0}, two_trees(), one_layer(),
                                                       two_members()};
static_assert(std::tuple_size_v<decltype(kKinds)> == std::variant_size_v<Model>);

template <class Check>
void for_each_kind(Check&& check) {
  std::apply([&](const auto&... kinds) { (check(kinds), ...); }, kKinds);
}

TEST(ModelKinds, AreNamedAsInTheModelFileAndReadBack) {
  for_each_kind([]<class Kind>(const Kind& kind) {
    SavedModel saved;
    saved.features = {"f"};
    saved.model = kind;
    const std::string text = to_json(saved);
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["model"]["type"], kind_name(saved.model));
    EXPECT_EQ(kind_name(saved.model), kind_name(std::type_identity<Kind>()));
    const SavedModel back = model_from_json(text, "m.json");
    EXPECT_EQ(back.model.index(), saved.model.index());
    EXPECT_EQ(to_json(back), text);
  });
}

TEST(ModelKinds, OnlyForestsHaveTrees) {
  EXPECT_EQ(tree_count(std::get<Forest>(kKinds)), 2U);
  EXPECT_EQ(tree_count(std::get<Linear>(kKinds)), std::nullopt);
  EXPECT_EQ(tree_count(std::get<Mlp>(kKinds)), std::nullopt);
  EXPECT_EQ(tree_count(std::get<Blend>(kKinds)), 2U);  // its members'
}

TEST(ModelKinds, RequiringAKindReturnsItOrThrows) {
  for_each_kind([]<class Kind>(const Kind& kind) {
    const Model model = kind;
    if (std::is_same_v<Kind, Linear>)
      EXPECT_EQ(&require_linear(model, kOther), std::get_if<Linear>(&model));
    else
      EXPECT_THROW(require_linear(model, kOther), Error);
    if (std::is_same_v<Kind, Forest>)
      EXPECT_EQ(&require_forest(model, kOther), std::get_if<Forest>(&model));
    else
      EXPECT_THROW(require_forest(model, kOther), Error);
  });
}

}  // namespace
}  // namespace podium::model_kinds_test
