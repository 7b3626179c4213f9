#include "trees/histogram_ranks.h"

#include <array>

#include <gtest/gtest.h>

#include "core/random.h"
#include "trees/tree_data.h"

namespace podium::histogram_ranks_test {
namespace {

using testing::Bench;
using testing::mixed_data;

// For any number of words per bin, the sums are those of all ranks, in the columns in use.
TEST(HistogramRanks, AreSummedInEveryWidth) {
  Bench bench;
  const BinnedDataset data = BinnedDataset::bin(mixed_data(10, 20, 8, 4), {}, bench.context);
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < data.columns().size(); c += 2) columns.push_back(c);
  constexpr int kRanks = 3;
  for (const std::int64_t documents :
       {std::int64_t{1} << 13, std::int64_t{1} << 25, std::int64_t{1} << 40}) {
    // A third of the leaf's documents in one bin, with the largest derivatives.
    const std::int64_t each = documents / kRanks;
    const auto bin_of = [&](int rank, std::size_t bin) {
      Random random(static_cast<std::uint64_t>(rank) * 1000 + bin);
      const std::int64_t n = bin % 3 ? static_cast<std::int64_t>(random.below(100)) : each;
      const std::int64_t sign = bin % 2 ? 1 : -1;
      return DerivativeSums{sign * kMostFirst * n, kMostSecond * n, n};
    };
    run_in_threads(kRanks, [&](Communicator& comm) {
      std::vector<DerivativeSums> histogram(data.total_bins());
      for (std::size_t b = 0; b < histogram.size(); ++b) histogram[b] = bin_of(comm.rank(), b);
      const std::array leaves = {LeafHistogram{histogram, documents}};
      add_ranks(leaves, columns, data, comm);
      for (const std::uint32_t c : columns) {
        const BinnedFeature& feature = data.columns()[c];
        for (std::size_t b = feature.first_bin; b < feature.first_bin + feature.bins(); ++b) {
          DerivativeSums sum;
          for (int rank = 0; rank < kRanks; ++rank) sum += bin_of(rank, b);
          EXPECT_EQ(histogram[b], sum) << documents << " documents, bin " << b;
        }
      }
    });
  }
}

// Leaves of different sizes in one exchange: the sums of each alone.
TEST(HistogramRanks, OfSeveralLeavesAreTheSameInOneExchange) {
  Bench bench;
  const BinnedDataset data = BinnedDataset::bin(mixed_data(10, 20, 8, 4), {}, bench.context);
  const std::vector<std::uint32_t> columns = {0, 1, 3};
  const std::array documents = {std::int64_t{1} << 40, std::int64_t{100}, std::int64_t{1} << 20,
                                std::int64_t{7}};
  run_in_threads(2, [&](Communicator& comm) {
    std::vector<std::vector<DerivativeSums>> together, alone;
    for (std::size_t leaf = 0; leaf < documents.size(); ++leaf) {
      auto& bins = together.emplace_back(data.total_bins());
      for (std::size_t b = 0; b < bins.size(); ++b) {
        Random random(100 * leaf + b, static_cast<std::uint64_t>(comm.rank()));
        const auto n = static_cast<std::int64_t>(random.below(4));
        bins[b] = {(b % 2 ? 1 : -1) * kMostFirst * n, kMostSecond * n, n};
      }
    }
    alone = together;
    std::vector<LeafHistogram> leaves;
    for (std::size_t leaf = 0; leaf < documents.size(); ++leaf) {
      leaves.push_back({together[leaf], documents[leaf]});
      add_ranks(std::array{LeafHistogram{alone[leaf], documents[leaf]}}, columns, data, comm);
    }
    add_ranks(leaves, columns, data, comm);
    EXPECT_EQ(together, alone);
  });
}

}  // namespace
}  // namespace podium::histogram_ranks_test
