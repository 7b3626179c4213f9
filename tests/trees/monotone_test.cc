// Monotone constraints hold for the whole tree, on any input.
#include <cmath>

#include <gtest/gtest.h>

#include "trees/grown_tree.h"
#include "trees/tree_data.h"

namespace podium::monotone_test {
namespace {

using testing::Bench;
using testing::OneTreeGrower;

// Features 0 and 1 roughly raise and lower the target; 2 and 3 are unrelated.
struct Problem {
  Dataset data;
  std::vector<double> first, second;
};

Problem draw(std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values;
  Problem problem;
  const std::size_t n = 3000;
  for (std::size_t d = 0; d < n; ++d) {
    double x[4];
    for (double& each : x) {
      each = random.uniform();
      values.push_back(static_cast<float>(each));
    }
    const double target = x[0] + std::sin(20 * x[0]) - x[1] + std::cos(15 * x[1]) +
                          std::sin(9 * x[2] * x[0]) + x[3] * x[1] + random.uniform();
    const double weight = 0.1 + random.uniform();
    problem.first.push_back(-weight * target);
    problem.second.push_back(weight);
  }
  problem.data = testing::make_dataset({n}, 4, std::move(values), std::vector<float>(n));
  return problem;
}

double value_of(const Tree& tree, std::span<const float> row) {
  return tree.values[testing::leaf_by_values(tree, row)];
}

// The largest step against `way` along a feature, from random points.
double worst_step(const Tree& tree, std::size_t feature, int way) {
  Random random(77);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<float> row(4);
    for (float& x : row) x = static_cast<float>(random.uniform() * 1.4 - 0.2);
    double before = 0;
    for (int step = 0; step <= 120; ++step) {
      row[feature] = static_cast<float>(-0.1 + 0.01 * step);
      const double now = value_of(tree, row);
      if (step > 0) worst = std::max(worst, way * (before - now));
      before = now;
    }
  }
  return worst;
}

TEST(MonotoneConstraints, HoldOnAGrid) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Problem problem = draw(seed);
    Bench bench;
    const BinnedDataset binned = BinnedDataset::bin(problem.data, {}, bench.context);
    for (const auto kind : {TreeOptions::LeafValue::newton, TreeOptions::LeafValue::gradient}) {
      TreeOptions options{.leaves = 60, .min_docs = 5, .leaf_value = kind};
      const Tree free = OneTreeGrower(binned, options, bench.context)
                            .grow(problem.first, problem.second, {}, seed)
                            .tree;
      EXPECT_GT(worst_step(free, 0, 1), 0.1);
      EXPECT_GT(worst_step(free, 1, -1), 0.1);
      options.monotone = {1, -1, 0, 0};
      const Tree bound = OneTreeGrower(binned, options, bench.context)
                             .grow(problem.first, problem.second, {}, seed)
                             .tree;
      EXPECT_EQ(worst_step(bound, 0, 1), 0);
      EXPECT_EQ(worst_step(bound, 1, -1), 0);
      // The constrained features are still used, and the tree still learns.
      std::vector<int> used(4);
      for (const Tree::Node& node : bound.nodes) ++used[node.feature];
      EXPECT_GT(used[0], 0);
      EXPECT_GT(used[1], 0);
      EXPECT_GT(bound.values.size(), 20U);
    }
  }
}

TEST(MonotoneConstraints, HoldInObliviousTrees) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Problem problem = draw(seed);
    Bench bench;
    const BinnedDataset binned = BinnedDataset::bin(problem.data, {}, bench.context);
    TreeOptions options{.shape = TreeOptions::Shape::oblivious, .max_depth = 7, .min_docs = 5};
    const Tree free = OneTreeGrower(binned, options, bench.context)
                          .grow(problem.first, problem.second, {}, seed)
                          .tree;
    EXPECT_GT(worst_step(free, 0, 1) + worst_step(free, 1, -1), 0.1);
    options.monotone = {1, -1, 0, 0};
    const Tree bound = OneTreeGrower(binned, options, bench.context)
                           .grow(problem.first, problem.second, {}, seed)
                           .tree;
    EXPECT_EQ(worst_step(bound, 0, 1), 0);
    EXPECT_EQ(worst_step(bound, 1, -1), 0);
    EXPECT_GT(bound.values.size(), 20U);
  }
}

TEST(MonotoneConstraints, WithoutEffectGiveTheUnconstrainedTree) {
  const Problem problem = draw(9);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(problem.data, {}, bench.context);
  TreeOptions options{.leaves = 20};
  const Tree free =
      OneTreeGrower(binned, options, bench.context).grow(problem.first, problem.second, {}, 1).tree;
  options.monotone = {0, 0, 0, 0};
  const Tree other =
      OneTreeGrower(binned, options, bench.context).grow(problem.first, problem.second, {}, 1).tree;
  ASSERT_EQ(free.nodes.size(), other.nodes.size());
  EXPECT_EQ(free.values, other.values);
  for (std::size_t i = 0; i < free.nodes.size(); ++i)
    EXPECT_NEAR(free.nodes[i].gain, other.nodes[i].gain, 1e-9 * free.nodes[i].gain);
}

}  // namespace
}  // namespace podium::monotone_test
