#include "experiments/model_directions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace podium {
namespace {

SavedModel linear(std::vector<std::string> features, std::vector<double> weights) {
  SavedModel saved;
  saved.features = std::move(features);
  saved.model = Linear{std::move(weights), 0.0};
  return saved;
}

TEST(ModelDirections, LengthDoesNotMatterAndFeaturesGoByName) {
  const Direction a = direction_of(linear({"x", "y"}, {1, 2}));
  EXPECT_NEAR(cosine(a, direction_of(linear({"y", "x"}, {20, 10}))), 1, 1e-15);
  EXPECT_NEAR(cosine(a, direction_of(linear({"x", "y"}, {-1, -2}))), -1, 1e-15);
  EXPECT_NEAR(cosine(a, direction_of(linear({"x", "y"}, {2, -1}))), 0, 1e-15);
  EXPECT_NEAR(cosine(a, direction_of(linear({"y"}, {3}))), 2 / std::sqrt(5.0), 1e-15);
}

TEST(ModelDirections, OtherModelsAndZeroWeightsHaveNone) {
  EXPECT_TRUE(direction_of(linear({"x"}, {0})).empty());
  SavedModel forest;
  forest.model = Forest{};
  EXPECT_TRUE(direction_of(forest).empty());
}

TEST(ModelDirections, GroupsThoseThatAgreeInEveryFold) {
  const Direction up = direction_of(linear({"x", "y"}, {1, 1}));
  const Direction near = direction_of(linear({"x", "y"}, {1, 1.2}));
  const Direction far = direction_of(linear({"x", "y"}, {1, 2}));
  const auto groups = same_directions({{up, up}, {far, far}, {near, up}, {up, far}, {up, {}}});
  ASSERT_EQ(groups.size(), 1);
  EXPECT_EQ(groups[0], (std::vector<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace podium
