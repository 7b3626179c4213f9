#include "trees/binned_dataset.h"

#include <cmath>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "trees/tree_data.h"

namespace podium::binned_dataset_test {
namespace {

using testing::as_sparse;
using testing::Bench;
using testing::kMissing;
using testing::make_dataset;
using testing::mixed_data;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

BinnedDataset bin(const Dataset& data, const BinOptions& options = {}, int threads = 1) {
  Bench bench(threads);
  return BinnedDataset::bin(data, options, bench.context);
}

// The bin according to the thresholds.
std::uint32_t expected_bin(const BinnedFeature& feature, float x) {
  if (std::isnan(x)) return feature.value_bins();
  std::uint32_t b = 0;
  while (b < feature.thresholds.size() && !(x <= feature.thresholds[b])) ++b;
  return b;
}

void expect_bins_follow_thresholds(const BinnedDataset& binned, const Dataset& data) {
  std::vector<float> row(data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    for (std::size_t c = 0; c < binned.columns().size(); ++c) {
      const BinnedFeature& feature = binned.columns()[c];
      ASSERT_EQ(binned.bin_of(c, d), expected_bin(feature, row[feature.feature]))
          << "document " << d << " feature " << feature.feature;
    }
  }
}

TEST(BinnedDataset, BinsFollowTheThresholds) {
  const Dataset data = mixed_data(30, 40, 37, 1);
  for (const double sparse_from : {0.5, 0.85, 2.0}) {
    for (const int max_bins : {2, 3, 16, 255}) {
      const BinnedDataset binned =
          bin(data, {.max_bins = max_bins, .sample_documents = 100, .sparse_from = sparse_from});
      expect_bins_follow_thresholds(binned, data);
      std::size_t total = 0;
      for (const BinnedFeature& feature : binned.columns()) {
        EXPECT_GE(feature.bins(), 2U);
        EXPECT_LE(feature.bins(), static_cast<std::uint32_t>(max_bins));
        EXPECT_EQ(feature.first_bin, total);
        total += feature.bins();
      }
      EXPECT_EQ(binned.total_bins(), total);
      EXPECT_EQ(binned.sparse().columns.empty(), sparse_from > 1);
    }
  }
}

TEST(BinnedDataset, SparseRowsGiveTheSameBins) {
  const Dataset data = mixed_data(20, 30, 24, 2);
  const BinnedDataset expected = bin(data);
  for (const float absent : {0.0F, kMissing}) {
    for (const double sparse_from : {0.5, 2.0}) {
      const Dataset sparse = as_sparse(data, absent);
      const BinnedDataset binned = bin(sparse, {.sparse_from = sparse_from}, 2);
      ASSERT_EQ(binned.columns().size(), expected.columns().size());
      for (std::size_t c = 0; c < binned.columns().size(); ++c)
        EXPECT_EQ(binned.columns()[c].thresholds, expected.columns()[c].thresholds);
      expect_bins_follow_thresholds(binned, sparse);
    }
  }
}

TEST(BinnedDataset, FilesHoldTheSameBins) {
  Bench bench(2);
  const Dataset dense = mixed_data(70, 1000, 8, 3);  // more than a stretch of documents
  for (const Dataset& data : {dense, as_sparse(dense, 0)}) {
    const auto memory = BinnedDataset::bin(data, {.storage = Storage::memory}, bench.context);
    const auto file = BinnedDataset::bin(data, {.storage = Storage::file}, bench.context);
    ASSERT_FALSE(memory.sparse().columns.empty());
    std::size_t different = 0;
    for (std::size_t c = 0; c < memory.columns().size(); ++c)
      for (std::size_t d = 0; d < data.documents(); ++d)
        different += memory.bin_of(c, d) != file.bin_of(c, d);
    EXPECT_EQ(different, 0U);
  }
}

TEST(BinnedDataset, LeavesConstantFeaturesOut) {
  // Constant, all missing, constant or missing, two values.
  const Dataset data = make_dataset(
      {2, 1}, 4, {5, kMissing, 1, 0, 5, kMissing, kMissing, 0, 5, kMissing, 1, 1}, {0, 0, 0});
  const BinnedDataset binned = bin(data);
  ASSERT_EQ(binned.columns().size(), 2U);
  EXPECT_EQ(binned.columns()[0].feature, 2U);
  EXPECT_TRUE(binned.columns()[0].has_missing);
  EXPECT_TRUE(binned.columns()[0].thresholds.empty());
  EXPECT_EQ(binned.columns()[1].feature, 3U);
  EXPECT_EQ(binned.columns()[1].thresholds, std::vector<float>{0.5F});
  EXPECT_EQ(binned.features(), 4U);
}

TEST(BinnedDataset, IncludesRareValuesOutsideTheSample) {
  std::vector<float> values(3000);
  values[1234] = 1;
  const Dataset data = make_dataset({1000, 2000}, 1, values, std::vector<float>(3000));
  const BinnedDataset binned = bin(data, {.sample_documents = 10});
  ASSERT_EQ(binned.columns().size(), 1U);
  for (std::size_t d = 0; d < 3000; ++d) EXPECT_EQ(binned.bin_of(0, d), d == 1234);
}

TEST(BinnedDataset, AcceptsInfinities) {
  const Dataset data =
      make_dataset({5}, 1, {-kInfinity, 0, kInfinity, kMissing, 3e38F}, std::vector<float>(5));
  const BinnedDataset binned = bin(data);
  expect_bins_follow_thresholds(binned, data);
  EXPECT_EQ(binned.columns()[0].bins(), 5U);
  EXPECT_EQ(binned.columns()[0].above_all, kInfinity);
}

TEST(BinnedDataset, EdgesDoNotDependOnRanksOrThreads) {
  const Dataset data = mixed_data(60, 25, 17, 3);
  const BinOptions options{.max_bins = 20, .sample_documents = 400};
  const BinnedDataset alone = bin(data, options);
  const auto expect_same = [&](const BinnedDataset& other) {
    ASSERT_EQ(other.columns().size(), alone.columns().size());
    for (std::size_t c = 0; c < alone.columns().size(); ++c) {
      EXPECT_EQ(other.columns()[c].thresholds, alone.columns()[c].thresholds);
      EXPECT_EQ(other.columns()[c].has_missing, alone.columns()[c].has_missing);
      EXPECT_EQ(other.columns()[c].default_bin, alone.columns()[c].default_bin);
      EXPECT_EQ(other.columns()[c].block, alone.columns()[c].block);
      EXPECT_EQ(other.columns()[c].above_all, alone.columns()[c].above_all);
    }
  };
  expect_same(bin(data, options, 4));
  for (const int ranks : {2, 3}) {
    run_in_threads(ranks, [&](Communicator& comm) {
      const auto queries = testing::queries_of_rank(data.queries(), comm.rank(), ranks);
      const Dataset mine = select_queries(data, queries);
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const BinnedDataset binned = BinnedDataset::bin(mine, options, context);
      expect_same(binned);
      std::size_t d = 0;
      for (const std::size_t q : queries)
        for (std::size_t i = data.begin(q); i < data.end(q); ++i, ++d)
          ASSERT_EQ(binned.keys()[d], alone.keys()[i]);
    });
  }
}

TEST(BinnedDataset, NeedsAtMostOneBytePerValue) {
  const Dataset data = mixed_data(100, 50, 36, 4);
  const BinnedDataset binned = bin(data);
  EXPECT_LE(binned.bytes(), data.documents() * (data.features() + 12));
  EXPECT_FALSE(binned.sparse().columns.empty());
}

TEST(BinnedDataset, NamesTheInvalidOption) {
  const Dataset data = mixed_data(1, 5, 3, 5);
  for (const int bins : {-1, 0, 1, 256}) EXPECT_THROW(bin(data, {.max_bins = bins}), Error);
  EXPECT_THROW(bin(data, {.sample_documents = 0}), Error);
}

TEST(BinnedDataset, AcceptsNoDocumentsAndNoFeatures) {
  EXPECT_EQ(bin(make_dataset({}, 3, {}, {})).columns().size(), 0U);
  EXPECT_EQ(bin(make_dataset({2}, 0, {}, {0, 1})).columns().size(), 0U);
}

}  // namespace
}  // namespace podium::binned_dataset_test
