// Where formats differ from Podium in edge cases: missing values, the largest float, and numbers
// close to 0.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "models/export_checks.h"

namespace podium::export_edges_test {
namespace {

using testing::carries_missing;
using testing::expect_holds;
using testing::Gaps;
using ::testing::HasSubstr;
using testing::kFeatures;
using testing::plain_forest;
using testing::refusal;

TEST(ExportEdges, VerificationTreatsMissingValuesAsTheFileDoes) {
  testing::Bench bench;
  Random random(3);
  const Dataset dense = testing::finite_data(100, kFeatures, Gaps::some, random);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  ExportOptions zero;
  zero.missing = ExportOptions::Missing::zero;
  for (const ExportFormat& format : export_formats())
    for (const Dataset& data : {dense, testing::to_sparse_rows(dense, nan)}) {
      if (carries_missing(format.name)) continue;
      std::vector<SavedModel> models = {testing::saved_model(plain_forest(random))};
      if (find_exporter(format.name).mlp)
        models.push_back(testing::saved_model(
            testing::random_mlp({kFeatures, 5}, Mlp::Activation::relu, random)));
      for (const SavedModel& model : models) {
        EXPECT_TRUE(
            verify_export(model, export_model(model, format.name, zero), data, bench.context)
                .holds())
            << format.name;
        EXPECT_FALSE(
            verify_export(model, export_model(model, format.name), data, bench.context).holds())
            << format.name;
      }
    }
}

TEST(ExportEdges, TheLargestThresholdSendsAllValuesLeft) {
  const float largest = std::numeric_limits<float>::max();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Dataset values = testing::make_dataset(
      {5}, 1, std::vector<float>{largest, std::nextafter(largest, 0.0F), -largest, 0, nan},
      std::vector<float>(5));
  for (const ExportFormat& format : export_formats())
    for (const auto missing : {Tree::Node::Missing::left, Tree::Node::Missing::right})
      for (const float threshold :
           {largest, std::nextafter(largest, 0.0F), -largest, std::nextafter(-largest, 0.0F)}) {
        if (!carries_missing(format.name) && missing == Tree::Node::Missing::right) continue;
        Forest forest;
        forest.features = 1;
        forest.base = {0};
        Tree tree;
        tree.nodes = {{0, threshold, missing, 1, ~0, 1, 15}, {0, 0, missing, ~1, ~2, 1, 10}};
        tree.values = {1, 2, 4};
        tree.leaf_documents = {5, 5, 5};
        forest.trees = {tree};
        ExportOptions options;
        options.missing = ExportOptions::Missing::zero;
        expect_holds(testing::saved_model(forest), format.name, values, options);
      }
}

TEST(ExportEdges, LightGbmTreatsValuesCloseToZeroAsZero) {
  testing::Bench bench;
  const auto stump = [](float threshold) {
    Forest forest;
    forest.features = 1;
    forest.base = {0};
    Tree tree;
    tree.nodes = {{0, threshold, Tree::Node::Missing::left, ~0, ~1, 1, 10}};
    tree.values = {-1, 1};
    tree.leaf_documents = {5, 5};
    forest.trees = {tree};
    return testing::saved_model(forest);
  };
  const auto holds = [&](float threshold, float x) {
    const SavedModel model = stump(threshold);
    const Dataset data = testing::make_dataset({2}, 1, std::vector<float>{x, 1}, {0, 0});
    return verify_export(model, export_model(model, "lightgbm"), data, bench.context).holds();
  };
  constexpr float kZero = 1e-35F;
  const float above = std::nextafter(kZero, 1.0F);
  for (const float t : {0.0F, -0.0F, kZero, -above, -1e-45F, 1e-34F})
    for (const float x : {0.0F, -0.0F, above, -above, 1e-34F, -1e-34F})
      EXPECT_TRUE(holds(t, x)) << x << " at " << t;
  for (const float x : {1e-45F, 1e-36F, kZero}) {
    EXPECT_FALSE(holds(0, x)) << x;
    EXPECT_FALSE(holds(-1e-45F, -x)) << x;
    EXPECT_TRUE(holds(kZero, x)) << x;
  }
  for (const float t : {3e-45F, 1e-38F, std::nextafter(kZero, 0.0F), -3e-45F, -kZero}) {
    EXPECT_THAT(refusal(stump(t), "lightgbm"), HasSubstr("takes all values from -1e-35 to 1e-35"));
    for (const ExportFormat& format : export_formats())
      if (format.name != "lightgbm") {
        EXPECT_EQ(refusal(stump(t), format.name), "") << format.name;
      }
  }
}

}  // namespace
}  // namespace podium::export_edges_test
