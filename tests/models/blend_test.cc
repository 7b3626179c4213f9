// Blends: sums of models with their own features and transforms.
#include "models/blend/blend.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include <gtest/gtest.h>

#include "models/export_support.h"
#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/explain.h"
#include "podium/export.h"
#include "support/toy_data.h"

namespace podium::blend_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::Bench;

Dataset documents() {
  DatasetParts parts = testing::noisy_linear(12, 9, 3, 7).parts();
  parts.feature_names = {"a", "b", "c"};
  return Dataset(std::move(parts));
}

SavedModel linear(std::vector<std::string> names, std::vector<double> weights, double bias = 0) {
  return testing::saved_model(Linear{std::move(weights), bias}, std::move(names));
}

// x ≤ threshold: low, otherwise high.
SavedModel stump(std::vector<std::string> names, std::uint32_t feature, float threshold, double low,
                 double high) {
  Forest forest;
  forest.features = names.size();
  forest.base = {0.5};
  Tree tree;
  tree.nodes = {{feature, threshold, Tree::Node::Missing::left, ~0, ~1, 1, 108}};
  tree.values = {low, high};
  tree.leaf_documents = {54, 54};
  forest.trees = {tree};
  SavedModel saved = testing::saved_model(forest, std::move(names));
  saved.missing = "split";
  return saved;
}

// Members with features in different orders, one with its own normalization.
SavedModel mixed() {
  BlendMember normalized{0.5, 2, linear({"c", "a"}, {1, -2}, 3)};
  normalized.saved.normalization.normalization = Normalization::query_zscore;
  BlendMember binned{2, 1, linear({"b"}, {1, 4})};
  binned.saved.features = {"b"};  // one feature, two inputs
  binned.saved.normalization.thresholds = {{0.3F, 0.7F}};
  return make_blend({normalized, {0.25, 0.5, stump({"b", "a"}, 1, 0.5F, -1, 2)}, binned});
}

TEST(Blend, IsTheWeightedSumOfItsMembersScores) {
  Bench bench;
  const Dataset data = documents();
  const SavedModel blend = mixed();
  EXPECT_EQ(blend.features, (std::vector<std::string>{"c", "a", "b"}));
  const auto scores = score(blend, data, bench.context);
  std::vector<double> expected(data.documents());
  for (const BlendMember& member : std::get<Blend>(blend.model).members) {
    const auto part = score(member.saved, data, bench.context);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] += member.weight / member.scale * part[i];
  }
  EXPECT_EQ(scores, expected);
}

TEST(Blend, CompiledAndLoadedModelsGiveTheSameScores) {
  Bench bench;
  const SavedModel blend = mixed();
  Transform selection;
  selection.features = blend.features;
  const Dataset data = apply(selection, documents(), bench.context);
  const auto scores = score(blend, data, bench.context);
  EXPECT_EQ(CompiledModel(blend).score(data), scores);
  const std::string text = to_json(blend);
  const SavedModel back = model_from_json(text, "b.json");
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(score(back, data, bench.context), scores);
}

TEST(Blend, ContributionsAddUpByFeature) {
  Bench bench;
  const Dataset data = documents();
  const SavedModel blend = mixed();
  const auto scores = score(blend, data, bench.context);
  const auto why = explain(blend, data, bench.context);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ASSERT_EQ(why[i].contributions.size(), 3U);
    const double sum =
        std::accumulate(why[i].contributions.begin(), why[i].contributions.end(), why[i].base);
    EXPECT_NEAR(sum, scores[i], 1e-12);
    EXPECT_EQ(why[i].score, scores[i]);
  }
  EXPECT_EQ(explanation_method(blend.model), "shapley + terms");
}

TEST(Blend, OfBlendsIsFlat) {
  Bench bench;
  const Dataset data = documents();
  const SavedModel inner = mixed();
  const SavedModel outer = make_blend({{3, 2, inner}, {1, 1, linear({"a"}, {1})}});
  EXPECT_EQ(std::get<Blend>(outer.model).members.size(), 4U);
  const auto scores = score(outer, data, bench.context);
  const auto first = score(inner, data, bench.context);
  const auto second = score(linear({"a"}, {1}), data, bench.context);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(scores[i], 1.5 * first[i] + second[i], 1e-12);
}

TEST(Blend, RefusesWhatCannotBeAdded) {
  EXPECT_THROW(make_blend({}), Error);
  SavedModel on_top = linear({"a"}, {1});
  on_top.training.on_top_of_scores = true;
  EXPECT_THROW(make_blend({{1, 1, on_top}}), Error);
  EXPECT_THROW(make_blend({{1, 0, linear({"a"}, {1})}}), Error);
  SavedModel category = linear({"a"}, {1});
  category.schema = FeatureSchema({{0, make_strings(std::vector<std::string>{"x", "y"})}});
  EXPECT_THROW(make_blend({{1, 1, category}, {1, 1, linear({"a"}, {1})}}), Error);
}

std::string refusal(const std::function<void(Json&)>& damage) {
  Json json = Json::parse(to_json(mixed()));
  damage(json);
  try {
    model_from_json(json.dump(), "b.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Blend, HostileFilesAreRefusedWithTheKey) {
  const auto member = [](Json& json) -> Json& { return json["model"]["members"][0]; };
  EXPECT_NE(refusal([&](Json& json) {
              json["model"]["members"] = Json::array();
            }).find("'model.members' is empty"),
            std::string::npos);
  EXPECT_NE(refusal([&](Json& json) { member(json)["scale"] = 0; }).find("scale"),
            std::string::npos);
  EXPECT_NE(refusal([&](Json& json) { member(json)["weight"] = "1"; }).find("weight"),
            std::string::npos);
  EXPECT_NE(refusal([&](Json& json) {
              member(json)["features"][0] = "z";
            }).find("names 'z', which the blend lacks"),
            std::string::npos);
  EXPECT_NE(refusal([&](Json& json) {
              member(json)["model"] = json["model"];
            }).find("cannot be a member of a blend"),
            std::string::npos);
  EXPECT_NE(refusal([&](Json& json) {
              json["normalization"] = member(json)["normalization"];
            }).find("normalization"),
            std::string::npos);
  EXPECT_EQ(refusal([](Json&) {}), "");
}

TEST(Blend, OfForestsIsExportedAsOneForest) {
  Bench bench;
  const Dataset data = documents();
  const SavedModel blend = make_blend(
      {{0.75, 2, stump({"a", "b"}, 0, 0.4F, -1, 1)}, {0.25, 1, stump({"c", "a"}, 1, 0.6F, 0, 3)}});
  for (const char* format : {"lightgbm", "xgboost-json", "onnx", "cpp"}) {
    const ExportedModel exported = export_model(blend, format);
    const ExportCheck check = verify_export(blend, exported, data, bench.context);
    EXPECT_TRUE(check.holds()) << format;
    EXPECT_EQ(check.decisions, 2 * data.documents()) << format;
  }
}

TEST(Blend, OfLinearModelsIsExportedAsOneLinearModel) {
  Bench bench;
  const SavedModel blend =
      make_blend({{1, 2, linear({"a", "b"}, {1, 2})}, {3, 1, linear({"b", "c"}, {1, -1})}});
  for (const char* format : {"ranklib", "solr", "onnx", "cpp"})
    EXPECT_TRUE(
        verify_export(blend, export_model(blend, format), documents(), bench.context).holds())
        << format;
}

TEST(Blend, OfDifferentKindsIsExportedWhereSumsExist) {
  Bench bench;
  const SavedModel blend =
      make_blend({{1, 2, linear({"a", "b"}, {1, 2})}, {2, 1, stump({"c"}, 0, 0.5F, 1, 2)}});
  for (const char* format : {"onnx", "cpp"})
    EXPECT_TRUE(
        verify_export(blend, export_model(blend, format), documents(), bench.context).holds())
        << format;
  try {
    export_model(blend, "lightgbm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("different kinds (forest, linear); onnx and cpp have"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace podium::blend_test
