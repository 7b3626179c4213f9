// Models of XGBoost, CatBoost and ONNX: what is read, and what is refused. tests/golden has files
// that the tools wrote, with their scores.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/export_support.h"
#include "models/forest/forest.h"
#include "models/importers/imported_tree.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::import_trees_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Missing = Tree::Node::Missing;

constexpr float kLargest = std::numeric_limits<float>::max();

// As XGBoost 3.2 writes it, without what is not read.
constexpr const char* kXgboost = R"({"learner":{"attributes":{},"feature_names":[],
"gradient_booster":{"model":{"tree_info":[0],"trees":[
{"tree_param":{"size_leaf_vector":"1"},"split_type":[0,0,0,0,0],"categories_nodes":[],
 "left_children":[1,-1,3,-1,-1],"right_children":[2,-1,4,-1,-1],"split_indices":[2,0,0,0,0],
 "default_left":[1,0,0,0,0],"split_conditions":[0.5,-1,0,2,3],
 "loss_changes":[7,0,5,0,0],"sum_hessian":[10,4,6,1,5]}]},"name":"gbtree"},
"learner_model_param":{"base_score":"[2.5E-1]","num_class":"0","num_feature":"3","num_target":"1"},
"objective":{"name":"rank:ndcg"}},"version":[3,2,0]})";

constexpr const char* kCatBoost = R"({"features_info":{"float_features":[
{"feature_id":"","feature_index":0,"flat_feature_index":0,"nan_value_treatment":"AsTrue"},
{"feature_id":"","feature_index":1,"flat_feature_index":1,"nan_value_treatment":"AsFalse"}]},
"oblivious_trees":[{"leaf_values":[1,2,4,8],"leaf_weights":[3,4,5,6],"splits":[
{"border":0.5,"float_feature_index":0,"split_type":"FloatFeature"},
{"border":-0.25,"float_feature_index":1,"split_type":"FloatFeature"}]}],
"scale_and_bias":[2,[10]]})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& content, std::string_view format) {
  try {
    import_model(content, "m.bin", format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

double value_at(const SavedModel& model, std::vector<float> document) {
  testing::Bench bench;
  const std::size_t features = document.size();
  return score(model.model, testing::make_dataset({1}, features, std::move(document), {0}),
               bench.context)[0];
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ImportTrees, SplitsKeepTheBranchOfEveryFloat) {
  using Test = ImportedSplit::Test;
  const float values[] = {-kLargest, -1, -1e-45F, -0.0F, 0.0F, 1e-45F, 0.1F, 1, kLargest};
  std::vector<double> limits = {-HUGE_VAL, HUGE_VAL, 0.1, 0.1000000000000001};
  limits.insert(limits.end(), std::begin(values), std::end(values));
  for (const Test test : {Test::at_most, Test::below})
    for (const double limit : limits)
      for (const auto missing : {ImportedSplit::Missing::yes, ImportedSplit::Missing::no}) {
        const ImportedNode node = to_node({0, test, limit, 1, 2, missing}, {});
        EXPECT_TRUE(std::isfinite(node.threshold));
        for (const float x : values) {
          const double wide = static_cast<double>(x);
          const bool yes = test == Test::below ? wide < limit : wide <= limit;
          EXPECT_EQ(x <= node.threshold ? node.left : node.right, yes ? 1U : 2U)
              << x << " and " << limit;
        }
        EXPECT_EQ(node.missing == Missing::left ? node.left : node.right,
                  missing == ImportedSplit::Missing::yes ? 1U : 2U);
      }
  EXPECT_THROW(to_node({0, Test::below, NAN, 1, 2, ImportedSplit::Missing::no}, {}), Error);
}

TEST(ImportTrees, WeightsBecomeCounts) {
  ImportedTree tree(3);
  tree[0].feature = 0;
  tree[0].left = 1;
  tree[0].right = 2;
  tree[0].weight = 7, tree[1].weight = 3, tree[2].weight = 4;
  const auto counts = [&] {
    return forest_of(std::vector<ImportedTree>{tree}, 1, 1, "m").trees[0].leaf_documents;
  };
  EXPECT_THAT(counts(), ElementsAre(3, 4));
  tree[1].weight = 0.25;
  EXPECT_THAT(counts(), ElementsAre(1 << 18, 4 << 20));
  tree[1].weight = -1;
  EXPECT_THAT(counts(), ElementsAre(0, 0));
}

TEST(ImportTrees, Xgboost) {
  const ImportedModel imported = import_model(kXgboost, "m.json", "xgboost");
  EXPECT_THAT(imported.model.features, ElementsAre("1", "2", "3"));
  EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("f0, is taken as feature 1")));
  EXPECT_EQ(imported.model.loss, "rank:ndcg");
  const SavedModel& model = imported.model;
  EXPECT_EQ(value_at(model, {0, 0, 0.49F}), 0.25 - 1);
  EXPECT_EQ(value_at(model, {0, 0, 0.5F}), 0.25 + 3);  // x < condition goes left
  EXPECT_EQ(value_at(model, {-1e-45F, 0, 1}), 0.25 + 2);
  EXPECT_EQ(value_at(model, {-0.0F, 0, 1}), 0.25 + 3);
  EXPECT_EQ(value_at(model, {0, 0, kNan}), 0.25 - 1);
  EXPECT_EQ(value_at(model, {kNan, 0, 1}), 0.25 + 3);
  const Tree& tree = require_forest(model.model, Error(ErrorCode::data, "")).trees[0];
  EXPECT_THAT(tree.leaf_documents, ElementsAre(4, 1, 5));
  EXPECT_EQ(tree.nodes[0].gain, 7);
  ImportOptions from_zero;
  from_zero.first_feature = 0;
  EXPECT_THAT(import_model(kXgboost, "m", "xgboost", from_zero).model.features,
              ElementsAre("0", "1", "2"));
}

TEST(ImportTrees, XgboostNamesAndObjectives) {
  const std::string named =
      replaced(kXgboost, R"("feature_names":[])", R"("feature_names":["a","b b","c"])");
  EXPECT_THAT(import_model(named, "m", "xgboost").model.features, ElementsAre("a", "b b", "c"));
  const ImportedModel logistic =
      import_model(replaced(named, "rank:ndcg", "binary:logistic"), "m", "xgboost");
  EXPECT_NEAR(value_at(logistic.model, {0, 0, 0}), std::log(0.25 / 0.75) - 1, 1e-6);
  EXPECT_THAT(logistic.notes, ElementsAre(HasSubstr("binary:logistic predicts a function")));
  const ImportedModel poisson =
      import_model(replaced(named, "rank:ndcg", "count:poisson"), "m", "xgboost");
  EXPECT_NEAR(value_at(poisson.model, {0, 0, 0}), std::log(0.25) - 1, 1e-6);
  // Before 3.1 base_score was one number.
  const std::string old = replaced(named, "[2.5E-1]", "2.5E-1");
  EXPECT_EQ(value_at(import_model(old, "m", "xgboost").model, {0, 0, 0}), -0.75);
  const ImportedModel early =
      import_model(replaced(named, R"("attributes":{})", R"("attributes":{"best_iteration":"0"})"),
                   "m", "xgboost");
  EXPECT_THAT(early.notes, ElementsAre(HasSubstr("stopped early")));
}

TEST(ImportTrees, XgboostPrunedNodesAreLeftOut) {
  // Node 2 became a leaf; 3 and 4 remain in the file.
  const std::string pruned = replaced(replaced(kXgboost, "[1,-1,3,-1,-1]", "[1,-1,-1,-1,-1]"),
                                      "[2,-1,4,-1,-1]", "[2,-1,-1,-1,-1]");
  const ImportedModel imported = import_model(pruned, "m", "xgboost");
  EXPECT_EQ(require_forest(imported.model.model, Error(ErrorCode::data, "")).trees[0].values,
            (std::vector<double>{-1, 0}));
}

TEST(ImportTrees, XgboostLinearAndDart) {
  const std::string linear = R"({"learner":{"feature_names":[],"gradient_booster":{"model":
{"weights":[0.5,-1,2]},"name":"gblinear"},"learner_model_param":{"base_score":"1E0",
"num_feature":"2"},"objective":{"name":"reg:squarederror"}},"version":[3,2,0]})";
  EXPECT_EQ(value_at(import_model(linear, "m", "xgboost").model, {2, 1}), 3);
  EXPECT_THAT(message(replaced(linear, "[0.5,-1,2]", "[0.5,-1]"), "xgboost"),
              HasSubstr("2 numbers for 2 features and a bias"));
  std::string dart =
      replaced(kXgboost, R"("gradient_booster":{"model")",
               R"("gradient_booster":{"name":"dart","weight_drop":[0.5],"gbtree":{"model")");
  dart = replaced(dart, R"(},"name":"gbtree"})", R"(},"name":"gbtree"}})");
  EXPECT_EQ(value_at(import_model(dart, "m", "xgboost").model, {0, 0, 0}), 0.25 - 0.5);
  EXPECT_THAT(message(replaced(dart, "[0.5]", "[]"), "xgboost"),
              HasSubstr("0 numbers for 1 trees"));
}

TEST(ImportTrees, XgboostDumps) {
  const std::string dump = R"([{"nodeid":0,"depth":0,"split":"f2","split_condition":0.5,"yes":1,
"no":2,"missing":2,"gain":3,"cover":9,"children":[{"nodeid":2,"leaf":4,"cover":5},
{"nodeid":1,"leaf":-1,"cover":4}]}])";
  const ImportedModel imported = import_model(dump, "m", "xgboost");
  EXPECT_THAT(imported.model.features, ElementsAre("1", "2", "3"));
  EXPECT_THAT(imported.notes, ::testing::Contains(HasSubstr("no base_score")));
  EXPECT_EQ(value_at(imported.model, {0, 0, 0.4F}), -1);
  EXPECT_EQ(value_at(imported.model, {0, 0, 0.5F}), 4);
  EXPECT_EQ(value_at(imported.model, {0, 0, kNan}), 4);
  EXPECT_THAT(import_model(replaced(dump, "f2", "price"), "m", "xgboost").model.features,
              ElementsAre("price"));
  EXPECT_THAT(message(replaced(dump, "0.5", "[1,2]"), "xgboost"), HasSubstr("set of categories"));
  EXPECT_THAT(message(replaced(dump, "\"leaf\":4", "\"leaf\":[4,5]"), "xgboost"),
              HasSubstr("several outputs"));
  EXPECT_THAT(message(replaced(dump, "\"missing\":2", "\"missing\":7"), "xgboost"),
              HasSubstr("'[0].missing' is neither yes nor no"));
  EXPECT_THAT(message(replaced(dump, "\"no\":2", "\"no\":3"), "xgboost"),
              HasSubstr("not the split's yes and no"));
  EXPECT_THAT(message(replaced(dump, "f2", "f2000000"), "xgboost"),
              HasSubstr("beyond the 1000000"));
  EXPECT_THAT(message("[]", "xgboost"), HasSubstr("uses no feature"));
  EXPECT_THAT(message("[1]", "xgboost"), HasSubstr("is not an object"));
}

TEST(ImportTrees, RefusesDamagedXgboost) {
  const auto with = [](const std::string& from, const std::string& to) {
    return message(replaced(kXgboost, from, to), "xgboost");
  };
  EXPECT_THAT(message("", "xgboost"), HasSubstr("not an XGBoost model in JSON"));
  EXPECT_THAT(message("binf\x01", "xgboost"), HasSubstr("not an XGBoost model in JSON"));
  EXPECT_THAT(message("{}", "xgboost"), HasSubstr("m.bin: 'learner' is missing"));
  EXPECT_THAT(message("{\"learner\":1e999}", "xgboost"), HasSubstr("too large"));
  EXPECT_THAT(with("\"split_type\":[0,", "\"split_type\":[1,"), HasSubstr("do not fit at node 0"));
  EXPECT_THAT(with("\"categories_nodes\":[]", "\"categories_nodes\":[0]"), HasSubstr("categories"));
  EXPECT_THAT(with("\"num_class\":\"0\"", "\"num_class\":\"3\""),
              HasSubstr("models with one score"));
  EXPECT_THAT(with("\"num_target\":\"1\"", "\"num_target\":\"2\""), HasSubstr("one score"));
  EXPECT_THAT(with("\"tree_info\":[0]", "\"tree_info\":[1]"), HasSubstr("several outputs"));
  EXPECT_THAT(with("size_leaf_vector\":\"1", "size_leaf_vector\":\"3"),
              HasSubstr("several outputs"));
  EXPECT_THAT(with("[2.5E-1]", "[1,2]"), HasSubstr("several outputs"));
  EXPECT_THAT(with("[2.5E-1]", "[nan]"), HasSubstr("'learner.learner_model_param.base_score'"));
  EXPECT_THAT(with("rank:ndcg", "multi:softmax"), HasSubstr("objectives that can be imported"));
  EXPECT_THAT(with("\"gbtree\"", "\"mystery\""), HasSubstr("none of gbtree, dart and gblinear"));
  EXPECT_THAT(with("\"num_feature\":\"3\"", "\"num_feature\":\"-3\""), HasSubstr("not positive"));
  EXPECT_THAT(with("\"num_feature\":\"3\"", "\"num_feature\":\"9999999999\""),
              HasSubstr("beyond the 1000000"));
  EXPECT_THAT(with("\"num_feature\":\"3\"", "\"num_feature\":\"x\""), HasSubstr("whole number"));
  EXPECT_THAT(with("[2,0,0,0,0]", "[3,0,0,0,0]"), HasSubstr("feature 3, but the model has 3"));
  EXPECT_THAT(with("[1,-1,3,-1,-1]", "[0,-1,3,-1,-1]"), HasSubstr("reaches its node 0 twice"));
  EXPECT_THAT(with("[1,-1,3,-1,-1]", "[2,-1,3,-1,-1]"), HasSubstr("reaches its node 2 twice"));
  EXPECT_THAT(with("[1,-1,3,-1,-1]", "[9,-1,3,-1,-1]"), HasSubstr("child 9, but 5 nodes"));
  EXPECT_THAT(with("[2,-1,4,-1,-1]", "[-1,-1,4,-1,-1]"), HasSubstr("has none at node 0"));
  EXPECT_THAT(with("[1,-1,3,-1,-1]", "[]"), HasSubstr("is empty"));
  EXPECT_THAT(with("[0.5,-1,0,2,3]", "[0.5,-1]"), HasSubstr("2 entries for 5 nodes"));
  EXPECT_THAT(with("[0.5,-1,0,2,3]", "[0.5,1e300,0,2,3]"), HasSubstr("overflow"));
  EXPECT_THAT(with("[1,0,0,0,0]", "[2,0,0,0,0]"), HasSubstr("not true or false"));
  EXPECT_THAT(with("\"feature_names\":[]", "\"feature_names\":[\"a\"]"),
              HasSubstr("1 names for 3 features"));
  EXPECT_THAT(with("\"feature_names\":[]", "\"feature_names\":[\"a\",\"b\",\"a\"]"),
              HasSubstr("two features are called 'a'"));
  std::string deep = "[";
  for (int level = 0; level < 3000; ++level)
    deep +=
        R"({"nodeid":0,"split":"a","split_condition":1,"yes":0,"no":1,"missing":0,"children":[)";
  for (int level = 0; level < 3000; ++level)
    deep += R"({"nodeid":0,"leaf":1},{"nodeid":1,"leaf":1}]})";
  EXPECT_NE(message(deep + "]", "xgboost"), "");
  EXPECT_NE(message(std::string(100000, '['), "xgboost"), "");
}

TEST(ImportTrees, CatBoost) {
  const ImportedModel imported = import_model(kCatBoost, "m", "catboost");
  EXPECT_THAT(imported.model.features, ElementsAre("1", "2"));
  EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("feature 0 is taken as feature 1")));
  // Bit 0 of the leaf is x₁ > 0.5, bit 1 is x₂ > −0.25; then times 2, plus 10.
  const SavedModel& model = imported.model;
  EXPECT_EQ(value_at(model, {0.5F, -0.25F}), 12);
  EXPECT_EQ(value_at(model, {0.6F, -0.25F}), 14);
  EXPECT_EQ(value_at(model, {0.5F, 0}), 18);
  EXPECT_EQ(value_at(model, {0.6F, 0}), 26);
  EXPECT_EQ(value_at(model, {kNan, -1}), 14);  // AsTrue: above all borders
  EXPECT_EQ(value_at(model, {0, kNan}), 12);
  const std::string named =
      replaced(replaced(kCatBoost, R"("feature_id":"")", R"("feature_id":"a")"),
               R"("feature_id":"")", R"("feature_id":"b")");
  EXPECT_THAT(import_model(named, "m", "catboost").model.features, ElementsAre("a", "b"));
}

TEST(ImportTrees, RefusesDamagedCatBoost) {
  const auto with = [](const std::string& from, const std::string& to) {
    return message(replaced(kCatBoost, from, to), "catboost");
  };
  EXPECT_THAT(message("CBM1", "catboost"), HasSubstr("not a CatBoost model in JSON"));
  EXPECT_THAT(message("{}", "catboost"), HasSubstr("'features_info' is missing"));
  EXPECT_THAT(with("[1,2,4,8]", "[1,2,4,8,1,2,4,8]"), HasSubstr("8 numbers for 2 splits"));
  EXPECT_THAT(with("[1,2,4,8]", "[1,2,4]"), HasSubstr("3 numbers for 2 splits"));
  EXPECT_THAT(with("FloatFeature", "OneHotFeature"), HasSubstr("categorical splits"));
  EXPECT_THAT(with("\"float_features\"", "\"categorical_features\":[{}],\"float_features\""),
              HasSubstr("only numerical features"));
  EXPECT_THAT(with("\"features_info\"", "\"ctr_data\":{},\"features_info\""),
              HasSubstr("categorical features"));
  EXPECT_THAT(with("\"float_feature_index\":1", "\"float_feature_index\":2"),
              HasSubstr("'oblivious_trees[0].splits[1].float_feature_index' is not one of"));
  EXPECT_THAT(with("AsTrue", "AsMaybe"), HasSubstr("none of AsIs, AsFalse and AsTrue"));
  EXPECT_THAT(with("[2,[10]]", "[2,[10,11]]"), HasSubstr("several outputs"));
  EXPECT_THAT(with("[2,[10]]", "[2]"), HasSubstr("is not a pair"));
  EXPECT_THAT(with("\"flat_feature_index\":1", "\"flat_feature_index\":0"),
              HasSubstr("out of order"));
  EXPECT_THAT(with("\"flat_feature_index\":1", "\"flat_feature_index\":99999999"),
              HasSubstr("beyond the 1000000"));
  EXPECT_THAT(with("0.5", "\"0.5\""), HasSubstr("is not a finite number"));
}

// Exports that have a reader here come back with the same scores, up to single precision.
TEST(ImportTrees, ExportsComeBack) {
  constexpr std::pair<const char*, const char*> kPairs[] = {{"xgboost-json", "xgboost"},
                                                            {"xgboost-ubj", "xgboost"},
                                                            {"xgboost", "xgboost"},
                                                            {"onnx", "onnx"},
                                                            {"elasticsearch", "elasticsearch"}};
  testing::Bench bench;
  for (const auto& [to, from] : kPairs)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Random random(seed);
      Forest forest = testing::random_forest(8, 15, 4, {}, random);
      if (!forest.trees[1].nodes.empty()) forest.trees[1].nodes[0].threshold = kLargest;
      const SavedModel model = testing::saved_model(forest, {"a", "b", "c", "d"});
      // Dumps list features as they meet them.
      DatasetParts parts = testing::finite_data(80, 4, testing::Gaps::some, random).parts();
      parts.feature_names = model.features;
      const Dataset data(std::move(parts));
      const SavedModel back = import_model(export_model(model, to).content, "back", from).model;
      const std::vector<double> before = score(model, data, bench.context);
      const std::vector<double> after = score(back, data, bench.context);
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(before[i], after[i], 1e-5) << to << ' ' << seed;
    }
}

TEST(ImportTrees, RefusesOnnxThatIsNoTree) {
  Random random(1);
  const std::string linear =
      export_model(testing::saved_model(testing::random_linear(3, random)), "onnx").content;
  EXPECT_THAT(message(linear, "onnx"), HasSubstr("only a TreeEnsembleRegressor is imported"));
  const Forest grades = testing::random_forest(2, 5, 3, {Link::Kind::softmax, {0, 1}}, random);
  EXPECT_NE(message(export_model(testing::saved_model(grades), "onnx").content, "onnx"), "");
  EXPECT_THAT(message("", "onnx"), HasSubstr("0 tree ensembles instead of one"));
  EXPECT_THAT(message("\xFF\xFF", "onnx"), HasSubstr("m.bin: not an ONNX file"));
  const std::string trees =
      export_model(testing::saved_model(testing::random_forest(3, 6, 3, {}, random)), "onnx")
          .content;
  for (std::size_t size = 0; size < trees.size(); size += 7)
    message(trees.substr(0, size), "onnx");  // an Error, or fields that were not needed
  EXPECT_THAT(message(replaced(trees, "BRANCH_LEQ", "BRANCH_NEQ"), "onnx"),
              HasSubstr("BRANCH_NEQ"));
}

TEST(ImportTrees, TargetsAreForSearchEngines) {
  ImportOptions options;
  options.target = "solr:9";
  EXPECT_THROW(import_model(kXgboost, "m", "xgboost", options), Error);
}

}  // namespace
}  // namespace podium::import_trees_test
