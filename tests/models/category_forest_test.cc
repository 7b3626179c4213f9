// Forests with category splits: all ways of scoring, files, explanations, texts and exports.
#include <cmath>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/explain/tree_shap.h"
#include "models/export_checks.h"
#include "models/forest/forest.h"
#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::category_forest_test {
namespace {

using testing::Bench;
using testing::Gaps;
using ::testing::HasSubstr;

constexpr std::size_t kInputs = 5, kCodes = 40;
constexpr std::uint32_t kCategory = 2;

struct Case {
  SavedModel model;
  Dataset data;
};

Case random_case(std::uint64_t seed, std::size_t trees = 40, std::size_t leaves = 40,
                 const Link& link = {}) {
  Random random(seed);
  Forest forest = testing::random_forest(trees, leaves, kInputs, link, random);
  testing::make_category(forest, kCategory, kCodes, random);
  DatasetParts parts = testing::with_codes(testing::finite_data(200, kInputs, Gaps::some, random),
                                           kCategory, kCodes + 5, random)
                           .parts();
  SavedModel model = testing::saved_model(std::move(forest));
  model.schema = FeatureSchema({{kCategory, testing::category_values(kCodes)}});
  model.missing = "split";
  parts.feature_names = model.features;
  // The data knows five more values than the model.
  parts.schema = FeatureSchema({{kCategory, testing::category_values(kCodes + 5)}});
  return {std::move(model), Dataset(std::move(parts))};
}

const Forest& forest_of(const SavedModel& model) {
  return std::get<Forest>(model.model);
}

TEST(CategoryForest, AllWaysOfScoringGiveTheSameBits) {
  const Link links[] = {{}, {Link::Kind::softmax, {0, 1, 2}}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    // Large trees are walked, many of them are several parts.
    const Case one =
        random_case(seed, seed % 3 == 0 ? 300 : 20, seed % 2 ? 1200 : 30, links[seed % 4 == 3]);
    Bench bench(1 + static_cast<int>(seed % 3));
    const Dataset inputs = prepare_inputs(one.model, one.data, bench.context);
    const Forest& forest = forest_of(one.model);
    const std::vector<double> expected = score_plainly(forest, inputs, bench.pool);
    EXPECT_EQ(score(forest, inputs, bench.context), expected) << seed;
    EXPECT_EQ(score(one.model, one.data, bench.context), expected);
    EXPECT_EQ(CompiledModel(one.model).score(one.data), expected);
    DatasetParts parts = inputs.parts();
    parts.schema = one.model.schema;  // shared: no matching
    EXPECT_EQ(CompiledModel(one.model).score(Dataset(std::move(parts))), expected);
    for (const float absent : {0.0F, std::nanf("")})
      EXPECT_EQ(score(forest, testing::to_sparse_rows(inputs, absent), bench.context), expected);
  }
}

TEST(CategoryForest, CodesDecide) {
  Tree tree;
  tree.nodes = {{0, 0, Tree::Node::Missing::right, ~0, ~1, 1, 10}};
  tree.values = {1, 2};
  tree.leaf_documents = {5, 5};
  tree.categories = {{3, 7, 40}};
  for (const float left : {3.0F, 7.0F, 40.0F}) EXPECT_EQ(tree.child(0, left), ~0) << left;
  for (const float right : {0.0F, 4.0F, 41.0F, -3.0F, 1e30F, -1e30F, std::nanf("")})
    EXPECT_EQ(tree.child(0, right), ~1) << right;
  tree.nodes[0].missing = Tree::Node::Missing::left;
  EXPECT_EQ(tree.child(0, std::nanf("")), ~0);
  EXPECT_EQ(tree.child(0, 4), ~1);
}

TEST(CategoryForest, FilesKeepTheSets) {
  const Case one = random_case(3);
  const std::string json = to_json(one.model);
  EXPECT_NE(json.find("\"version\": 2"), json.npos);
  const SavedModel back = model_from_json(json, "m.json");
  EXPECT_EQ(to_json(back), json);
  Bench bench;
  EXPECT_EQ(score(back, one.data, bench.context), score(one.model, one.data, bench.context));
}

// Why the model is refused if member `key` of its first tree (or of the file) is this JSON.
std::string message_of(const SavedModel& model, const std::string& key, const std::string& value) {
  auto json = nlohmann::ordered_json::parse(to_json(model));
  (key == "version" ? json : json["model"]["trees"][0])[key] = nlohmann::ordered_json::parse(value);
  try {
    model_from_json(json.dump(), "m.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CategoryForest, WrongSetsAreRefused) {
  SavedModel model = random_case(1).model;
  Forest forest;
  forest.features = kInputs;
  Tree tree;
  tree.nodes = {{kCategory, 0, Tree::Node::Missing::right, 1, ~1, 1, 10},
                {1, 0.5F, Tree::Node::Missing::right, ~0, ~2, 1, 5}};
  tree.values = {1, 2, 3};
  tree.leaf_documents = {5, 5, 5};
  tree.categories = {{3, 7}, {}};
  forest.trees = {tree};
  model.model = forest;
  const auto sets = [&](const char* other) { return message_of(model, "categories", other); };
  const auto nodes = [&](const char* other) { return message_of(model, "category_nodes", other); };
  EXPECT_EQ(sets("[[3,7]]"), "");
  EXPECT_THAT(sets("[[7,3]]"), HasSubstr("m.json: not a Podium model: "));
  EXPECT_THAT(sets("[[7,3]]"), HasSubstr("not ascending"));
  EXPECT_THAT(sets("[[3,3]]"), HasSubstr("not ascending"));
  EXPECT_THAT(sets("[[3],[7]]"), HasSubstr("2 sets for 1 nodes"));
  EXPECT_THAT(sets("[[]]"), HasSubstr("empty set"));
  EXPECT_THAT(sets("[[3,40]]"),
              HasSubstr("has the category 40 at node 0, but its feature has 40 values"));
  EXPECT_THAT(sets("[[3,99999999999]]"), HasSubstr("too large"));
  EXPECT_THAT(sets("[[3,-7]]"), HasSubstr("not a whole number"));
  EXPECT_THAT(sets("[3]"), HasSubstr("array of arrays"));
  EXPECT_THAT(nodes("[2]"), HasSubstr("not a list of ascending nodes"));
  EXPECT_THAT(nodes("[1]"), HasSubstr("threshold at node 0, whose feature is a category"));
  EXPECT_THAT(message_of(model, "feature", "[1,1]"),
              HasSubstr("set of categories at node 0, whose feature is a number"));
  EXPECT_THAT(message_of(model, "version", "3"), HasSubstr("newer version"));
}

TEST(CategoryForest, ShapleyValuesAddUp) {
  const Case one = random_case(5, 10, 12);
  Bench bench;
  const Dataset inputs = prepare_inputs(one.model, one.data, bench.context);
  for (const Tree& tree : forest_of(one.model).trees) {
    const TreeShap shap(tree);
    for (std::size_t d = 0; d < 20; ++d) {
      const float* const x = inputs.rows(d, d + 1).dense(0).data();
      std::vector<double> found(kInputs);
      shap.add(x, 1, found);
      double sum = shap.expected();
      for (const double part : found) sum += part;
      EXPECT_NEAR(sum, tree.values[find_leaf(tree, x)], 1e-12);
    }
  }
}

TEST(CategoryForest, IsReadableAsText) {
  Forest forest;
  forest.features = 1;
  Tree tree;
  tree.nodes = {{0, 0, Tree::Node::Missing::right, ~0, ~1, 1, 10}};
  tree.values = {1, 2};
  tree.leaf_documents = {4, 6};
  tree.categories = {{0, 2}};
  forest.trees = {tree};
  const FeatureSchema schema({{0, make_strings(std::vector<std::string>{"acme", "beta", "zeta"})}});
  const std::string text = dump(forest, std::vector<std::string>{"brand"}, schema);
  EXPECT_THAT(text, HasSubstr("brand in {acme, zeta}, missing right"));
}

TEST(CategoryForest, ExportsHold) {
  for (const char* format : {"lightgbm", "xgboost-json", "xgboost-ubj", "onnx", "cpp"}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Case one = random_case(seed, 12, 20);
      Forest forest = forest_of(one.model);
      for (Tree& tree : forest.trees)
        for (std::size_t n = 0; n < tree.nodes.size(); ++n)
          if (tree.tests_category(n)) tree.nodes[n].missing = Tree::Node::Missing::right;
      one.model.model = forest;
      testing::expect_holds(one.model, format, one.data);
    }
  }
}

TEST(CategoryForest, ExportsAndImportsAreInverse) {
  for (const char* format : {"lightgbm", "xgboost-json", "xgboost-ubj"}) {
    Case one = random_case(7, 12, 20);
    Forest forest = testing::without_tiny(forest_of(one.model));
    for (Tree& tree : forest.trees)
      for (std::size_t n = 0; n < tree.nodes.size(); ++n)
        if (tree.tests_category(n)) tree.nodes[n].missing = Tree::Node::Missing::right;
    one.model.model = forest;
    // Whole numbers are values in all formats.
    std::vector<std::string> numbers;
    for (std::size_t v = 0; v < kCodes; ++v) numbers.push_back(std::to_string(3 * v));
    one.model.schema = FeatureSchema({{kCategory, make_strings(numbers)}});
    for (std::size_t v = 0; v < 5; ++v) numbers.push_back(std::to_string(1000 + v));
    DatasetParts parts = testing::without_tiny(one.data).parts();
    parts.schema = FeatureSchema({{kCategory, make_strings(numbers)}});
    const Dataset data(std::move(parts));
    const ExportedModel exported = export_model(one.model, format, {});
    ImportedModel back = import_model(
        exported.content, "m", std::string(format).substr(0, std::string(format).find('-')), {});
    back.model.features = one.model.features;
    Bench bench;
    const auto expected = score(one.model, data, bench.context),
               found = score(back.model, data, bench.context);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found[i], expected[i] + exported.shift, 1e-5) << format;
  }
}

// A case whose missing values go right at category splits, as trained forests have it.
Case trained_case(std::uint64_t seed) {
  Case one = random_case(seed, 12, 20);
  Forest forest = forest_of(one.model);
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.nodes.size(); ++n)
      if (tree.tests_category(n)) tree.nodes[n].missing = Tree::Node::Missing::right;
  one.model.model = testing::without_tiny(forest);
  return one;
}

// The values from `first` on, as many as the forests have codes.
FeatureSchema values_from(std::size_t first) {
  const Strings all = testing::category_values(kCodes + first);
  std::vector<std::string> values;
  for (std::size_t v = first; v < all.size(); ++v) values.emplace_back(all[v]);
  return FeatureSchema({{kCategory, make_strings(values)}});
}

// Members know different values, in different codes.
TEST(CategoryForest, BlendsAreExportedWithTheValuesOfAllMembers) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Case one = trained_case(seed);
    Case two = trained_case(seed + 100);
    two.model.schema = values_from(3);
    const SavedModel forests = make_blend({{0.75, 2, one.model}, {0.25, 1, two.model}});
    for (const char* format : {"lightgbm", "xgboost-json", "xgboost-ubj", "onnx", "cpp"})
      testing::expect_holds(forests, format, one.data);
    const SavedModel linear =
        testing::saved_model(Linear{{1, 2}, 0.5}, {one.model.features[0], one.model.features[1]});
    const SavedModel mixed =
        make_blend({{0.75, 2, one.model}, {0.25, 1, linear}, {1, 1, two.model}});
    for (const char* format : {"onnx", "cpp"}) testing::expect_holds(mixed, format, one.data);
    EXPECT_THAT(testing::refusal(mixed, "lightgbm"),
                HasSubstr("different kinds (forest, linear); onnx and cpp have"));
  }
}

TEST(CategoryForest, BlendsNameFirstWhatNoFormatSupports) {
  const Case one = trained_case(1);
  SavedModel encoded = testing::saved_model(Linear{{1, 2}, 0}, {"a", "b"});
  encoded.normalization.imputation = Imputation::query_min;
  const SavedModel blend = make_blend({{1, 1, one.model}, {1, 1, encoded}});
  for (const char* format : {"lightgbm", "onnx", "cpp"})
    EXPECT_THAT(testing::refusal(blend, format), HasSubstr("which no format supports"));
}

TEST(CategoryForest, OtherFormatsRefuseIt) {
  const SavedModel model = random_case(2).model;
  for (const char* format : {"xgboost", "ranklib", "elasticsearch", "solr", "vespa"})
    EXPECT_EQ(testing::refusal(model, format),
              std::string("cannot export to ") + format +
                  ": its feature '3' is a category; lightgbm, xgboost-json, xgboost-ubj, onnx "
                  "and cpp support categories");
}

// A category of the data that the trees do not need.
TEST(CategoryForest, CategoriesThatNoSplitUsesAreNumbersElsewhere) {
  Random random(3);
  SavedModel model = testing::saved_model(testing::random_forest(5, 8, kInputs, {}, random));
  Forest forest = forest_of(model);
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) {
      if (node.feature == kCategory) node.feature = kCategory + 1;
      node.missing = Tree::Node::Missing::left;
      node.threshold = std::abs(node.threshold);
    }
  model.model = forest;
  model.schema = FeatureSchema({{kCategory, testing::category_values(kCodes)}});
  for (const char* format : {"elasticsearch", "vespa", "xgboost"}) {
    const ExportedModel exported = export_model(model, format, {});
    EXPECT_THAT(exported.notes, ::testing::Contains(HasSubstr("'3' is a category that no split")));
  }
}

}  // namespace
}  // namespace podium::category_forest_test
