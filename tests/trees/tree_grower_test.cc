// The contract of tree_grower.h, for every device of this build.
#include "trees/tree_grower.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "support/test_device.h"
#include "trees/derivative_scale.h"
#include "trees/grown_tree.h"
#include "trees/tree_data.h"

namespace podium::tree_grower_test {
namespace {

using testing::Bench;
using testing::draw_slopes;
using testing::GrownTree;
using testing::mixed_data;
using testing::OneTreeGrower;
using testing::same_tree;
using testing::Slopes;

class TreeGrowerOn : public ::testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, TreeGrowerOn, ::testing::Values(Device{}, testing::test_device()),
                         [](const auto& info) {
                           return std::string(info.param.kind == Device::Kind::cpu ? "cpu"
                                                                                   : "device");
                         });

// Binned data with the device's context.
struct Site {
  Site(const Dataset& data, Device device, int threads = 1) : bench(threads) {
    bench.context.device = device;
    binned.emplace(BinnedDataset::bin(data, {}, bench.context));
  }
  std::unique_ptr<TreeGrower> grower(const TreeOptions& options, std::size_t outputs) {
    return make_tree_grower({.data = *binned,
                             .options = options,
                             .outputs = outputs,
                             .counted_documents = static_cast<double>(binned->documents())},
                            bench.context);
  }
  Bench bench;
  std::optional<BinnedDataset> binned;
};

// Writes the slopes of one output; the grower stores several outputs interleaved.
void write(TreeGrower& grower, std::size_t output, std::size_t outputs, const Slopes& slopes) {
  const auto buffers = grower.derivatives();
  for (std::size_t i = 0; i < slopes.first.size(); ++i) {
    buffers.first[i * outputs + output] = slopes.first[i];
    buffers.second[i * outputs + output] = slopes.second[i];
  }
}

Slopes scaled(Slopes slopes, const DerivativeScale& scale) {
  for (double& g : slopes.first) g = scale.first(g);
  for (double& h : slopes.second) h = scale.second(h);
  return slopes;
}

TEST_P(TreeGrowerOn, GrowsTheBuildersTreesOnScaledDerivatives) {
  const Dataset data = mixed_data(30, 40, 17, 1);
  Site site(data, GetParam());
  constexpr std::size_t kOutputs = 3;
  const TreeOptions options{.l2 = 0.5};
  const auto grower = site.grower(options, kOutputs);
  OneTreeGrower builder(*site.binned, options, site.bench.context);
  for (std::size_t k = 0; k < kOutputs; ++k) write(*grower, k, kOutputs, draw_slopes(data, 10 + k));
  for (std::size_t k = 0; k < kOutputs; ++k) {
    const Slopes slopes = draw_slopes(data, 10 + k);
    const double curvature =
        std::accumulate(slopes.second.begin(), slopes.second.end(), 0.0);  // approximately
    const auto documents = static_cast<double>(data.documents());
    const double total = output_total(slopes.second, 1, 0, site.bench.context);
    EXPECT_NEAR(total, curvature, 1e-9 * curvature);
    const DerivativeScale scale = DerivativeScale::of(total, documents);
    const Slopes target = scaled(slopes, scale);
    GrownTree expected = builder.grow(target.first, target.second, {}, 7 + k);
    for (Tree::Node& node : expected.tree.nodes) node.gain *= scale.unit;
    const Tree tree = grower->grow({.output = k, .number = 7 + k});
    EXPECT_TRUE(same_tree(tree, expected.tree));
    std::vector<double> leaves(tree.values.size()), found(data.documents());
    std::iota(leaves.begin(), leaves.end(), 0.0);
    grower->look_up(k, leaves, found);
    EXPECT_EQ(found, std::vector<double>(expected.leaf_of.begin(), expected.leaf_of.end()));
  }
}

TEST_P(TreeGrowerOn, AddsTheGivenValues) {
  const Dataset data = mixed_data(20, 30, 9, 2);
  Site site(data, GetParam(), 2);
  const auto grower = site.grower({.leaves = 6}, 2);
  std::vector<double> expected(2 * data.documents());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 0.1 * static_cast<double>(i % 7);
  grower->set_scores(expected);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), grower->scores().begin()));
  std::vector<std::uint32_t> sample;  // others change too
  for (std::uint32_t d = 0; d < data.documents(); d += 3) sample.push_back(d);
  std::vector<Tree> trees;
  for (std::size_t k = 0; k < 2; ++k) write(*grower, k, 2, draw_slopes(data, k));
  for (std::size_t k = 0; k < 2; ++k)
    trees.push_back(grower->grow({.output = k, .sample = sample, .number = k}));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), grower->scores().begin()));
  std::vector<float> row(data.features());
  for (std::size_t k = 0; k < 2; ++k) {
    for (double& value : trees[k].values) value *= 0.3;
    grower->add(k, trees[k].values);
    for (std::size_t d = 0; d < data.documents(); ++d) {
      data.rows(0, data.documents()).copy(d, row);
      expected[2 * d + k] += trees[k].values[testing::leaf_by_values(trees[k], row)];
    }
  }
  EXPECT_EQ(std::vector<double>(grower->scores().begin(), grower->scores().end()), expected);
}

TEST_P(TreeGrowerOn, GradientValuesAreInTheLossesUnits) {
  const Dataset data = mixed_data(20, 30, 9, 3);
  Site site(data, GetParam());
  const TreeOptions options{.leaf_value = TreeOptions::LeafValue::gradient};
  const auto grower = site.grower(options, 1);
  const Slopes slopes = draw_slopes(data, 3);
  write(*grower, 0, 1, slopes);
  OneTreeGrower builder(*site.binned, options, site.bench.context);
  EXPECT_TRUE(same_tree(grower->grow({}), builder.grow(slopes.first, {}, {}, 1).tree));
}

TEST_P(TreeGrowerOn, WithoutCurvatureEachDocumentCountsAsOne) {
  const Dataset data = mixed_data(20, 30, 9, 4);
  Site site(data, GetParam());
  const auto grower = site.grower({}, 1);
  Slopes slopes = draw_slopes(data, 4);
  std::fill(slopes.second.begin(), slopes.second.end(), 0.0);
  write(*grower, 0, 1, slopes);
  OneTreeGrower builder(*site.binned, {}, site.bench.context);
  EXPECT_TRUE(same_tree(grower->grow({}), builder.grow(slopes.first, {}, {}, 1).tree));
}

TEST_P(TreeGrowerOn, AnErrorChangesNoScore) {
  const Dataset data = mixed_data(5, 20, 9, 5);
  Site site(data, GetParam());
  const auto grower = site.grower({}, 1);
  grower->set_scores(std::vector<double>(data.documents(), 0.5));
  Slopes slopes = draw_slopes(data, 5);
  slopes.first[3] = std::nan("");
  write(*grower, 0, 1, slopes);
  EXPECT_THROW(grower->grow({}), Error);
  for (const double score : grower->scores()) EXPECT_EQ(score, 0.5);
  EXPECT_THROW(site.grower({.leaves = 0}, 1), Error);
}

TEST(TreeGrower, AGpuThatIsNotThereIsAnError) {
  const Dataset data = mixed_data(2, 10, 4, 6);
  Site site(data, {});
  site.bench.context.device = {Device::Kind::cuda, 99};
  EXPECT_THROW(site.grower({}, 1), Error);
}

}  // namespace
}  // namespace podium::tree_grower_test
