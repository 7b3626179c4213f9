#include "podium/explain.h"

#include <bit>
#include <numeric>

#include <gtest/gtest.h>

#include "models/explain/gauss_legendre.h"
#include "models/explain/integrated_gradients.h"
#include "models/explain/tree_shap.h"
#include "models/export_support.h"
#include "models/forest/forest.h"

namespace podium::explain_test {
namespace {

using testing::Gaps;

constexpr std::size_t kFeatures = 5;

double total(const Explanation& why) {
  return std::accumulate(why.contributions.begin(), why.contributions.end(), why.base);
}

double documents_below(const Tree& tree, std::int32_t at) {
  if (at < 0) return static_cast<double>(tree.leaf_documents[static_cast<std::size_t>(~at)]);
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
  return documents_below(tree, node.left) + documents_below(tree, node.right);
}

// The game itself: the expected value of the tree if the features of the coalition are known.
double game(const Tree& tree, std::int32_t at, const float* x, unsigned coalition) {
  if (at < 0) return tree.values[static_cast<std::size_t>(~at)];
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
  if (coalition >> node.feature & 1)
    return game(tree, tree.child(static_cast<std::size_t>(at), x[node.feature]), x, coalition);
  const double left = documents_below(tree, node.left), right = documents_below(tree, node.right);
  const double share = left + right > 0 ? left / (left + right) : 0.5;
  return share * game(tree, node.left, x, coalition) +
         (1 - share) * game(tree, node.right, x, coalition);
}

// Shapley's definition over all coalitions.
std::vector<double> brute_force(const Tree& tree, const float* x) {
  std::vector<double> factorial = {1};
  for (std::size_t k = 1; k <= kFeatures; ++k)
    factorial.push_back(factorial.back() * static_cast<double>(k));
  std::vector<double> out(kFeatures);
  const std::int32_t root = tree.nodes.empty() ? ~0 : 0;
  for (unsigned coalition = 0; coalition < 1U << kFeatures; ++coalition)
    for (std::size_t f = 0; f < kFeatures; ++f) {
      if (coalition >> f & 1) continue;
      const auto size = static_cast<std::size_t>(std::popcount(coalition));
      const double weight =
          factorial[size] * factorial[kFeatures - size - 1] / factorial[kFeatures];
      out[f] +=
          weight * (game(tree, root, x, coalition | 1U << f) - game(tree, root, x, coalition));
    }
  return out;
}

TEST(TreeShap, EqualsShapleysDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto shape = std::array{testing::Shape::bushy, testing::Shape::left_chain,
                                  testing::Shape::right_chain}[seed % 3];
    Tree tree = testing::random_tree(1 + random.below(14), kFeatures, shape, random);
    // Leaves that no document reached, and trees without counts.
    for (std::uint64_t& count : tree.leaf_documents)
      if (seed % 5 == 0 || random.below(4) == 0) count = 0;
    const TreeShap shap(tree);
    EXPECT_NEAR(shap.expected(), game(tree, tree.nodes.empty() ? ~0 : 0, nullptr, 0), 1e-14);
    const Dataset data = testing::finite_data(10, kFeatures, Gaps::some, random);
    for (std::size_t i = 0; i < data.documents(); ++i) {
      const float* const x = data.rows(i, i + 1).dense(0).data();
      std::vector<double> found(kFeatures);
      shap.add(x, 1, found);
      const std::vector<double> expected = brute_force(tree, x);
      for (std::size_t f = 0; f < kFeatures; ++f)
        EXPECT_NEAR(found[f], expected[f], 1e-13) << "seed " << seed << ", feature " << f;
    }
  }
}

TEST(TreeShap, DeepTreesAddUp) {
  Random random(5);
  const std::size_t features = 300;
  const Tree tree = testing::random_tree(400, features, testing::Shape::left_chain, random);
  const TreeShap shap(tree);
  const Dataset data = testing::finite_data(6, features, Gaps::none, random);
  for (std::size_t i = 0; i < data.documents(); ++i) {
    const float* const x = data.rows(i, i + 1).dense(0).data();
    std::vector<double> found(features);
    shap.add(x, 1, found);
    EXPECT_NEAR(std::accumulate(found.begin(), found.end(), shap.expected()),
                tree.values[find_leaf(tree, x)], 1e-11);
  }
  EXPECT_ANY_THROW(
      TreeShap(testing::random_tree(1500, features, testing::Shape::right_chain, random)));
}

TEST(Explain, ForestsAddUpToTheScore) {
  testing::Bench bench;
  const Link links[] = {
      {}, {Link::Kind::softmax, {0, 0.1, 2}}, {Link::Kind::cumulative, {-1, 1.0 / 3, 3}}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    Forest forest = testing::random_forest(30, 30, kFeatures, links[seed % 3], random);
    if (seed % 2) forest.offset_feature = 3;
    const Dataset data = testing::finite_data(40, kFeatures, Gaps::some, random);
    const std::vector<double> scores = score(Model(forest), data, bench.context);
    const auto explained = explain(Model(forest), data, bench.context);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_EQ(explained[i].score, scores[i]);
      EXPECT_NEAR(total(explained[i]), scores[i], 1e-9);
      EXPECT_NEAR(total(explained[i]) + explained[i].rest, scores[i], 1e-14);
    }
  }
}

TEST(Explain, LinearTermsAreWeightTimesValue) {
  testing::Bench bench;
  const SavedModel model = testing::saved_model(Linear{{2, -1, 0.5}, 0.25});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Dataset data = testing::make_dataset({2}, 3, {1, 2, 3, nan, 4, -2}, {0, 0});
  const auto explained = explain(model, data, bench.context);
  EXPECT_EQ(explained[0].base, 0.25);
  EXPECT_EQ(explained[0].contributions, (std::vector<double>{2, -2, 1.5}));
  EXPECT_EQ(explained[1].contributions, (std::vector<double>{0, -4, -1}));
  EXPECT_EQ(explained[1].rest, 0);
}

TEST(Explain, BinnedFeaturesAreExplainedAsAWhole) {
  testing::Bench bench;
  SavedModel model = testing::saved_model(Linear{{1, 2, 4}, 0}, {"a", "b"});
  model.features.resize(2);
  model.normalization.thresholds = {{0, 1}, {0.5F}};
  DatasetParts parts = testing::make_dataset({2}, 2, {2, 1, 0.5F, 0}, {0, 0}).parts();
  parts.feature_names = {"a", "b"};
  const auto explained = explain(model, Dataset(parts), bench.context);
  EXPECT_EQ(explained[0].contributions, (std::vector<double>{3, 4}));
  EXPECT_EQ(explained[1].contributions, (std::vector<double>{1, 0}));
}

TEST(Explain, PerceptronsAddUp) {
  testing::Bench bench;
  for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu})
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      Random random(seed);
      const Mlp mlp = testing::random_mlp(seed % 2 ? std::vector<std::size_t>{kFeatures, 8, 4}
                                                   : std::vector<std::size_t>{kFeatures},
                                          activation, random);
      const Dataset data = testing::finite_data(20, kFeatures, Gaps::some, random);
      const auto explained = explain(Model(mlp), data, bench.context);
      for (std::size_t i = 0; i < data.documents(); ++i) {
        const PathIntegral integral = integrate_gradients(mlp, data.rows(i, i + 1).dense(0).data());
        const double sum = std::accumulate(integral.contributions.begin(),
                                           integral.contributions.end(), integral.start);
        EXPECT_NEAR(sum, integral.end, 1e-9);                 // complete
        EXPECT_NEAR(integral.end, explained[i].score, 2e-5);  // single precision
        EXPECT_NEAR(total(explained[i]) + explained[i].rest, explained[i].score, 1e-12);
        EXPECT_EQ(explained[i].contributions[1], 0);  // a constant input
      }
    }
}

// The integral by a plain sum over many points.
TEST(Explain, IntegratedGradientsAreTheIntegral) {
  for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu}) {
    Random random(3);
    const Mlp mlp = testing::random_mlp({3, 6, 4}, activation, random);
    const float x[] = {0.7F, 0.1F, -0.9F};
    const PathIntegral exact = integrate_gradients(mlp, x);
    const double step = 1e-5;
    constexpr int kPoints = 4000;
    std::vector<double> sums(3);
    const auto score_at = [&](std::vector<float> at) {
      return integrate_gradients(mlp, at.data()).end;
    };
    for (int k = 0; k < kPoints; ++k) {
      const double t = (k + 0.5) / kPoints;
      for (std::size_t f = 0; f < 3; ++f) {
        std::vector<float> up(3), down(3);
        for (std::size_t g = 0; g < 3; ++g)
          up[g] = down[g] = static_cast<float>(mlp.mean[g] + t * (x[g] - mlp.mean[g]));
        up[f] += static_cast<float>(step * 50);
        down[f] -= static_cast<float>(step * 50);
        const double slope = (score_at(up) - score_at(down)) / (double{up[f]} - double{down[f]});
        sums[f] += slope * (x[f] - mlp.mean[f]) / kPoints;
      }
    }
    for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(exact.contributions[f], sums[f], 2e-3);
  }
}

TEST(GaussLegendre, IntegratesPolynomialsExactly) {
  for (std::size_t n = 1; n <= 60; ++n) {
    const Quadrature quadrature = gauss_legendre(n);
    for (std::size_t degree = 0; degree < 2 * n; ++degree) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += quadrature.weights[k] * std::pow(quadrature.points[k], static_cast<double>(degree));
      EXPECT_NEAR(sum, 1.0 / static_cast<double>(degree + 1), 1e-13) << n << ", " << degree;
    }
  }
}

}  // namespace
}  // namespace podium::explain_test
