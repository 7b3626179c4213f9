// Types of columns: what a model keeps of them, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/training.h"
#include "support/toy_data.h"

namespace podium::category_refusal_test {
namespace {

Dataset with_brand(const Dataset& data) {
  DatasetParts parts = data.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  for (std::size_t i = 1; i < values.size(); i += data.features()) values[i] = values[i] > 0.5F;
  parts.dense = std::move(values);
  parts.feature_names = {"price", "brand", "age"};
  parts.schema =
      FeatureSchema({{1, make_strings(std::vector<std::string>{"acme", "zenith"})}}, {"url"});
  return Dataset(std::move(parts));
}

TEST(CategoryRefusal, DoesNotOccurWithoutTheFeature) {
  const Dataset data = with_brand(testing::noisy_linear(4, 5, 3, 1));
  testing::Bench bench;
  TrainingSpec spec{.learner = "linear"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  spec.preparation.features = "price,age";
  const SavedModel model = train(spec, data, nullptr, bench.context);
  EXPECT_TRUE(model.schema.all_numbers());
  EXPECT_THAT(model.schema.ignored(), ::testing::ElementsAre("url"));
  EXPECT_EQ(score(model, data, bench.context).size(), data.documents());
}

TEST(CategoryRefusal, ValidationDataHasTheTypesOfTheTrainingData) {
  const Dataset numbers = testing::noisy_linear(4, 5, 3, 1);
  DatasetParts parts = with_brand(numbers).parts();
  parts.feature_names = numbers.feature_names();
  const Dataset valid(std::move(parts));
  testing::Bench bench;
  TrainingSpec spec{.learner = "linear"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  try {
    train(spec, numbers, &valid, bench.context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("feature '2' is a number, but this data has categories"));
  }
}

}  // namespace
}  // namespace podium::category_refusal_test
