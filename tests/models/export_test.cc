// Every format: supported models give the same scores when read back, others are refused.
#include "podium/export.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/export_checks.h"

namespace podium::export_test {
namespace {

using testing::carries_missing;
using testing::expect_holds;
using testing::Gaps;
using ::testing::HasSubstr;
using testing::kFeatures;
using testing::plain_forest;
using testing::refusal;
using Json = nlohmann::json;

TEST(Export, ForestsScoreTheSameInEveryFormat) {
  for (const ExportFormat& format : export_formats())
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Random random(seed);
      const SavedModel model = testing::saved_model(plain_forest(random));
      const Gaps gaps = carries_missing(format.name) ? Gaps::some : Gaps::none;
      expect_holds(model, format.name, testing::finite_data(100, kFeatures, gaps, random));
    }
}

TEST(Export, EmptyForestsAndTreesOfOneLeaf) {
  for (const ExportFormat& format : export_formats()) {
    Random random(1);
    const Dataset data = testing::finite_data(20, kFeatures, Gaps::none, random);
    testing::Bench bench;
    Forest forest;
    forest.features = kFeatures;
    forest.base = {0.5};
    for (const std::size_t leaves : {0, 1}) {
      if (leaves == 1)
        forest.trees = {testing::random_tree(1, kFeatures, testing::Shape::bushy, random)};
      const SavedModel model = testing::saved_model(forest);
      EXPECT_TRUE(
          verify_export(model, export_model(model, format.name), data, bench.context).holds())
          << format.name;
    }
  }
}

TEST(Export, LinearModelsAndPerceptrons) {
  Random random(4);
  const Dataset full = testing::finite_data(60, kFeatures, Gaps::none, random);
  const Dataset gaps = testing::finite_data(60, kFeatures, Gaps::some, random);
  for (const ExportFormat& format : export_formats()) {
    const Exporter& exporter = find_exporter(format.name);
    const SavedModel linear = testing::saved_model(testing::random_linear(kFeatures, random));
    if (exporter.linear)
      expect_holds(linear, format.name, gaps);
    else
      EXPECT_THAT(refusal(linear, format.name), HasSubstr("the format has no linear models"));
    for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu}) {
      const SavedModel mlp =
          testing::saved_model(testing::random_mlp({kFeatures, 6, 3}, activation, random));
      if (exporter.mlp)
        expect_holds(mlp, format.name, exporter.can.missing ? gaps : full);
      else
        EXPECT_THAT(refusal(mlp, format.name), HasSubstr("the format has no perceptrons"));
    }
  }
}

TEST(Export, SeveralOutputsAndOffsetsWhereSupported) {
  Random random(8);
  const Dataset data = testing::finite_data(60, kFeatures, Gaps::some, random);
  Forest softmax =
      testing::random_forest(5, 9, kFeatures, {Link::Kind::softmax, {0, 1, 3}}, random);
  Forest cumulative =
      testing::random_forest(5, 9, kFeatures, {Link::Kind::cumulative, {0, 1, 3}}, random);
  Forest offset = plain_forest(random);
  offset.offset_feature = 2;
  for (const ExportFormat& format : export_formats())
    for (const Forest& forest : {softmax, cumulative, offset}) {
      const SavedModel model = testing::saved_model(forest);
      if (find_exporter(format.name).can.outputs)
        expect_holds(model, format.name, data);
      else
        EXPECT_THAT(refusal(model, format.name),
                    HasSubstr(forest.offset_feature ? "adds a feature" : "outputs"));
    }
}

TEST(Export, TransformsAreMergedIntoTheModel) {
  Random random(11);
  const Dataset data = testing::finite_data(80, kFeatures, Gaps::none, random);
  Transform binned;
  binned.thresholds = {{-0.5F, 0.25F}, {0}, {-1, 0, 1}, {0.75F}};
  SavedModel linear = testing::saved_model(testing::random_linear(7, random), {"1", "2", "3", "4"});
  linear.features.resize(kFeatures);
  linear.normalization = binned;
  SavedModel forest = testing::saved_model(plain_forest(random));
  forest.normalization.log1p = true;
  SavedModel logs = testing::saved_model(testing::random_linear(kFeatures, random));
  logs.normalization.log1p = true;
  for (const ExportFormat& format : export_formats()) {
    expect_holds(linear, format.name, data);
    expect_holds(forest, format.name, data);
    if (find_exporter(format.name).can.log1p)
      expect_holds(logs, format.name, data);
    else
      EXPECT_NE(refusal(logs, format.name), "");
  }
}

TEST(Export, BinnedForestsSplitByTheFeatureItself) {
  Random random(12);
  const Dataset data = testing::finite_data(80, kFeatures, Gaps::some, random);
  Forest forest = testing::random_forest(6, 6, 7, {}, random);
  forest.trees[0] = testing::random_tree(4, 7, testing::Shape::bushy, random);
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) node.threshold = 0.5F;
  SavedModel model = testing::saved_model(forest, {"1", "2", "3", "4"});
  model.features.resize(kFeatures);
  model.normalization.thresholds = {{-0.5F, 0.25F}, {0}, {-1, 0, 1}, {0.75F}};
  expect_holds(model, "lightgbm", data);
  std::get<Forest>(model.model).trees[0].nodes[0].threshold = 2;
  EXPECT_THAT(refusal(model, "lightgbm"), HasSubstr("splits an indicator"));
}

TEST(Export, QueryNormalisationIsRefused) {
  Random random(2);
  SavedModel model = testing::saved_model(plain_forest(random));
  model.normalization.normalization = Normalization::query_zscore;
  for (const ExportFormat& format : export_formats())
    EXPECT_THAT(refusal(model, format.name),
                HasSubstr("query-zscore, which needs all documents of the query"));
}

TEST(Export, WhatWasLearnedAboutMissingValuesIsNotLost) {
  Random random(3);
  Forest forest = plain_forest(random, 1);
  forest.trees = {testing::random_tree(2, kFeatures, testing::Shape::bushy, random)};
  forest.trees[0].leaf_documents = {50, 50};
  std::swap(forest.trees[0].leaf_documents[0], forest.trees[0].leaf_documents[1]);
  Tree::Node& node = forest.trees[0].nodes[0];
  node.threshold = 1;
  node.missing = Tree::Node::Missing::right;  // neither where 0 goes, nor to the larger side
  forest.trees[0].leaf_documents[static_cast<std::size_t>(~node.left)] = 90;
  const SavedModel model = testing::saved_model(forest);
  for (const ExportFormat& format : export_formats()) {
    if (carries_missing(format.name)) {
      EXPECT_EQ(refusal(model, format.name), "");
      continue;
    }
    EXPECT_THAT(refusal(model, format.name), HasSubstr("learned to send missing values elsewhere"));
    EXPECT_THAT(
        refusal(model, format.name),
        HasSubstr("lightgbm, xgboost-json, xgboost-ubj, xgboost, elasticsearch, vespa, onnx and "
                  "cpp support that"));
    ExportOptions zero;
    zero.missing = ExportOptions::Missing::zero;
    const ExportedModel exported = export_model(model, format.name, zero);
    EXPECT_THAT(exported.notes, ::testing::Contains(HasSubstr("counts as 0")));
  }
}

TEST(Export, PerceptronsOnBinsAreRefusedWithAdvice) {
  Random random(4);
  SavedModel model =
      testing::saved_model(testing::random_mlp({2, 3}, Mlp::Activation::relu, random), {"1"});
  model.features.resize(1);
  model.normalization.thresholds = {{0, 1}};
  for (const ExportFormat& format : export_formats())
    EXPECT_THAT(refusal(model, format.name), HasSubstr("train it without ‹bins›"));
}

TEST(Export, NonnegativeScores) {
  ExportOptions options;
  options.scores = ExportOptions::Scores::nonnegative;
  Random random(7);
  const Dataset data = testing::finite_data(200, kFeatures, Gaps::none, random);
  Forest forest = plain_forest(random);
  forest.base = {-3};
  const SavedModel model = testing::saved_model(testing::without_tiny(forest));
  for (const ExportFormat& format : export_formats()) {
    expect_holds(model, format.name, data, options);
    const ExportedModel exported = export_model(model, format.name, options);
    const auto reader = find_exporter(format.name).read(exported.content, model.features);
    std::vector<double> trees;
    for (std::size_t i = 0; i < data.documents(); ++i)
      EXPECT_GE(reader->score(data.rows(i, i + 1).dense(0), trees), 0);
  }
  EXPECT_THAT(refusal(testing::saved_model(Linear{{1, -1}, 0}), "elasticsearch", options),
              HasSubstr("without negative weights"));
  EXPECT_EQ(refusal(testing::saved_model(Linear{{1, 1}, -2}), "elasticsearch", options), "");
}

TEST(Export, DamagedFilesAreDetected) {
  testing::Bench bench;
  Random random(5);
  const SavedModel model = testing::saved_model(plain_forest(random));
  const Dataset data = testing::finite_data(100, kFeatures, Gaps::none, random);
  // Another model's file in place of this one's.
  Forest other = std::get<Forest>(model.model);
  for (Tree& tree : other.trees)
    for (Tree::Node& node : tree.nodes) node.threshold += 0.25F;
  for (const ExportFormat& format : export_formats()) {
    const ExportedModel exported = export_model(testing::saved_model(other), format.name);
    const ExportCheck check = verify_export(model, exported, data, bench.context);
    EXPECT_FALSE(check.holds()) << format.name;
    EXPECT_GT(check.changed_decisions, 0U) << format.name;
    EXPECT_GT(check.changed_pairs, 0U) << format.name;
    ExportedModel cut = exported;
    cut.content.resize(cut.content.size() / 2);
    EXPECT_ANY_THROW(verify_export(model, cut, data, bench.context)) << format.name;
  }
}

TEST(Export, FormatsSatisfyTheirReaders) {
  Random random(5);
  SavedModel model = testing::saved_model(testing::without_tiny(plain_forest(random)),
                                          {"bm25 title", "b\"x", "c", "d"});
  const std::string lightgbm = export_model(model, "lightgbm").content;
  EXPECT_THAT(lightgbm, ::testing::StartsWith("tree\nversion=v4\nnum_class=1\n"));
  EXPECT_THAT(lightgbm, HasSubstr("\nmax_feature_idx=3\n"));
  EXPECT_THAT(lightgbm, HasSubstr("\nfeature_names=bm25_title b\"x c d\n"));
  EXPECT_THAT(lightgbm, HasSubstr("\nend of trees\n"));
  const Json vespa = Json::parse(export_model(model, "vespa").content);
  EXPECT_TRUE(vespa.at("pandas_categorical").is_array());
  const ExportedModel ranklib = export_model(model, "ranklib");
  EXPECT_THAT(ranklib.content, ::testing::StartsWith("## LambdaMART\n"));
  EXPECT_THAT(ranklib.notes, ::testing::Contains(HasSubstr("1 is 'bm25 title', 4 is 'd'")));
  ExportOptions named;
  named.name = "shop \"1\"";
  const Json elastic = Json::parse(export_model(model, "elasticsearch", named).content);
  EXPECT_EQ(elastic["model"]["name"], named.name);
  EXPECT_EQ(elastic["model"]["model"]["type"], "model/xgboost+json");
  EXPECT_TRUE(elastic["model"]["model"]["definition"].is_string());
  EXPECT_THAT(export_model(model, "cpp", named).content, HasSubstr("namespace shop_1_model {"));
  model.features = {"a b", "a_b", "c", "d"};
  EXPECT_THAT(refusal(model, "lightgbm"), HasSubstr("two features are called 'a_b'"));
  try {
    export_model(model, "lightgmb");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean lightgbm"));
  }
}

TEST(Export, ScoresAddedToOthersAreNoted) {
  Random random(5);
  SavedModel model = testing::saved_model(plain_forest(random));
  model.training.on_top_of_scores = true;
  EXPECT_THAT(export_model(model, "onnx").notes, ::testing::Contains(HasSubstr("on top of")));
}

TEST(Export, TreesTooDeepToNestAreRefused) {
  Random random(6);
  Forest forest;
  forest.features = kFeatures;
  forest.trees = {testing::random_tree(1200, kFeatures, testing::Shape::left_chain, random)};
  const SavedModel model = testing::saved_model(testing::without_tiny(forest));
  ExportOptions zero;
  zero.missing = ExportOptions::Missing::zero;
  EXPECT_THAT(refusal(model, "xgboost", zero), HasSubstr("deeper than 1000"));
  EXPECT_EQ(refusal(model, "lightgbm", zero), "");
}

}  // namespace
}  // namespace podium::export_test
