// Categories in transforms, cleaning and descriptions.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "data/preparation_support.h"
#include "podium/describe.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::category_transform_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::kMissing;
using testing::same_values;

Strings strings(const std::vector<std::string>& values) {
  return make_strings(values);
}

// brand, price.
Dataset shop(std::vector<std::string> brands, std::vector<float> values) {
  const std::size_t documents = values.size() / 2;
  std::vector<float> labels;
  for (std::size_t d = 0; d < documents; ++d) labels.push_back(static_cast<float>(d % 2));
  DatasetParts parts =
      testing::make_dataset({documents}, 2, std::move(values), std::move(labels)).parts();
  parts.feature_names = {"brand", "price"};
  parts.schema = FeatureSchema({{0, strings(brands)}}, {"url"});
  return Dataset(std::move(parts));
}

const Dataset kTrain = shop({"a", "c", "d"}, {0, 10, 1, 20, 2, 40, kMissing, 30});

TEST(CategoryTransform, KeepsCategoriesUnchanged) {
  Bench bench;
  for (const auto normalization : {Normalization::query_minmax, Normalization::query_zscore,
                                   Normalization::query_percentile}) {
    TransformOptions options;
    options.normalize = normalization;
    options.log1p = true;
    const Transform transform = fit_transform(options, kTrain, bench.context);
    for (const Dataset& data : {kTrain, testing::to_sparse(kTrain)}) {
      const Dataset out = apply(transform, data, bench.context);
      EXPECT_EQ(out.schema().hash(), kTrain.schema().hash());
      EXPECT_THAT(out.schema().ignored(), ElementsAre("url"));
      const auto values = all_values(out);
      EXPECT_THAT(std::vector<float>({values[0], values[2], values[4]}), ElementsAre(0, 1, 2));
      EXPECT_TRUE(std::isnan(values[6]));
      EXPECT_NE(values[1], 10);
    }
  }
}

TEST(CategoryTransform, CutsNumbersOnly) {
  Bench bench;
  TransformOptions options;
  options.bins = 2;
  for (const Dataset& data : {kTrain, testing::to_sparse(kTrain)}) {
    const Transform transform = fit_transform(options, data, bench.context);
    EXPECT_TRUE(transform.thresholds[0].empty());
    const Dataset out = apply(transform, data, bench.context);
    EXPECT_THAT(out.feature_names(), ElementsAre("brand", "price>20", "price>30"));
    EXPECT_EQ(out.schema().type(0), FeatureType::category);
    EXPECT_EQ(out.schema().type(1), FeatureType::number);
    EXPECT_TRUE(same_values(all_values(out), {0, 0, 0, 1, 0, 0, 2, 1, 1, kMissing, 1, 0}));
  }
}

TEST(CategoryTransform, MapsOtherDataToItsCodes) {
  Bench bench;
  const Transform transform = fit_transform({}, kTrain, bench.context);
  const Dataset other = shop({"b", "c", "d"}, {0, 1, 1, 2, 2, 3, kMissing, 0});
  for (const Dataset& data :
       {other, testing::to_sparse(other), testing::to_sparse(other, kMissing)}) {
    const Dataset out = apply(transform, data, bench.context);
    EXPECT_EQ(out.schema().hash(), kTrain.schema().hash());
    EXPECT_TRUE(same_values(all_values(out), {kMissing, 1, 1, 2, 2, 3, kMissing, 0}));
  }
  // The same values: nothing to do.
  const Dataset same = apply(transform, kTrain, bench.context);
  EXPECT_EQ(same.parts().dense.view().data(), kTrain.parts().dense.view().data());
}

TEST(CategoryTransform, RefusesNumbersForCategoriesAndViceVersa) {
  Bench bench;
  const Transform transform = fit_transform({}, kTrain, bench.context);
  DatasetParts numbers = kTrain.parts();
  numbers.schema = {};
  EXPECT_THAT(error_of([&] { apply(transform, Dataset(numbers), bench.context); }),
              HasSubstr("feature 'brand' is a category, but this data has numbers for it: read it "
                        "with ‹categorical brand›"));
  numbers.schema = FeatureSchema({{0, strings({"a"})}, {1, strings({"b"})}});
  EXPECT_THAT(error_of([&] { apply(transform, Dataset(numbers), bench.context); }),
              HasSubstr("feature 'price' is a number, but this data has categories for it"));
}

TEST(CategoryTransform, SelectsFeaturesWithTheirTypes) {
  Bench bench;
  TransformOptions options;
  options.features = "price";
  const Transform transform = fit_transform(options, kTrain, bench.context);
  EXPECT_TRUE(transform.schema.all_numbers());
  EXPECT_TRUE(apply(transform, kTrain, bench.context).schema().all_numbers());
  Transform turned;
  turned.features = {"price", "brand"};
  EXPECT_EQ(apply(turned, kTrain, bench.context).schema().type(1), FeatureType::category);
}

TEST(CategoryTransform, FeatureThatNoRowMentionsIsZeroOrMissing) {
  Bench bench;
  testing::FromMemory from;
  from.options.categorical = "3";
  const Dataset train = from.letor("0 qid:1 1:1 3:4\n0 qid:1 1:2\n");
  const Transform transform = fit_transform({}, train, bench.context);
  testing::FromMemory plain;
  const Dataset narrow = plain.letor("0 qid:1 1:1 2:1\n");
  EXPECT_THAT(all_values(apply(transform, narrow, bench.context)), ElementsAre(1, 1, 0));
  const Dataset always = from.letor("0 qid:1 1:1 3:4\n0 qid:1 1:2 3:5\n");
  const Dataset out = apply(fit_transform({}, always, bench.context), narrow, bench.context);
  EXPECT_TRUE(same_values(all_values(out), {1, 1, kMissing}));
}

TEST(CategoryTransform, HasAJsonForm) {
  Bench bench;
  TransformOptions options;
  options.bins = 2;
  const Transform transform = fit_transform(options, kTrain, bench.context);
  const std::string json = to_json(transform);
  EXPECT_THAT(json, HasSubstr(R"("schema":{"brand":{"type":"category","values":["a","c","d"]},)"));
  const Transform back = transform_from_json(json, "t.json");
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.schema.hash(), transform.schema.hash());
  EXPECT_THAT(to_json(Transform()), ::testing::Not(HasSubstr("schema")));
  EXPECT_THAT(error_of([] {
                transform_from_json(
                    R"({"format":"podium-transform","version":1,"schema":{"x":{"type":"y"}}})",
                    "t.json");
              }),
              HasSubstr("t.json: bad schema: 'x' is neither"));
}

TEST(CategoryTransform, CleaningUsesIndicatorsOfCategories) {
  Bench bench;
  // Labels alternate. Codes 0 and 1 with the same price differ; the last two are equal.
  const Dataset data = shop({"a", "b"}, {0, 1, 1, 1, 0, 5, 0, 5, kMissing, 0});
  for (const Dataset& stored : {data, testing::to_sparse(data)}) {
    EXPECT_EQ(drop_zero_vectors(stored, bench.context).documents(), 4U);
    const Dataset kept = drop_conflicts(stored, 0.99, bench.context);
    EXPECT_EQ(kept.documents(), 3U);
    EXPECT_EQ(kept.schema().hash(), data.schema().hash());
  }
}

TEST(CategoryTransform, DescriptionHasTypes) {
  Bench bench;
  DatasetParts parts = testing::make_dataset({2}, 4, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1}).parts();
  parts.schema = FeatureSchema(
      {{1, strings({"a", "b"})}, {2, strings({"a", "c"})}, {3, strings({"a", "b"})}}, {"url"});
  const DataDescription description = describe(Dataset(std::move(parts)), bench.context);
  EXPECT_EQ(description.feature[0].type, FeatureType::number);
  EXPECT_EQ(description.feature[1].type, FeatureType::category);
  EXPECT_EQ(description.feature[1].categories, 2U);
  EXPECT_THAT(description.duplicate_features,
              ElementsAre(std::pair<std::size_t, std::size_t>(3, 1)));
  EXPECT_THAT(description.ignored, ElementsAre("url"));
}

}  // namespace
}  // namespace podium::category_transform_test
