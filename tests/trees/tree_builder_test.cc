#include "trees/tree_builder.h"

#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "trees/grown_tree.h"
#include "trees/tree_data.h"

namespace podium::tree_builder_test {
namespace {

using testing::as_sparse;
using testing::Bench;
using testing::draw_slopes;
using testing::GrownTree;
using testing::kMissing;
using testing::mixed_data;
using testing::OneTreeGrower;
using testing::same_tree;
using testing::Slopes;

GrownTree grow(const Dataset& data, const Slopes& slopes, const TreeOptions& options = {},
               int threads = 1, const BinOptions& bins = {}, const DocumentSample& sample = {}) {
  Bench bench(threads);
  const BinnedDataset binned = BinnedDataset::bin(data, bins, bench.context);
  return OneTreeGrower(binned, options, bench.context).grow(slopes.first, slopes.second, sample, 1);
}

void expect_leaves_follow_values(const GrownTree& grown, const Dataset& data) {
  std::vector<float> row(data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    ASSERT_EQ(grown.leaf_of[d], testing::leaf_by_values(grown.tree, row)) << "document " << d;
  }
}

// Properties of every tree.
void expect_sound(const Tree& tree, std::size_t documents) {
  ASSERT_EQ(tree.values.size(), tree.nodes.size() + 1);
  ASSERT_EQ(tree.leaf_documents.size(), tree.values.size());
  std::vector<int> seen(tree.values.size());
  const auto below = [&](std::int32_t child, std::size_t parent) {
    if (child < 0) {
      ++seen[static_cast<std::size_t>(~child)];
      return tree.leaf_documents[static_cast<std::size_t>(~child)];
    }
    EXPECT_GT(static_cast<std::size_t>(child), parent);
    return tree.nodes[static_cast<std::size_t>(child)].documents;
  };
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Tree::Node& node = tree.nodes[i];
    EXPECT_EQ(node.documents, below(node.left, i) + below(node.right, i));
    EXPECT_GT(node.gain, 0);
    EXPECT_TRUE(std::isfinite(node.gain));
  }
  if (!tree.nodes.empty()) {
    EXPECT_EQ(tree.nodes[0].documents, documents);
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  }
  EXPECT_EQ(
      std::accumulate(tree.leaf_documents.begin(), tree.leaf_documents.end(), std::uint64_t{0}),
      documents);
  for (const double value : tree.values) EXPECT_TRUE(std::isfinite(value));
}

TEST(TreeBuilder, LeavesFollowTheValues) {
  const Dataset data = mixed_data(40, 50, 37, 1);
  const Slopes slopes = draw_slopes(data, 1);
  for (const int max_bins : {4, 255}) {
    const GrownTree grown =
        grow(data, slopes, {.leaves = 60, .min_docs = 3}, 1, {.max_bins = max_bins});
    EXPECT_EQ(grown.tree.values.size(), 60U);
    expect_sound(grown.tree, data.documents());
    expect_leaves_follow_values(grown, data);
  }
}

TEST(TreeBuilder, LeafValuesAreNewtonSteps) {
  const Dataset data = mixed_data(30, 50, 16, 2);
  const Slopes slopes = draw_slopes(data, 2);
  for (const auto kind : {TreeOptions::LeafValue::newton, TreeOptions::LeafValue::gradient}) {
    const GrownTree grown = grow(data, slopes, {.l2 = 0.7, .leaf_value = kind});
    std::vector<double> first(grown.tree.values.size()), second(first.size());
    std::vector<std::uint64_t> documents(first.size());
    for (std::size_t d = 0; d < data.documents(); ++d) {
      first[grown.leaf_of[d]] += slopes.first[d];
      second[grown.leaf_of[d]] += kind == TreeOptions::LeafValue::newton ? slopes.second[d] : 1.0;
      ++documents[grown.leaf_of[d]];
    }
    EXPECT_EQ(documents, grown.tree.leaf_documents);
    for (std::size_t leaf = 0; leaf < first.size(); ++leaf)
      EXPECT_NEAR(grown.tree.values[leaf], -first[leaf] / (second[leaf] + 0.7), 1e-12);
  }
}

TEST(TreeBuilder, KeepsItsLimits) {
  const Dataset data = mixed_data(40, 50, 16, 3);
  const Slopes slopes = draw_slopes(data, 3);
  const TreeOptions options{.leaves = 1000, .max_depth = 4, .min_docs = 60, .min_curvature = 30};
  const GrownTree grown = grow(data, slopes, options);
  EXPECT_GT(grown.tree.values.size(), 8U);
  EXPECT_LE(grown.tree.values.size(), 16U);
  std::vector<double> second(grown.tree.values.size());
  for (std::size_t d = 0; d < data.documents(); ++d) second[grown.leaf_of[d]] += slopes.second[d];
  for (std::size_t leaf = 0; leaf < second.size(); ++leaf) {
    EXPECT_GE(grown.tree.leaf_documents[leaf], 60U);
    EXPECT_GE(second[leaf], 29);  // the curvature of rounded derivatives is at least 30
  }
  std::vector<int> depth(grown.tree.nodes.size(), 1);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    EXPECT_LE(depth[i], 4);
    for (const std::int32_t child : {grown.tree.nodes[i].left, grown.tree.nodes[i].right})
      if (child >= 0) depth[static_cast<std::size_t>(child)] = depth[i] + 1;
  }
  const double gain = grown.tree.nodes[0].gain;
  EXPECT_TRUE(grow(data, slopes, {.min_gain = gain * 1.01}).tree.nodes.empty());
}

TEST(TreeBuilder, SameTreeForAnyNumberOfThreads) {
  const Dataset data = mixed_data(300, 100, 37, 4);
  const Slopes slopes = draw_slopes(data, 4);
  const GrownTree one = grow(data, slopes);
  EXPECT_EQ(one.tree.values.size(), 31U);
  for (const int threads : {2, 4}) {
    const GrownTree other = grow(data, slopes, {}, threads);
    EXPECT_TRUE(same_tree(one.tree, other.tree));
    EXPECT_EQ(one.leaf_of, other.leaf_of);
  }
}

TEST(TreeBuilder, SameTreeForAnyNumberOfRanks) {
  const Dataset data = mixed_data(120, 30, 21, 5);
  const Slopes slopes = draw_slopes(data, 5);
  const TreeOptions options{.leaves = 40, .min_docs = 5, .feature_fraction = 0.7};
  const BinOptions bins{.max_bins = 50, .sample_documents = 1000};
  // Every third query, as documents.
  const auto sample_of = [&](std::span<const std::size_t> queries) {
    std::vector<std::uint32_t> sample;
    std::uint32_t at = 0;
    for (const std::size_t q : queries)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d, ++at)
        if (q % 3 != 1) sample.push_back(at);
    return sample;
  };
  std::vector<std::size_t> all(data.queries());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto sample = sample_of(all);
  const GrownTree alone = grow(data, slopes, options, 1, bins, sample);
  EXPECT_EQ(alone.tree.values.size(), 40U);
  for (const int ranks : {1, 2, 3}) {
    run_in_threads(ranks, [&](Communicator& comm) {
      const auto queries = testing::queries_of_rank(data.queries(), comm.rank(), ranks);
      const Dataset mine = select_queries(data, queries);
      Slopes part;
      std::vector<std::uint32_t> leaf_of;
      for (const std::size_t q : queries) {
        for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
          part.first.push_back(slopes.first[d]);
          part.second.push_back(slopes.second[d]);
          leaf_of.push_back(alone.leaf_of[d]);
        }
      }
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const BinnedDataset binned = BinnedDataset::bin(mine, bins, context);
      const auto my_sample = sample_of(queries);
      const GrownTree grown =
          OneTreeGrower(binned, options, context).grow(part.first, part.second, my_sample, 1);
      EXPECT_TRUE(same_tree(grown.tree, alone.tree)) << ranks << " ranks";
      EXPECT_EQ(grown.leaf_of, leaf_of);
    });
  }
}

// Counts the sums over ranks.
class Counting final : public Communicator {
 public:
  explicit Counting(Communicator& comm) : comm_(comm) {}
  int rank() const noexcept override { return comm_.rank(); }
  int size() const noexcept override { return comm_.size(); }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    ++exchanges_;
    return comm_.all_gather(mine);
  }
  void all_reduce_sum(std::span<std::int64_t> values) override {
    ++exchanges_;
    comm_.all_reduce_sum(values);
  }
  int exchanges() const { return exchanges_; }

 private:
  Communicator& comm_;
  int exchanges_ = 0;
};

// Ranks divide leaves before their turn: in few exchanges, and the tree is that of one rank, also
// where there is room for few histograms, and limits end the tree.
TEST(TreeBuilder, LeavesDividedAheadChangeNothing) {
  const Dataset data = mixed_data(90, 50, 17, 8);
  const TreeOptions plain{.leaves = 31, .min_docs = 4};
  std::vector<TreeOptions> cases(6, plain);
  cases[1].histogram_bytes = 0;  // two histograms
  cases[2].histogram_bytes = std::size_t{1} << 19;
  cases[3].max_depth = 4;
  cases[4].min_docs = 200;
  cases[5].leaves = 200;
  for (std::size_t number = 0; number < 3 * cases.size(); ++number) {
    const TreeOptions& options = cases[number % cases.size()];
    const Slopes slopes = draw_slopes(data, number);
    const Tree alone = grow(data, slopes, options).tree;
    run_in_threads(3, [&](Communicator& comm) {
      const auto queries = testing::queries_of_rank(data.queries(), comm.rank(), 3);
      Slopes part;
      for (const std::size_t q : queries)
        for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
          part.first.push_back(slopes.first[d]);
          part.second.push_back(slopes.second[d]);
        }
      ThreadPool pool(1);
      Observer silent;
      Counting counting(comm);
      Context context{1, pool, counting, silent};
      const BinnedDataset binned = BinnedDataset::bin(select_queries(data, queries), {}, context);
      const int before = counting.exchanges();
      const Tree tree =
          OneTreeGrower(binned, options, context).grow(part.first, part.second, {}, 1).tree;
      EXPECT_TRUE(same_tree(tree, alone)) << "case " << number;
      if (number % cases.size() == 0) {
        EXPECT_LE(counting.exchanges() - before, 20);  // and 29 splits with histograms
      }
    });
  }
}

TEST(TreeBuilder, RanksWithoutDocumentsTakePart) {
  const Dataset data = mixed_data(20, 30, 9, 6);
  const Slopes slopes = draw_slopes(data, 6);
  const GrownTree alone = grow(data, slopes);
  std::vector<std::size_t> all(data.queries());
  std::iota(all.begin(), all.end(), std::size_t{0});
  run_in_threads(2, [&](Communicator& comm) {
    const bool has_data = comm.rank() == 1;
    const Dataset mine = select_queries(data, has_data ? all : std::vector<std::size_t>());
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const BinnedDataset binned = BinnedDataset::bin(mine, {}, context);
    const GrownTree grown = OneTreeGrower(binned, {}, context)
                                .grow(has_data ? slopes.first : std::vector<double>(),
                                      has_data ? slopes.second : std::vector<double>(), {}, 1);
    EXPECT_TRUE(same_tree(grown.tree, alone.tree));
  });
}

TEST(TreeBuilder, StorageDoesNotMatter) {
  const Dataset data = mixed_data(60, 50, 33, 7);
  const Slopes slopes = draw_slopes(data, 7);
  const GrownTree dense = grow(data, slopes, {}, 1, {.sparse_from = 2});
  for (const double sparse_from : {0.3, 0.9}) {
    EXPECT_TRUE(
        same_tree(grow(data, slopes, {}, 1, {.sparse_from = sparse_from}).tree, dense.tree));
    for (const float absent : {0.0F, kMissing}) {
      const GrownTree other =
          grow(as_sparse(data, absent), slopes, {}, 2, {.sparse_from = sparse_from});
      EXPECT_TRUE(same_tree(other.tree, dense.tree));
      EXPECT_EQ(other.leaf_of, dense.leaf_of);
    }
  }
}

TEST(TreeBuilder, DroppedHistogramsAreComputedAgain) {
  const Dataset data = mixed_data(60, 50, 17, 8);
  const Slopes slopes = draw_slopes(data, 8);
  const TreeOptions plenty{.leaves = 80, .min_docs = 4};
  const GrownTree expected = grow(data, slopes, plenty);
  EXPECT_EQ(expected.tree.values.size(), 80U);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 19}) {
    TreeOptions options = plenty;
    options.histogram_bytes = bytes;
    EXPECT_TRUE(same_tree(grow(data, slopes, options).tree, expected.tree));
  }
}

TEST(TreeBuilder, GrowsManyTreesOneAfterAnother) {
  const Dataset data = mixed_data(20, 50, 17, 9);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  OneTreeGrower grower(binned, {.feature_fraction = 0.4}, bench.context);
  for (std::uint64_t round = 1; round <= 20; ++round) {
    const Slopes slopes = draw_slopes(data, round);
    const GrownTree again = grower.grow(slopes.first, slopes.second, {}, round);
    OneTreeGrower fresh(binned, {.feature_fraction = 0.4}, bench.context);
    EXPECT_TRUE(same_tree(fresh.grow(slopes.first, slopes.second, {}, round).tree, again.tree));
  }
}

TEST(TreeBuilder, LearnsFromTheSampleAlone) {
  const Dataset data = mixed_data(40, 50, 16, 10);
  Slopes slopes = draw_slopes(data, 10);
  std::vector<std::uint32_t> sample;
  for (std::uint32_t d = 0; d < data.documents(); ++d)
    if (mix(d, 1) % 3 == 0) sample.push_back(d);
  const GrownTree grown = grow(data, slopes, {}, 1, {}, sample);
  expect_sound(grown.tree, sample.size());
  expect_leaves_follow_values(grown, data);
  // Derivatives of other documents do not count, even if they are NaN.
  for (std::uint32_t d = 0; d < data.documents(); ++d)
    if (!std::binary_search(sample.begin(), sample.end(), d))
      slopes.first[d] = slopes.second[d] = std::nan("");
  EXPECT_TRUE(same_tree(grow(data, slopes, {}, 1, {}, sample).tree, grown.tree));
}

TEST(TreeBuilder, DrawsFeaturesForEachTree) {
  const Dataset data = mixed_data(40, 50, 37, 11);
  const Slopes slopes = draw_slopes(data, 11);
  Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  OneTreeGrower grower(binned, {.leaves = 100, .min_docs = 1, .feature_fraction = 0.1},
                       bench.context);
  std::set<std::uint32_t> over_all;
  for (std::uint64_t round = 0; round < 60; ++round) {
    std::set<std::uint32_t> used;
    for (const Tree::Node& node : grower.grow(slopes.first, slopes.second, {}, round).tree.nodes)
      used.insert(node.feature);
    EXPECT_LE(used.size(), 3U);  // a tenth of 32 that are not constant
    over_all.merge(used);
  }
  EXPECT_GT(over_all.size(), 25U);
}

TEST(TreeBuilder, NothingToSplitIsOneLeaf) {
  const auto one_leaf = [](const Dataset& data, const Slopes& slopes, const TreeOptions& options) {
    const GrownTree grown = grow(data, slopes, options);
    EXPECT_TRUE(grown.tree.nodes.empty());
    expect_sound(grown.tree, data.documents());
    EXPECT_EQ(grown.leaf_of, std::vector<std::uint32_t>(data.documents()));
    return grown.tree.values[0];
  };
  const TreeOptions free{.min_docs = 0, .min_curvature = 0};
  const Dataset constant = testing::make_dataset({3}, 2, std::vector<float>(6, 1), {0, 1, 2});
  EXPECT_EQ(one_leaf(constant, {{1, 2, 3}, {1, 1, 1}}, free), -2);
  const Dataset single = testing::make_dataset({1}, 1, {5}, {1});
  EXPECT_EQ(one_leaf(single, {{3}, {2}}, free), -1.5);
  EXPECT_EQ(one_leaf(single, {{3}, {0}}, free), 0);
  const Dataset none = testing::make_dataset({}, 2, {}, {});
  EXPECT_EQ(one_leaf(none, {}, free), 0);
  const Dataset two = testing::make_dataset({2}, 1, {5, 6}, {1, 1});
  EXPECT_EQ(one_leaf(two, {{0, 0}, {1, 1}}, free), 0);
  EXPECT_EQ(one_leaf(two, {{1, -1}, {0, 0}}, free), 0);
  TreeOptions stump = free;
  stump.leaves = 1;
  EXPECT_EQ(one_leaf(two, {{1, -1}, {1, 1}}, stump), 0);
}

TEST(TreeBuilder, MoreLeavesThanDocuments) {
  const Dataset data = mixed_data(1, 12, 8, 12);
  const GrownTree grown =
      grow(data, draw_slopes(data, 12), {.leaves = 500, .min_docs = 0, .min_curvature = 0});
  EXPECT_GT(grown.tree.values.size(), 6U);
  EXPECT_LE(grown.tree.values.size(), 12U);
  expect_sound(grown.tree, 12);
  expect_leaves_follow_values(grown, data);
}

TEST(TreeBuilder, HandlesExtremeScales) {
  const Dataset data = mixed_data(5, 40, 16, 13);
  for (const double scale : {1e-310, 1e-150, 1e150, 1e300}) {
    for (const double l2 : {0.0, 1.0}) {
      Slopes slopes = draw_slopes(data, 13);
      for (double& g : slopes.first) g *= scale;
      const GrownTree grown = grow(data, slopes, {.l2 = l2});
      expect_sound(grown.tree, data.documents());
      for (double& h : slopes.second) h *= scale;
      expect_sound(grow(data, slopes, {.l2 = l2}).tree, data.documents());
    }
  }
}

TEST(TreeBuilder, RefusesDerivativesThatAreNotNumbers) {
  const Dataset data = mixed_data(2, 10, 4, 14);
  Slopes slopes = draw_slopes(data, 14);
  slopes.first[7] = std::nan("");
  EXPECT_THROW(grow(data, slopes), Error);
  // Every rank throws, not only the one that has it.
  run_in_threads(2, [&](Communicator& comm) {
    const Dataset mine = select_queries(data, std::array{static_cast<std::size_t>(comm.rank())});
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const BinnedDataset binned = BinnedDataset::bin(mine, {}, context);
    const auto part =
        std::span(slopes.first).subspan(static_cast<std::size_t>(comm.rank()) * 10, 10);
    OneTreeGrower grower(binned, {}, context);
    EXPECT_THROW(grower.grow(part, std::vector<double>(10, 1.0), {}, 1), Error);
  });
}

TEST(TreeBuilder, NamesTheInvalidOption) {
  const Dataset data = mixed_data(2, 10, 4, 15);
  const Slopes slopes = draw_slopes(data, 15);
  EXPECT_THROW(grow(data, slopes, {.leaves = 0}), Error);
  EXPECT_THROW(grow(data, slopes, {.max_depth = -1}), Error);
  EXPECT_THROW(grow(data, slopes, {.l2 = -1}), Error);
  EXPECT_THROW(grow(data, slopes, {.feature_fraction = 0}), Error);
  EXPECT_THROW(grow(data, slopes, {.monotone = {1, 0}}), Error);
  EXPECT_THROW(grow(data, slopes, {.monotone = {1, 0, 0, 2}}), Error);
}

}  // namespace
}  // namespace podium::tree_builder_test
