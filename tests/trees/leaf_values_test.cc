#include "trees/leaf_values.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/exact_sum.h"
#include "trees/tree_data.h"

namespace podium::leaf_values_test {
namespace {

using testing::Bench;

struct Case {
  std::vector<double> first, second;
  DocumentPartition partition;
  std::vector<LeafRange> leaves;
};

Case draw(std::size_t n, double spread) {
  Case drawn;
  Random random(11);
  for (std::size_t i = 0; i < n; ++i) {
    drawn.first.push_back((random.uniform() - 0.45) * std::exp(spread * random.uniform()));
    drawn.second.push_back(random.uniform() * std::exp(spread * random.uniform()));
  }
  ThreadPool pool(1);
  drawn.partition.reset(n, {}, pool);
  drawn.leaves = {{0, n / 7}, {n / 7, n / 2}, {n / 2, n / 2}, {n / 2, n}};
  return drawn;
}

// Of these documents, over all ranks.
DerivativeExtent extent_of(std::span<const double> first, std::span<const double> second) {
  DerivativeExtent extent;
  for (std::size_t d = 0; d < first.size(); ++d)
    extent.add(first[d], second.empty() ? 1.0 : second[d]);
  return extent;
}

std::vector<double> values_of(std::span<const double> first, std::span<const double> second,
                              const DocumentPartition& partition, std::span<const LeafRange> leaves,
                              double l2, Context& context) {
  return leaf_values({first, second, extent_of(first, second)}, partition, leaves, l2, context);
}

double exact_value(const Case& drawn, const LeafRange& leaf, double l2) {
  ExactSum first, second;
  for (std::size_t d = leaf.begin; d < leaf.end; ++d) {
    first += drawn.first[d];
    second += drawn.second[d];
  }
  const double curvature = second.value() + l2;
  return curvature > 0 ? -first.value() / curvature : 0;
}

TEST(LeafValues, EqualTheExactSums) {
  Bench bench;
  for (const std::size_t n : {1, 30, 50000}) {
    for (const double spread : {0.0, 10.0}) {
      const Case drawn = draw(n, spread);
      for (const double l2 : {0.0, 2.5}) {
        const auto values =
            values_of(drawn.first, drawn.second, drawn.partition, drawn.leaves, l2, bench.context);
        for (std::size_t leaf = 0; leaf < drawn.leaves.size(); ++leaf) {
          const double exact = exact_value(drawn, drawn.leaves[leaf], l2);
          EXPECT_NEAR(values[leaf], exact, 1e-12 * std::max(1e-3, std::abs(exact)));
        }
      }
    }
  }
}

TEST(LeafValues, SameBitsForThreadsAndRanks) {
  const Case drawn = draw(60001, 8);
  Bench one(1), four(4);
  const auto expected =
      values_of(drawn.first, drawn.second, drawn.partition, drawn.leaves, 0.1, one.context);
  EXPECT_EQ(values_of(drawn.first, drawn.second, drawn.partition, drawn.leaves, 0.1, four.context),
            expected);
  for (const int ranks : {2, 3}) {
    run_in_threads(ranks, [&](Communicator& comm) {
      // Each rank has some documents of every leaf.
      DocumentPartition partition;
      std::vector<std::uint32_t> mine;
      std::vector<LeafRange> leaves;
      for (const LeafRange& leaf : drawn.leaves) {
        const std::size_t begin = mine.size();
        for (std::size_t d = leaf.begin; d < leaf.end; ++d)
          if (static_cast<int>(mix(d, 3) % static_cast<std::uint64_t>(ranks)) == comm.rank())
            mine.push_back(static_cast<std::uint32_t>(d));
        leaves.push_back({begin, mine.size()});
      }
      ThreadPool pool(1);
      partition.reset(drawn.first.size(), mine, pool);
      Observer silent;
      Context context{1, pool, comm, silent};
      EXPECT_EQ(values_of(drawn.first, drawn.second, partition, leaves, 0.1, context), expected);
    });
  }
}

TEST(LeafValues, AreFiniteForAllScales) {
  Bench bench;
  for (const double g : {0.0, 1e-320, 1e-200, 1.0, 1e200, 1.7e308}) {
    for (const double h : {0.0, 1e-320, 1e-200, 1.0, 1e200, 1.7e308}) {
      for (const double l2 : {0.0, 1e-3}) {
        DocumentPartition partition;
        partition.reset(3, {}, bench.pool);
        const std::vector<LeafRange> leaves = {{0, 2}, {2, 3}};
        const auto values = values_of(std::vector{g, -g / 2, g}, std::vector{h, h, 0.0}, partition,
                                      leaves, l2, bench.context);
        for (const double value : values) EXPECT_TRUE(std::isfinite(value)) << g << " " << h;
        if (l2 == 0) {
          EXPECT_EQ(values[1], 0);
        }
      }
    }
  }
}

TEST(LeafValues, CountDocumentsWithoutSecondDerivatives) {
  Bench bench;
  DocumentPartition partition;
  partition.reset(4, {}, bench.pool);
  const auto values = values_of(std::vector{1.0, 2.0, 3.0, -5.0}, {}, partition,
                                std::array{LeafRange{0, 3}, LeafRange{3, 4}}, 1, bench.context);
  EXPECT_EQ(values, (std::vector{-1.5, 2.5}));
}

}  // namespace
}  // namespace podium::leaf_values_test
