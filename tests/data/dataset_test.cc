#include "podium/dataset.h"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "podium/error.h"

namespace podium::dataset_test {
namespace {

using ::testing::ElementsAre;
using testing::row_of;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

DatasetParts small_parts() {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2, 3};
  parts.qids = make_strings(std::vector<std::string>{"a", "b"});
  parts.labels = std::vector<float>{1, 0, 2};
  parts.features = 2;
  parts.dense = std::vector<float>{1, 0, 0, 3, kNan, 5};
  return parts;
}

DatasetParts small_sparse_parts() {
  DatasetParts parts = small_parts();
  parts.dense = {};
  parts.row_begin = std::vector<std::uint64_t>{0, 1, 2, 4};
  parts.columns = std::vector<std::uint32_t>{0, 1, 0, 1};
  parts.values = std::vector<float>{1, 3, kNan, 5};
  return parts;
}

TEST(Dataset, NumbersFeaturesWithoutNames) {
  EXPECT_THAT(Dataset(small_parts()).feature_names(), ElementsAre("1", "2"));
}

TEST(Dataset, HasDenseAndSparseRows) {
  for (const Dataset& data : {Dataset(small_parts()), Dataset(small_sparse_parts())}) {
    EXPECT_THAT(row_of(data, 0), ElementsAre(1, 0));
    EXPECT_THAT(row_of(data, 1), ElementsAre(0, 3));
    EXPECT_EQ(data.rows(1).documents(), 1U);
    EXPECT_EQ(row_of(data, 2)[1], 5);
  }
  EXPECT_THAT(Dataset(small_sparse_parts()).rows(1).sparse(0).columns, ElementsAre(0, 1));
}

TEST(Dataset, RowsWithoutFeaturesAreStillRows) {
  DatasetParts parts = small_parts();
  parts.features = 0;
  parts.dense = {};
  EXPECT_EQ(Dataset(parts).rows(0).documents(), 2U);
}

TEST(Dataset, RefusesInconsistentSizes) {
  const auto refuses = [](auto change) {
    DatasetParts parts = small_parts();
    change(parts);
    EXPECT_THROW(Dataset{parts}, Error);
  };
  refuses([](DatasetParts& p) { p.dense = std::vector<float>{1}; });
  refuses([](DatasetParts& p) { p.query_begin = std::vector<std::uint64_t>{0, 3}; });
  refuses([](DatasetParts& p) { p.feature_names = {"one"}; });
  refuses([](DatasetParts& p) { p.document_weights = std::vector<float>{1}; });
  refuses([](DatasetParts& p) { p.positions = std::vector<std::int32_t>{1}; });
  refuses([](DatasetParts& p) { p.docids = make_strings(std::vector<std::string>{"x"}); });
  refuses([](DatasetParts& p) { p.row_begin = std::vector<std::uint64_t>{0, 1}; });
}

TEST(Dataset, FingerprintDependsOnDataNotStorage) {
  const std::uint64_t dense = Dataset(small_parts()).fingerprint();
  EXPECT_EQ(dense, Dataset(small_sparse_parts()).fingerprint());
  DatasetParts missing = small_sparse_parts();  // the same data with NaN as the absent value
  missing.absent = kNan;
  missing.row_begin = std::vector<std::uint64_t>{0, 2, 4, 5};
  missing.columns = std::vector<std::uint32_t>{0, 1, 0, 1, 1};
  missing.values = std::vector<float>{1, 0, 0, 3, 5};
  EXPECT_EQ(dense, Dataset(missing).fingerprint());

  const auto differs = [&](auto change) {
    DatasetParts parts = small_parts();
    change(parts);
    EXPECT_NE(dense, Dataset(parts).fingerprint());
  };
  differs([](DatasetParts& p) { p.labels = std::vector<float>{1, 0, 1}; });
  differs([](DatasetParts& p) { p.query_begin = std::vector<std::uint64_t>{0, 1, 3}; });
  differs([](DatasetParts& p) { p.dense = std::vector<float>{0, 1, 0, 3, kNan, 5}; });
}

TEST(Dataset, SelectsQueriesWithAllTheirData) {
  for (DatasetParts parts : {small_parts(), small_sparse_parts()}) {
    parts.docids = make_strings(std::vector<std::string>{"x", "y", "z"});
    parts.hosts = make_strings(std::vector<std::string>{"", "h", "i"});
    parts.document_weights = std::vector<float>{1, 2, 3};
    parts.query_weights = std::vector<float>{4, 5};
    parts.positions = std::vector<std::int32_t>{7, 8, 9};
    const Dataset chosen = select_queries(Dataset(parts), std::vector<std::size_t>{1, 0, 1});
    EXPECT_EQ(chosen.queries(), 3U);
    EXPECT_THAT(chosen.labels(), ElementsAre(2, 1, 0, 2));
    EXPECT_EQ(chosen.qid(1), "a");
    EXPECT_EQ(chosen.docid(0), "z");
    EXPECT_EQ(chosen.host(2), "h");
    EXPECT_THAT(chosen.document_weights(1), ElementsAre(1, 2));
    EXPECT_EQ(chosen.query_weight(0), 5);
    EXPECT_THAT(chosen.positions(1), ElementsAre(7, 8));
    EXPECT_THAT(row_of(chosen, 2), ElementsAre(0, 3));
    EXPECT_EQ(chosen.input_row(0), 2U);
    EXPECT_EQ(chosen.is_dense(), Dataset(parts).is_dense());
  }
}

TEST(Dataset, CountsItsBytes) {
  EXPECT_EQ(Dataset(small_parts()).bytes(), 3 * 8U + 3 * 4 + (3 * 8 + 2) + 6 * 4);
}

}  // namespace
}  // namespace podium::dataset_test
