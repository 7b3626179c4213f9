#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/export_support.h"
#include "models/forest/forest.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::import_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLightGbm = R"(tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=lambdarank
feature_names=Column_0 Column_1 Column_2
feature_infos=[0:1] none [-3:7]

Tree=0
num_leaves=3
num_cat=0
split_feature=2 0
split_gain=5 2
threshold=0.10000000000000001 1.0000000180025095e-35
decision_type=2 8
left_child=1 -1
right_child=-2 -3
leaf_value=0.1 -0.2 0.3
leaf_count=10 20 30
internal_count=60 40
is_linear=0
shrinkage=0.1


Tree=1
num_leaves=1
num_cat=0
leaf_value=0.5
is_linear=0
shrinkage=1


end of trees

feature_importances:
Column_0=1

parameters:
[boosting: gbdt]
end of parameters

pandas_categorical:null
)";

constexpr const char* kRankLib = R"(## LambdaMART
## No. of trees = 2

<ensemble>
	<tree id="1" weight="0.1">
		<split>
			<feature> 2 </feature>
			<threshold> 10.5 </threshold>
			<split pos="left">
				<output> -3.0 </output>
			</split>
			<split pos="right">
				<feature>4</feature>
				<threshold> -0.25 </threshold>
				<split pos="left"><output> 1.0 </output></split>
				<split pos="right"><output> 2.0 </output></split>
			</split>
		</split>
	</tree>
	<tree id="2" weight="1">
		<split>
			<output> 0.5 </output>
		</split>
	</tree>
</ensemble>
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& content, std::string_view format) {
  try {
    import_model(content, "m.txt", format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

TEST(Import, LightGbm) {
  const ImportedModel imported = import_model(kLightGbm, "m.txt", "lightgbm");
  EXPECT_THAT(imported.model.features, ::testing::ElementsAre("1", "2", "3"));
  EXPECT_THAT(imported.notes, ::testing::Contains(HasSubstr("Column_0 is taken as feature 1")));
  EXPECT_EQ(imported.model.loss, "lambdarank");
  const auto& forest = std::get<Forest>(imported.model.model);
  ASSERT_EQ(forest.trees.size(), 2U);
  const Tree& tree = forest.trees[0];
  EXPECT_EQ(tree.nodes[0].threshold, std::nextafter(0.1F, 0.0F));  // the float above is > 0.1
  EXPECT_EQ(tree.nodes[0].missing, Tree::Node::Missing::left);     // type none: NaN is 0
  EXPECT_EQ(tree.nodes[1].missing, Tree::Node::Missing::right);
  EXPECT_EQ(tree.nodes[0].documents, 60U);
  EXPECT_EQ(tree.values, (std::vector<double>{0.1, -0.2, 0.3}));
  const std::string open_end =
      replaced(kLightGbm, "threshold=0.10000000000000001", "threshold=inf");
  EXPECT_EQ(std::get<Forest>(import_model(open_end, "m.txt", "lightgbm").model.model)
                .trees[0]
                .nodes[0]
                .threshold,
            std::numeric_limits<float>::max());
  EXPECT_THAT(message(replaced(open_end, "threshold=inf", "threshold=-inf"), "lightgbm"),
              HasSubstr("below all 32-bit floats"));
  EXPECT_EQ(model_from_json(to_json(imported.model), "m.json").features, imported.model.features);
  ImportOptions from_zero;
  from_zero.first_feature = 0;
  EXPECT_THAT(import_model(kLightGbm, "m.txt", "lightgbm", from_zero).model.features,
              ::testing::ElementsAre("0", "1", "2"));
}

TEST(Import, LightGbmAveragesIfTheFileSpecifiesIt) {
  const std::string text = replaced(kLightGbm, "objective=", "average_output\nobjective=");
  const ImportedModel imported = import_model(text, "m.txt", "lightgbm");
  EXPECT_EQ(std::get<Forest>(imported.model.model).trees[1].values[0], 0.25);
}

TEST(Import, LightGbmNodesInAnyOrder) {
  std::string text = replaced(kLightGbm, "num_leaves=3", "num_leaves=4");
  text = replaced(text, "split_feature=2 0", "split_feature=2 0 1");
  text = replaced(text, "split_gain=5 2", "split_gain=5 2 1");
  text = replaced(text, "threshold=0.10000000000000001 1.0000000180025095e-35", "threshold=1 2 3");
  text = replaced(text, "decision_type=2 8", "decision_type=2 8 10");
  text = replaced(text, "left_child=1 -1", "left_child=2 -1 1");
  text = replaced(text, "right_child=-2 -3", "right_child=-2 -3 -4");
  text = replaced(text, "leaf_value=0.1 -0.2 0.3", "leaf_value=1 2 3 4");
  text = replaced(text, "leaf_count=10 20 30\ninternal_count=60 40\n", "");
  const Forest forest = std::get<Forest>(import_model(text, "m.txt", "lightgbm").model.model);
  const float to_leaf_0[] = {0, 0, 0}, to_leaf_3[] = {0, 9, 0};
  EXPECT_EQ(forest.trees[0].values[find_leaf(forest.trees[0], to_leaf_0)], 1);
  EXPECT_EQ(forest.trees[0].values[find_leaf(forest.trees[0], to_leaf_3)], 4);
}

TEST(Import, ExportsRoundTrip) {
  testing::Bench bench;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Forest forest = testing::random_forest(8, 15, 4, {}, random);
    forest.base = {0};
    for (Tree& tree : forest.trees)
      for (Tree::Node& node : tree.nodes)
        if (node.threshold == 0) node.threshold = 0.0F;  // no −0
    const SavedModel model = testing::saved_model(testing::without_tiny(forest));
    const Dataset data = testing::finite_data(80, 4, testing::Gaps::some, random);
    const ImportedModel back =
        import_model(export_model(model, "lightgbm").content, "m.txt", "lightgbm");
    EXPECT_EQ(back.model.features, model.features);
    EXPECT_EQ(score(back.model, data, bench.context), score(model, data, bench.context));
    for (std::size_t t = 0; t < forest.trees.size(); ++t)
      EXPECT_EQ(std::get<Forest>(back.model.model).trees[t].leaf_documents.size(),
                forest.trees[t].leaf_documents.size());
    // Exported again: the same text.
    EXPECT_EQ(export_model(back.model, "lightgbm").content.size(),
              export_model(model, "lightgbm").content.size());
  }
}

TEST(Import, RankLibTrees) {
  const ImportedModel imported = import_model(kRankLib, "m.txt", "ranklib");
  EXPECT_EQ(imported.model.features.size(), 4U);
  const auto& forest = std::get<Forest>(imported.model.model);
  ASSERT_EQ(forest.trees.size(), 2U);
  const Tree& tree = forest.trees[0];
  EXPECT_EQ(tree.nodes[0].feature, 1U);
  EXPECT_EQ(tree.nodes[0].missing, Tree::Node::Missing::left);  // as 0
  EXPECT_EQ(tree.nodes[1].missing, Tree::Node::Missing::right);
  const float document[] = {0, 11, 0, 0};
  EXPECT_DOUBLE_EQ(tree.values[find_leaf(tree, document)], 0.2);
  EXPECT_EQ(forest.trees[1].values, (std::vector<double>{0.5}));
  to_json(imported.model);
}

TEST(Import, RankLibRandomForestsAverage) {
  const std::string ensemble =
      "<ensemble>\n<tree id=\"1\" weight=\"1\">\n<split>\n<feature> 1 </feature>\n"
      "<threshold> 0 </threshold>\n<split pos=\"left\">\n<output> 2 </output>\n</split>\n"
      "<split pos=\"right\">\n<output> 4 </output>\n</split>\n</split>\n</tree>\n</ensemble>\n";
  const ImportedModel imported =
      import_model("## Random Forests\n\n" + ensemble + ensemble, "m.txt", "ranklib");
  const auto& forest = std::get<Forest>(imported.model.model);
  ASSERT_EQ(forest.trees.size(), 2U);
  EXPECT_EQ(forest.trees[1].values, (std::vector<double>{1, 2}));
}

TEST(Import, RankLibLinearModels) {
  const ImportedModel imported = import_model(
      "## Coordinate Ascent\n## Restart = 2\n1:0.25 3:-1.5 1:0.5\n", "m.txt", "ranklib");
  const auto& linear = std::get<Linear>(imported.model.model);
  EXPECT_EQ(linear.weights, (std::vector<double>{0.75, 0, -1.5}));
  const ImportedModel biased =
      import_model("## Linear Regression\n## Lambda = 1\n0:2 1:1\n", "m.txt", "ranklib");
  EXPECT_EQ(std::get<Linear>(biased.model.model).bias, 2);
  EXPECT_THAT(biased.notes, ::testing::ElementsAre(HasSubstr("feature 0")));
  const ImportedModel boost =
      import_model("## RankBoost\n## Iteration = 2\n2:0.5:1.25 1:-1:0.5\n", "m.txt", "ranklib");
  const auto& stumps = std::get<Forest>(boost.model.model);
  ASSERT_EQ(stumps.trees.size(), 2U);
  EXPECT_EQ(stumps.trees[0].values, (std::vector<double>{0, 1.25}));
}

TEST(Import, RefusesDamagedLightGbm) {
  const auto with = [](const char* from, const char* to) {
    return message(replaced(kLightGbm, from, to), "lightgbm");
  };
  EXPECT_THAT(message("", "lightgbm"), HasSubstr("m.txt:1: not a LightGBM text model"));
  EXPECT_THAT(message("tree\n", "lightgbm"), HasSubstr("stops before"));
  EXPECT_THAT(with("end of trees", "end"), HasSubstr("stops before"));
  EXPECT_THAT(with("num_class=1\n", ""), HasSubstr("'num_class=' is missing"));
  EXPECT_THAT(with("num_class=1", "num_class=3"), HasSubstr("several classes"));
  EXPECT_THAT(with("max_feature_idx=2", "max_feature_idx=7"), HasSubstr("3 feature names for 8"));
  EXPECT_THAT(with("max_feature_idx=2", "max_feature_idx=x"),
              HasSubstr("m.txt:6: 'x' is not a whole number"));
  EXPECT_THAT(with("num_cat=0", "num_cat=1"), HasSubstr("'cat_boundaries=' is missing"));
  EXPECT_THAT(with("is_linear=0", "is_linear=1"), HasSubstr("linear functions"));
  EXPECT_THAT(with("decision_type=2 8", "decision_type=1 8"), HasSubstr("no set of categories"));
  EXPECT_THAT(with("decision_type=2 8", "decision_type=12 8"), HasSubstr("decision_type 12"));
  EXPECT_THAT(with("decision_type=2 8", "decision_type=4 8"), HasSubstr("zero_as_missing"));
  EXPECT_THAT(with("split_feature=2 0", "split_feature=3 0"), HasSubstr("feature 3 of 3"));
  EXPECT_THAT(with("left_child=1 -1", "left_child=0 -1"), HasSubstr("wrong child 0 at node 0"));
  EXPECT_THAT(with("left_child=1 -1", "left_child=-1 -1"), HasSubstr("nothing leads to"));
  EXPECT_THAT(with("left_child=1 -1", "left_child=1 1"), HasSubstr("wrong child"));
  EXPECT_THAT(with("left_child=1 -1", "left_child=1 -9"), HasSubstr("wrong child -9"));
  EXPECT_THAT(with("left_child=1 -1", "left_child=1"), HasSubstr("3 leaves but 1 splits"));
  EXPECT_THAT(with("leaf_value=0.1 -0.2 0.3", "leaf_value=0.1 -0.2"), HasSubstr("2 values for 3"));
  EXPECT_THAT(with("leaf_value=0.1", "leaf_value=nan"),
              HasSubstr("m.txt:20: 'nan' is not a number"));
  EXPECT_THAT(with("leaf_value=0.1", "leaf_value=inf"), HasSubstr("not finite"));
  EXPECT_THAT(with("shrinkage=0.1", "shrinkage=abc"), HasSubstr("m.txt:24: 'abc' is not a number"));
  EXPECT_THAT(with("shrinkage=0.1", "shrinkage=inf"), HasSubstr("shrinkage is not finite"));
  EXPECT_THAT(with("threshold=0.1", "threshold=-1e300 #0.1"), HasSubstr("not a number"));
  EXPECT_THAT(with("num_leaves=3", "num_leaves=9999999999999"), HasSubstr("3 values for"));
  EXPECT_THAT(with("num_leaves=3", "num_leaves=0"), HasSubstr("values for 0 leaves"));
  EXPECT_THAT(with("Column_0 Column_1", "a a"), HasSubstr("two features are called 'a'"));
  EXPECT_THAT(with("split_gain=5 2", "num_leaves=3"), HasSubstr("'num_leaves' appears twice"));
}

TEST(Import, RefusesDamagedRankLib) {
  const auto with = [](const char* from, const char* to) {
    return message(replaced(kRankLib, from, to), "ranklib");
  };
  EXPECT_THAT(message("", "ranklib"), HasSubstr("m.txt:1: not a RankLib model"));
  EXPECT_THAT(message("## RankNet\n1 2\n", "ranklib"), HasSubstr("'RankNet' cannot be imported"));
  EXPECT_THAT(message("## LambdaMART\n", "ranklib"), HasSubstr("has no model"));
  EXPECT_THAT(message("## AdaRank\n1:x\n", "ranklib"), HasSubstr("m.txt:2: 'x' is not a number"));
  EXPECT_THAT(message("## AdaRank\n1\n", "ranklib"), HasSubstr("not feature:weight"));
  EXPECT_THAT(message("## AdaRank\n4000000000:1\n", "ranklib"), HasSubstr("beyond"));
  EXPECT_THAT(message("## Linear Regression\n0:1\n", "ranklib"), HasSubstr("uses no feature"));
  for (const std::string ranker : {"Coordinate Ascent", "AdaRank"})
    EXPECT_THAT(
        message("## " + ranker + "\n1:2 0:1\n", "ranklib"),
        HasSubstr("m.txt:2: '0:1': features are counted from 1, and " + ranker + " has no bias"));
  EXPECT_THAT(message("## RankBoost\n1:2\n", "ranklib"), HasSubstr("feature:threshold:weight"));
  EXPECT_THAT(with("<feature> 2 ", "<feature> 0 "), HasSubstr("numbered from 1"));
  EXPECT_THAT(with("<feature> 2 ", "<feature> two "), HasSubstr("m.txt:7: 'two'"));
  EXPECT_THAT(with("10.5", "1e60"), HasSubstr("threshold is not finite"));
  EXPECT_THAT(with("-3.0", "inf"), HasSubstr("m.txt:10: an output is not finite"));
  EXPECT_THAT(with("weight=\"0.1\"", ""), HasSubstr("no weight"));
  EXPECT_THAT(with("</ensemble>", ""), HasSubstr("the end of the file"));
  EXPECT_THAT(with("<threshold> 10.5 </threshold>", ""), HasSubstr("expected <threshold>"));
  EXPECT_THAT(with("<ensemble>", "<ensemble"), HasSubstr("does not end on its line"));
  std::string deep = "## MART\n<ensemble>\n<tree id=\"1\" weight=\"1\">\n<split>\n";
  for (int level = 0; level < 5000; ++level)
    deep += "<feature> 1 </feature>\n<threshold> 1 </threshold>\n<split pos=\"left\">\n";
  EXPECT_THAT(message(deep, "ranklib"), HasSubstr("deeper than 1000"));
}

TEST(Import, UnknownFormat) {
  EXPECT_THROW(import_model("", "m.txt", "svmlight"), Error);
}

}  // namespace
}  // namespace podium::import_test
