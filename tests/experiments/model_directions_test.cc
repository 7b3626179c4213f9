#include "experiments/report/model_directions.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/toy_data.h"

namespace podium::model_directions_test {
namespace {

SavedModel linear(std::vector<std::string> features, std::vector<double> weights) {
  SavedModel saved;
  saved.features = std::move(features);
  saved.model = Linear{std::move(weights), 0.0};
  return saved;
}

// Two documents; feature f has the values 0 and widths[f].
Dataset inputs(std::vector<float> widths) {
  std::vector<float> values(widths.size());
  values.insert(values.end(), widths.begin(), widths.end());
  return testing::make_dataset({2}, widths.size(), values, {0, 1});
}

Direction direction(std::vector<std::string> features, std::vector<double> weights) {
  return direction_of(linear(features, std::move(weights)),
                      inputs(std::vector<float>(features.size(), 1)));
}

TEST(ModelDirections, LengthDoesNotMatterAndFeaturesAreMatchedByName) {
  const Direction a = direction({"x", "y"}, {1, 2});
  EXPECT_NEAR(cosine(a, direction({"y", "x"}, {20, 10})), 1, 1e-15);
  EXPECT_NEAR(cosine(a, direction({"x", "y"}, {-1, -2})), -1, 1e-15);
  EXPECT_NEAR(cosine(a, direction({"x", "y"}, {2, -1})), 0, 1e-15);
  EXPECT_NEAR(cosine(a, direction({"y"}, {3})), 2 / std::sqrt(5.0), 1e-15);
}

TEST(ModelDirections, FeaturesCountByTheirEffectOnTheScores) {
  const Dataset wide = inputs({1, 1e6F});
  const Direction a = direction_of(linear({"x", "y"}, {1, 0}), wide);
  const Direction b = direction_of(linear({"x", "y"}, {1, 0.04}), wide);
  EXPECT_LT(cosine(a, b), 0.001);
}

TEST(ModelDirections, DifferentlyPreparedFeaturesAreDifferent) {
  SavedModel scaled = linear({"x"}, {1});
  scaled.normalization.normalization = Normalization::query_minmax;
  EXPECT_EQ(cosine(direction({"x"}, {1}), direction_of(scaled, inputs({1}))), 0);
}

TEST(ModelDirections, OtherModelsAndZeroWeightsHaveNone) {
  EXPECT_TRUE(direction({"x"}, {0}).empty());
  SavedModel forest;
  forest.model = Forest{};
  EXPECT_TRUE(direction_of(forest, inputs({1})).empty());
}

TEST(ModelDirections, GroupsThoseThatAgreeInEveryFold) {
  const Direction up = direction({"x", "y"}, {1, 1});
  const Direction near = direction({"x", "y"}, {1, 1.2});
  const Direction far = direction({"x", "y"}, {1, 2});
  const auto groups = same_directions({{up, up}, {far, far}, {near, up}, {up, far}, {up, {}}});
  ASSERT_EQ(groups.size(), 1);
  EXPECT_EQ(groups[0], (std::vector<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace podium::model_directions_test
