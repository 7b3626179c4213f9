// Oblivious trees: against a short reference that tries every test on the documents of every leaf,
// and what they promise.
#include "trees/oblivious.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "trees/grown_tree.h"
#include "trees/tree_data.h"
#include "trees/tree_grower.h"

namespace podium::oblivious_test {
namespace {

using testing::Bench;
using testing::draw_slopes;
using testing::GrownTree;
using testing::mixed_data;
using testing::OneTreeGrower;
using testing::same_tree;
using testing::Slopes;
using Missing = Tree::Node::Missing;

using Documents = std::vector<std::uint32_t>;

struct Test {
  std::size_t column = 0;
  std::uint32_t bin = 0;
  Missing missing = Missing::right;
};

class Reference {
 public:
  Reference(const BinnedDataset& data, const QuantizedDerivatives& derivatives,
            const TreeOptions& options)
      : data_(data), derivatives_(derivatives), options_(options) {}

  // Each document's leaf, numbered as the grower numbers them.
  std::vector<std::uint32_t> grow() const {
    std::vector<Documents> leaves(1);
    for (std::uint32_t d = 0; d < data_.documents(); ++d) leaves[0].push_back(d);
    for (int level = 0; level < options_.max_depth; ++level) {
      const auto test = best_test(leaves);
      if (!test) break;
      for (std::size_t leaf = 0, before = leaves.size(); leaf < before; ++leaf) {
        auto [left, right] = divided(leaves[leaf], *test);
        if (gain(left, right) <= 0) continue;
        leaves[leaf] = std::move(left);
        leaves.push_back(std::move(right));
      }
    }
    std::vector<std::uint32_t> leaf_of(data_.documents());
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
      for (const std::uint32_t d : leaves[leaf]) leaf_of[d] = leaf;
    return leaf_of;
  }

 private:
  std::pair<Documents, Documents> divided(const Documents& leaf, const Test& test) const {
    std::pair<Documents, Documents> sides;
    for (const std::uint32_t d : leaf) {
      const std::uint32_t bin = data_.bin_of(test.column, d);
      const bool is_left = bin == data_.columns()[test.column].value_bins()
                               ? test.missing == Missing::left
                               : bin <= test.bin;
      (is_left ? sides.first : sides.second).push_back(d);
    }
    return sides;
  }
  DerivativeSums sums(const Documents& documents) const {
    DerivativeSums all;
    for (const std::uint32_t d : documents) all += unpack(derivatives_.words()[d]);
    return all;
  }
  double score(const DerivativeSums& s) const {
    const auto g = static_cast<double>(s.first);
    return g * g / (static_cast<double>(s.second) + options_.l2 / derivatives_.second_unit());
  }
  bool allowed(const DerivativeSums& s) const {
    return s.documents >= options_.min_docs &&
           static_cast<double>(s.second) >= options_.min_curvature / derivatives_.second_unit();
  }
  double gain(const Documents& left, const Documents& right) const {
    const DerivativeSums l = sums(left), r = sums(right);
    if (!allowed(l) || !allowed(r)) return 0;
    const double before = score(l + r), found = score(l) + score(r) - before;
    return found <= 1e-11 * before ? 0 : found;
  }

  std::optional<Test> best_test(const std::vector<Documents>& leaves) const {
    std::optional<Test> best;
    double most = 0;
    for (std::size_t c = 0; c < data_.columns().size(); ++c)
      for (std::uint32_t b = 0; b < data_.columns()[c].value_bins(); ++b)
        for (const Missing missing : {Missing::right, Missing::left}) {
          double sum = 0;
          for (const Documents& leaf : leaves) {
            const auto [left, right] = divided(leaf, {c, b, missing});
            sum += gain(left, right);
          }
          if (sum <= most * (1 + 1e-11)) continue;
          most = sum;
          best = Test{c, b, missing};
        }
    return best;
  }

  const BinnedDataset& data_;
  const QuantizedDerivatives& derivatives_;
  const TreeOptions& options_;
};

TreeOptions oblivious(int depth, std::int64_t min_docs = 5) {
  return {.shape = TreeOptions::Shape::oblivious, .max_depth = depth, .min_docs = min_docs};
}

RC_GTEST_PROP(Oblivious, EqualsTheReference, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  Random random(seed);
  const Dataset data = mixed_data(4, 10 + random.below(60), 9, seed);
  const Slopes slopes = draw_slopes(data, seed);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(
      data, {.max_bins = 2 + static_cast<int>(random.below(14)), .sparse_from = 0.8},
      bench.context);
  TreeOptions options = oblivious(1 + static_cast<int>(random.below(5)),
                                  1 + static_cast<std::int64_t>(random.below(8)));
  options.min_curvature = random.uniform();
  options.l2 = static_cast<double>(random.below(2));
  QuantizedDerivatives derivatives;
  derivatives.assign(slopes.first, slopes.second, {}, binned.keys(), options.l2, seed,
                     bench.context);
  const GrownTree grown =
      OneTreeGrower(binned, options, bench.context).grow(slopes.first, slopes.second, {}, seed);
  RC_ASSERT(grown.leaf_of == Reference(binned, derivatives, options).grow());
}

struct Problem {
  explicit Problem(std::uint64_t seed, int threads = 1)
      : bench(threads),
        data(mixed_data(60, 50, 17, seed)),
        slopes(draw_slopes(data, seed)),
        binned(BinnedDataset::bin(data, {}, bench.context)) {}
  GrownTree grow(const TreeOptions& options, const DocumentSample& sample = {}) {
    return OneTreeGrower(binned, options, bench.context)
        .grow(slopes.first, slopes.second, sample, 1);
  }
  Bench bench;
  Dataset data;
  Slopes slopes;
  BinnedDataset binned;
};

std::size_t tests_of(const Tree& tree) {
  std::set<std::tuple<std::uint32_t, float, Missing>> tests;
  for (const Tree::Node& node : tree.nodes)
    tests.insert({node.feature, node.threshold, node.missing});
  return tests.size();
}

TEST(Oblivious, HasOneTestPerLevelAndKeepsItsLimits) {
  for (int depth = 1; depth <= 7; ++depth) {
    Problem problem(static_cast<std::uint64_t>(depth));
    const Tree tree = problem.grow(oblivious(depth, 12)).tree;
    EXPECT_EQ(tests_of(tree), static_cast<std::size_t>(depth));
    EXPECT_LE(tree.values.size(), std::size_t{1} << depth);
    EXPECT_GT(tree.values.size(), static_cast<std::size_t>(depth));
    for (const std::uint64_t documents : tree.leaf_documents) EXPECT_GE(documents, 12U);
  }
}

TEST(Oblivious, EveryDocumentHasTheLeafOfItsValues) {
  Problem problem(3);
  Documents sample;
  for (std::uint32_t d = 0; d < problem.data.documents(); d += 1 + d % 3) sample.push_back(d);
  std::vector<float> row(problem.data.features());
  for (const bool all : {true, false}) {
    const GrownTree grown =
        problem.grow(oblivious(6, 3), all ? DocumentSample() : DocumentSample(sample));
    for (std::size_t d = 0; d < problem.data.documents(); ++d) {
      problem.data.rows(0, problem.data.documents()).copy(d, row);
      EXPECT_EQ(grown.leaf_of[d], testing::leaf_by_values(grown.tree, row));
    }
  }
}

TEST(Oblivious, SameTreeForAnyNumberOfThreads) {
  const Tree one = Problem(4).grow(oblivious(6)).tree;
  for (const int threads : {2, 4})
    EXPECT_TRUE(same_tree(Problem(4, threads).grow(oblivious(6)).tree, one)) << threads;
}

TEST(Oblivious, SameTreeForAnyNumberOfRanks) {
  Problem problem(5);
  const Tree expected = problem.grow(oblivious(5)).tree;
  for (const int ranks : {2, 3})
    run_in_threads(ranks, [&](Communicator& comm) {
      const auto mine = testing::queries_of_rank(60, comm.rank(), ranks);
      const Dataset part = select_queries(problem.data, mine);
      Slopes slopes;
      for (const std::size_t q : mine)
        for (std::size_t d = problem.data.begin(q); d < problem.data.end(q); ++d) {
          slopes.first.push_back(problem.slopes.first[d]);
          slopes.second.push_back(problem.slopes.second[d]);
        }
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const BinnedDataset binned = BinnedDataset::bin(part, {}, context);
      const Tree tree = OneTreeGrower(binned, oblivious(5), context)
                            .grow(slopes.first, slopes.second, {}, 1)
                            .tree;
      EXPECT_TRUE(same_tree(tree, expected)) << ranks;
    });
}

TEST(Oblivious, DroppedHistogramsAreComputedAgain) {
  Problem problem(6);
  TreeOptions options = oblivious(6, 3);
  const Tree expected = problem.grow(options).tree;
  EXPECT_GT(expected.values.size(), 30U);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 19}) {
    options.histogram_bytes = bytes;
    EXPECT_TRUE(same_tree(problem.grow(options).tree, expected));
  }
}

TEST(Oblivious, BranchesStayWithinAGroupOfFeatures) {
  Problem problem(7);
  TreeOptions options = oblivious(5);
  options.interactions = {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {8, 9, 10, 11, 12, 13, 14, 15, 16}};
  const Tree tree = problem.grow(options).tree;
  ASSERT_GT(tree.nodes.size(), 3U);
  std::set<std::uint32_t> used;
  for (const Tree::Node& node : tree.nodes) used.insert(node.feature);
  EXPECT_GT(used.size(), 1U);
  const auto within = [&](const std::vector<std::uint32_t>& group) {
    return std::includes(group.begin(), group.end(), used.begin(), used.end());
  };
  EXPECT_TRUE(within(options.interactions[0]) || within(options.interactions[1]));
}

TEST(Oblivious, ADeviceGrowsTheSameTree) {
  Problem problem(8);
  problem.bench.context.device.kind = Device::Kind::emulated;
  for (TreeOptions options : {oblivious(6, 3), oblivious(4)}) {
    options.l2 = 0.5;
    options.leaf_value = TreeOptions::LeafValue::gradient;
    if (options.max_depth == 4) options.feature_fraction = 0.5;
    Documents sample;
    for (std::uint32_t d = 0; d < problem.data.documents(); d += 2) sample.push_back(d);
    for (const bool all : {true, false}) {
      const DocumentSample documents = all ? DocumentSample() : DocumentSample(sample);
      const auto grower =
          make_tree_grower({.data = problem.binned,
                            .options = options,
                            .outputs = 1,
                            .counted_documents = static_cast<double>(problem.data.documents())},
                           problem.bench.context);
      const auto buffers = grower->derivatives();
      std::copy(problem.slopes.first.begin(), problem.slopes.first.end(), buffers.first.begin());
      std::copy(problem.slopes.second.begin(), problem.slopes.second.end(), buffers.second.begin());
      const Tree tree = grower->grow({.sample = documents});
      const GrownTree expected = problem.grow(options, documents);
      EXPECT_TRUE(same_tree(tree, expected.tree));
      std::vector<double> leaves(tree.values.size()), found(problem.data.documents());
      for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = static_cast<double>(i);
      grower->look_up(0, leaves, found);
      EXPECT_EQ(found, std::vector<double>(expected.leaf_of.begin(), expected.leaf_of.end()));
    }
  }
}

TEST(Oblivious, NothingToSplitIsOneLeaf) {
  Problem problem(9);
  TreeOptions options = oblivious(4);
  options.min_gain = 1e300;
  EXPECT_TRUE(problem.grow(options).tree.nodes.empty());
  options = oblivious(4, 100000);
  EXPECT_TRUE(problem.grow(options).tree.nodes.empty());
}

TEST(Oblivious, RefusesOtherDepths) {
  Problem problem(9);
  for (const int depth : {0, 17}) EXPECT_THROW(problem.grow(oblivious(depth)), Error) << depth;
}

}  // namespace
}  // namespace podium::oblivious_test
