// What versions of search engines do with missing values: exports for them, and their models.
#include "models/search_engine.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/export_checks.h"
#include "models/model_kinds.h"

namespace podium::search_engine_test {
namespace {

using testing::Gaps;
using ::testing::HasSubstr;
using testing::kFeatures;
using testing::refusal;
using Json = nlohmann::json;
using Missing = Tree::Node::Missing;

ExportOptions for_target(std::string target) {
  ExportOptions options;
  options.target = std::move(target);
  return options;
}

// One split at 1, with more documents to the left; missing values as given.
SavedModel stump(Missing missing) {
  Forest forest;
  forest.features = 1;
  Tree tree;
  tree.nodes = {{0, 1, missing, ~0, ~1, 1, 30}};
  tree.values = {-1, 2};
  tree.leaf_documents = {20, 10};
  forest.trees = {tree};
  return testing::saved_model(forest);
}

double of_missing(const SavedModel& model) {
  testing::Bench bench;
  const float none = std::numeric_limits<float>::quiet_NaN();
  return score(model.model, testing::make_dataset({1}, 1, {none}, {0}), bench.context)[0];
}

TEST(SearchEngine, VersionsAndRules) {
  const auto rule = [](const char* target) { return parse_search_engine(target).missing; };
  EXPECT_EQ(rule("opensearch:1"), MissingRule::zero);
  EXPECT_EQ(rule("opensearch:2.19.4"), MissingRule::zero);
  EXPECT_EQ(rule("opensearch:3.1"), MissingRule::zero);
  EXPECT_EQ(rule("opensearch:3.3"), MissingRule::no);
  EXPECT_EQ(rule("opensearch:3.7.0"), MissingRule::no);
  EXPECT_EQ(rule("opensearch:3.8"), MissingRule::split);
  EXPECT_EQ(rule("opensearch:3"), MissingRule::split);
  EXPECT_EQ(rule("elasticsearch:8.15"), MissingRule::zero);
  EXPECT_EQ(rule("elasticsearch:9"), MissingRule::split);
  EXPECT_EQ(rule("solr:9.1"), MissingRule::zero);
  EXPECT_EQ(rule("solr:9.2"), MissingRule::split);
  EXPECT_EQ(rule("solr:9"), MissingRule::split);
  for (const char* wrong : {"", "solr", "solr:", "solr:x", "solr:9.x", "vespa:8", "opensearch:3.2",
                            "opensearch:-1", "opensearch: 3"})
    EXPECT_THROW(rule(wrong), Error) << wrong;
}

TEST(SearchEngine, ExportsForEveryTargetScoreAsTheTargetDoes) {
  testing::Bench bench;
  for (const char* target : {"opensearch:3.8", "elasticsearch:9", "solr:9"})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Random random(seed);
      const SavedModel model =
          testing::saved_model(testing::random_forest(8, 12, kFeatures, {}, random));
      const Dataset data = testing::finite_data(80, kFeatures, Gaps::some, random);
      const ExportedModel exported =
          export_model(model, format_of_target(target), for_target(target));
      EXPECT_TRUE(verify_export(model, exported, data, bench.context).holds()) << target;
    }
}

TEST(SearchEngine, WhatATargetCannotFollowIsRefused) {
  const SavedModel learned = stump(Missing::right), usual = stump(Missing::left);
  for (const char* target : {"opensearch:2", "elasticsearch:8", "solr:9.1"}) {
    const std::string format = format_of_target(target);
    EXPECT_THAT(refusal(learned, format, for_target(target)),
                HasSubstr(std::string(target) + " has no missing values"));
    EXPECT_EQ(refusal(usual, format, for_target(target)), "");
    ExportOptions zero = for_target(target);
    zero.missing = ExportOptions::Missing::zero;
    EXPECT_EQ(refusal(learned, format, zero), "");
  }
  // 3.3 takes the right branch: this one is learned elsewhere, and the other was never learned.
  SavedModel left = stump(Missing::left);
  std::get<Forest>(left.model).trees[0].leaf_documents = {10, 20};
  EXPECT_THAT(refusal(left, "elasticsearch", for_target("opensearch:3.3")),
              HasSubstr("larger than every threshold, but the model learned"));
  const ExportedModel dropped = export_model(usual, "elasticsearch", for_target("opensearch:3.3"));
  EXPECT_THAT(dropped.notes, ::testing::Contains(HasSubstr("larger than every threshold")));
  EXPECT_EQ(refusal(learned, "elasticsearch", for_target("opensearch:3.3")), "");
  ExportOptions zero = for_target("opensearch:3.3");
  zero.missing = ExportOptions::Missing::zero;
  EXPECT_THAT(refusal(learned, "elasticsearch", zero), HasSubstr("‹missing zero› cannot change"));
  EXPECT_THROW(export_model(learned, "onnx", for_target("solr:9")), Error);
}

// A check with missing values fails where the target would take another branch.
TEST(SearchEngine, ChecksUseTheTargetsRule) {
  testing::Bench bench;
  const SavedModel model = stump(Missing::left);
  const float none = std::numeric_limits<float>::quiet_NaN();
  const Dataset data = testing::make_dataset({3}, 1, {none, 0, 2}, {0, 0, 0});
  const auto changed = [&](const char* target) {
    const ExportedModel exported = export_model(model, "elasticsearch", for_target(target));
    return verify_export(model, exported, data, bench.context).changed_decisions;
  };
  EXPECT_EQ(changed("opensearch:2"), 0U);
  EXPECT_EQ(changed("opensearch:3.8"), 0U);
  EXPECT_EQ(changed("opensearch:3.3"), 1U);
}

TEST(SearchEngine, ZeroIsWrittenAsTheBranch) {
  ExportOptions zero;
  zero.missing = ExportOptions::Missing::zero;
  const ExportedModel exported = export_model(stump(Missing::right), "xgboost", zero);
  const Json dump = Json::parse(exported.content);
  EXPECT_EQ(dump[0]["missing"], dump[0]["yes"]);
  EXPECT_EQ(exported.missing, ExportOptions::Missing::zero);
}

TEST(SearchEngine, PlainExportsWarn) {
  EXPECT_THAT(export_model(stump(Missing::right), "elasticsearch").notes,
              ::testing::Contains(HasSubstr("give ‹target› to check")));
  EXPECT_THAT(export_model(stump(Missing::left), "elasticsearch").notes, ::testing::IsEmpty());
}

TEST(SearchEngine, SolrSidesForMissingValues) {
  const ExportedModel exported = export_model(stump(Missing::right), "solr", for_target("solr:9"));
  const Json json = Json::parse(exported.content);
  EXPECT_EQ(json["params"]["isNullSameAsZero"], false);
  EXPECT_EQ(json["params"]["trees"][0]["root"]["missing"], "right");
  EXPECT_THAT(exported.notes, ::testing::Contains(HasSubstr("defaultValue")));
  EXPECT_EQ(of_missing(import_model(exported.content, "m", "solr").model), 2);
  const ExportedModel old = export_model(stump(Missing::left), "solr", for_target("solr:8"));
  EXPECT_FALSE(Json::parse(old.content)["params"].contains("isNullSameAsZero"));
}

TEST(SearchEngine, ImportsFollowTheVersion) {
  const std::string right = export_model(stump(Missing::right), "elasticsearch").content;
  const std::string left = export_model(stump(Missing::left), "elasticsearch").content;
  const auto missing = [](const std::string& content, const char* target) {
    return of_missing(import_model(content, "m", "elasticsearch", {1, target}).model);
  };
  EXPECT_EQ(missing(right, ""), 2);
  EXPECT_EQ(missing(left, ""), -1);
  EXPECT_EQ(missing(right, "opensearch:2"), -1);
  EXPECT_EQ(missing(left, "opensearch:3.3"), 2);
  EXPECT_EQ(missing(left, "opensearch:3.8"), -1);
  EXPECT_THROW(missing(left, "solr:9"), Error);
}

}  // namespace
}  // namespace podium::search_engine_test
