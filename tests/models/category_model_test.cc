// Models with categories: their file, and matching data to them.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/export.h"
#include "podium/model.h"
#include "support/toy_data.h"

namespace podium::category_model_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Strings strings(const std::vector<std::string>& values) {
  return make_strings(values);
}

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// A stump on brand, whose values a and c have the codes 0 and 1: c goes right, a and missing values
// go left.
SavedModel sample() {
  SavedModel saved;
  saved.learner = "lambdamart";
  saved.measure = "nDCG@10";
  saved.features = {"brand", "price"};
  saved.schema = FeatureSchema({{0, strings({"a", "c"})}}, {"url"});
  Forest forest;
  forest.features = 2;
  Tree stump;
  stump.nodes = {{0, 0, Tree::Node::Missing::left, ~0, ~1, 0, 0}};
  stump.categories = {{0}};
  stump.values = {-1, 1};
  stump.leaf_documents = {0, 0};
  forest.trees = {stump};
  saved.model = forest;
  saved.missing = "split";
  return saved;
}

Dataset brands(const std::vector<std::string>& values, std::vector<float> codes) {
  std::vector<float> dense, labels(codes.size(), 0);
  for (const float code : codes) {
    dense.push_back(1);
    dense.push_back(code);
  }
  DatasetParts parts =
      testing::make_dataset({codes.size()}, 2, std::move(dense), std::move(labels)).parts();
  parts.feature_names = {"price", "brand"};
  if (!values.empty()) parts.schema = FeatureSchema({{1, strings(values)}});
  return Dataset(std::move(parts));
}

TEST(CategoryModel, FileKeepsTheSchema) {
  const std::string json = to_json(sample());
  EXPECT_THAT(json, HasSubstr(R"("schema")"));
  const SavedModel back = model_from_json(json, "m.json");
  EXPECT_EQ(back.schema.hash(), sample().schema.hash());
  EXPECT_THAT(back.schema.ignored(), ElementsAre("url"));
  EXPECT_EQ(to_json(back), json);
  SavedModel numbers = sample();
  numbers.schema = {};
  EXPECT_THAT(to_json(numbers), ::testing::Not(HasSubstr("schema")));
}

TEST(CategoryModel, FileWithAnotherSchemaIsRefused) {
  std::string json = to_json(sample());
  json.replace(json.rfind("brand"), 5, "brent");
  EXPECT_THAT(message_of([&] { model_from_json(json, "m.json"); }),
              HasSubstr("m.json: bad schema: 'brent' is no feature"));
}

TEST(CategoryModel, MatchesCategoriesByValue) {
  testing::Bench bench;
  const float missing = std::nanf("");
  const Dataset data = brands({"a", "b", "c"}, {0, 1, 2, missing});
  EXPECT_THAT(score(sample(), data, bench.context), ElementsAre(-1, -1, 1, -1));
  const Dataset inputs = prepare_inputs(sample(), data, bench.context);
  EXPECT_TRUE(std::isnan(inputs.rows(0).dense(1)[0]));
  EXPECT_EQ(inputs.rows(0).dense(2)[0], 1);
  EXPECT_THAT(CompiledModel(sample()).score(data), ElementsAre(-1, -1, 1, -1));
}

TEST(CategoryModel, RefusesOtherTypes) {
  testing::Bench bench;
  EXPECT_THAT(message_of([&] {
                score(sample(), brands({}, {0, 1}), bench.context);
              }),
              HasSubstr("feature 'brand' is a category, but this data has numbers"));
  SavedModel numbers = sample();
  numbers.schema = {};
  EXPECT_THAT(message_of([&] { score(numbers, brands({"a"}, {0}), bench.context); }),
              HasSubstr("feature 'brand' is a number, but this data has categories"));
}

TEST(CategoryModel, CategoriesAreOneInputNextToIndicators) {
  SavedModel saved = sample();
  saved.normalization.thresholds = {{}, {0.25F, 0.5F}};
  EXPECT_EQ(inputs_of(saved, 0), 1U);
  EXPECT_EQ(inputs_of(saved, 1), 2U);
  saved.model = Linear{{1, 10, 100}, 0};
  saved.missing = "zero";
  testing::Bench bench;
  EXPECT_THAT(score(saved, brands({"a", "c"}, {0, 1}), bench.context), ElementsAre(110, 111));
  EXPECT_EQ(to_json(model_from_json(to_json(saved), "m.json")), to_json(saved));
  saved.normalization.thresholds.pop_back();
  EXPECT_THAT(message_of([&] { model_from_json(to_json(saved), "m.json"); }),
              HasSubstr("thresholds for another number of features"));
}

TEST(CategoryModel, MissingValuesMustFollowUnknownOnesInLightGbm) {
  EXPECT_THAT(message_of([] { export_model(sample(), "lightgbm", {}); }),
              HasSubstr("sends missing values of the category 'brand' elsewhere than unknown"));
}

}  // namespace
}  // namespace podium::category_model_test
