// CatBoost's model in JSON, `save_model(format="json")`: oblivious trees, in which all nodes of a
// level have the same split, and plain ones. A document goes right where x > border, a float32;
// leaves and their sum are double precision. Leaf i of an oblivious tree is where split k holds for
// the bits k of i.
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "models/importers/imported_tree.h"
#include "models/importers/importer.h"
#include "models/importers/json_part.h"

namespace podium {
namespace {

constexpr std::size_t kDeepestCatBoostTree = 1000;

struct CatBoostFeature {
  std::int64_t place;              // in a document
  ImportedSplit::Missing missing;  // `yes` is where the border is not exceeded
};

struct CatBoostFeatures {
  std::vector<CatBoostFeature> of;  // by float_feature_index
  std::vector<std::string> names;
  bool have_names = false;
};

// "AsIs": the training data had no missing values, and CatBoost refuses them.
ImportedSplit::Missing catboost_missing(const JsonPart& treatment) {
  if (treatment.text() == "AsTrue") return ImportedSplit::Missing::no;
  if (treatment.text() == "AsFalse" || treatment.text() == "AsIs")
    return ImportedSplit::Missing::yes;
  treatment.fail("is none of AsIs, AsFalse and AsTrue");
}

CatBoostFeatures read_catboost_features(const JsonPart& info, const ImportOptions& options) {
  for (const char* kind : {"categorical_features", "text_features", "embedding_features"})
    if (info.has(kind) && !info.at(kind).items().empty())
      info.at(kind).fail("has entries, and Podium's trees support only numerical features");
  CatBoostFeatures out;
  std::vector<std::string> given;
  std::int64_t last = -1;
  for (const JsonPart& feature : info.at("float_features").items()) {
    const JsonPart index = feature.at("feature_index"), flat = feature.at("flat_feature_index");
    if (index.whole() != static_cast<std::int64_t>(out.of.size()) || flat.whole() <= last)
      feature.fail("is out of order");
    last = flat.whole();
    out.of.push_back({last, catboost_missing(feature.at("nan_value_treatment"))});
    const std::string name = feature.has("feature_id") ? feature.at("feature_id").text() : "";
    // CatBoost's own names are the numbers from 0 on.
    given.push_back(name == std::to_string(last) ? "" : name);
    out.have_names = out.have_names || !given.back().empty();
  }
  out.names = numbered_features(static_cast<std::uint64_t>(last + 1),
                                out.have_names ? 0 : options.first_feature, info.file());
  for (std::size_t f = 0; f < given.size(); ++f)
    if (!given[f].empty()) out.names[static_cast<std::size_t>(out.of[f].place)] = given[f];
  return out;
}

ImportedNode catboost_split(const JsonPart& split, const CatBoostFeatures& features,
                            std::size_t left, std::size_t right) {
  if (split.has("split_type") && split.at("split_type").text() != "FloatFeature")
    split.at("split_type")
        .fail("is not FloatFeature: Podium's trees do not support categorical splits");
  const JsonPart index = split.at("float_feature_index");
  const std::int64_t feature = index.whole();
  if (feature < 0 || static_cast<std::size_t>(feature) >= features.of.size())
    index.fail("is not one of float_features");
  const CatBoostFeature& read = features.of[static_cast<std::size_t>(feature)];
  const auto border = static_cast<float>(split.at("border").number());
  return to_node({read.place, ImportedSplit::Test::at_most, static_cast<double>(border), left,
                  right, read.missing},
                 {split.file()});
}

// Node n of level k is 2ᵏ − 1 + n, with the leaf's bits from the last split down to here as n: the
// first level decides the last split.
ImportedTree oblivious_tree(const JsonPart& part, const CatBoostFeatures& features) {
  const std::vector<double> values = part.at("leaf_values").numbers();
  const std::vector<JsonPart> splits =
      part.has("splits") ? part.at("splits").items() : std::vector<JsonPart>();
  const std::size_t depth = splits.size();
  if (!std::has_single_bit(values.size()) ||
      static_cast<std::size_t>(std::countr_zero(values.size())) != depth)
    part.at("leaf_values")
        .fail(fmt::format("has {} numbers for {} splits: one output needs 2 to the power of them",
                          values.size(), depth));
  std::vector<double> weights =
      part.has("leaf_weights") ? part.at("leaf_weights").numbers() : std::vector<double>();
  if (weights.size() != values.size()) weights.assign(values.size(), 0);
  ImportedTree tree;
  for (std::size_t level = 0; level < depth; ++level)
    for (std::size_t n = 0; n < std::size_t{1} << level; ++n) {
      const std::size_t below = (std::size_t{2} << level) - 1 + 2 * n;
      tree.push_back(catboost_split(splits[depth - 1 - level], features, below, below + 1));
    }
  for (std::size_t leaf = 0; leaf < values.size(); ++leaf) {
    ImportedNode& node = tree.emplace_back();
    node.value = values[leaf];
    node.weight = weights[leaf];
  }
  for (std::size_t n = values.size() - 1; n-- > 0;)
    tree[n].weight = tree[tree[n].left].weight + tree[tree[n].right].weight;
  return tree;
}

std::size_t append_catboost_node(const JsonPart& part, const CatBoostFeatures& features,
                                 std::size_t depth, ImportedTree& tree) {
  if (depth > kDeepestCatBoostTree)
    part.fail(fmt::format("is deeper than {} splits", kDeepestCatBoostTree));
  const std::size_t place = tree.size();
  tree.emplace_back();
  if (!part.has("split")) {
    if (part.at("value").is_array())
      part.at("value").fail("is an array: the model has several outputs, and Podium's have one");
    tree[place].value = part.at("value").number();
    if (part.has("weight")) tree[place].weight = part.at("weight").number();
    return place;
  }
  const std::size_t left = append_catboost_node(part.at("left"), features, depth + 1, tree);
  const std::size_t right = append_catboost_node(part.at("right"), features, depth + 1, tree);
  const double weight = tree[left].weight + tree[right].weight;
  tree[place] = catboost_split(part.at("split"), features, left, right);
  tree[place].weight = weight;
  return place;
}

struct ScaleAndBias {
  double scale = 1, bias = 0;
};

ScaleAndBias read_scale(const JsonPart& top) {
  if (!top.has("scale_and_bias")) return {};
  const JsonPart part = top.at("scale_and_bias");
  const std::vector<JsonPart> pair = part.items();
  if (pair.size() != 2) part.fail("is not a pair");
  if (!pair[1].is_array()) return {pair[0].number(), pair[1].number()};  // CatBoost before 1.0
  const std::vector<double> bias = pair[1].numbers();
  if (bias.size() > 1) pair[1].fail("has several numbers: the model has several outputs");
  return {pair[0].number(), bias.empty() ? 0 : bias[0]};
}

}  // namespace

ImportedModel import_catboost(std::string_view content, const std::string& file,
                              const ImportOptions& options) {
  const nlohmann::json json = parse_import(content, file, "a CatBoost");
  const JsonPart top(json, file);
  if (top.has("ctr_data")) top.at("ctr_data").fail("is there: the model has categorical features");
  const CatBoostFeatures features = read_catboost_features(top.at("features_info"), options);
  const ScaleAndBias scale = read_scale(top);
  std::vector<ImportedTree> trees;
  if (top.has("oblivious_trees"))
    for (const JsonPart& tree : top.at("oblivious_trees").items())
      trees.push_back(oblivious_tree(tree, features));
  else
    for (const JsonPart& tree : top.at("trees").items())
      append_catboost_node(tree, features, 0, trees.emplace_back());
  ImportedModel out;
  Forest forest = forest_of(trees, features.names.size(), scale.scale, file);
  forest.base = {scale.bias};
  out.model.features = features.names;
  if (!features.have_names)
    out.notes.push_back(fmt::format(
        "CatBoost's feature 0 is taken as feature {}; use ‹first-feature {}› if that is wrong",
        options.first_feature, options.first_feature == 0 ? 1 : 0));
  out.model.missing = "split";
  out.model.model = std::move(forest);
  return out;
}

}  // namespace podium
