#include "data/content.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "data/content_hashes.h"
#include "support/toy_data.h"

namespace podium::content_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

ContentHashes hashes_of(const Dataset& data, std::span<const double> offset = {}) {
  ThreadPool alone(1);
  return content_hashes(data, offset, alone);
}
Dataset one_row(std::vector<float> values, float label = 1) {
  const std::size_t features = values.size();
  return make_dataset({1}, features, std::move(values), {label});
}
std::uint64_t row_hash(std::vector<float> values, float label = 1) {
  return hashes_of(one_row(std::move(values), label)).rows[0];
}

Dataset sparse_row(std::vector<std::uint32_t> columns, std::vector<float> values, float absent) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 1};
  parts.qids = make_strings(std::vector<std::string>{"q"});
  parts.labels = std::vector<float>{1};
  parts.features = 3;
  parts.row_begin = std::vector<std::uint64_t>{0, columns.size()};
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

TEST(ContentHashes, StorageDoesNotMatter) {
  EXPECT_EQ(hashes_of(sparse_row({1}, {2}, 0)).rows[0], row_hash({0, 2, 0}));
  EXPECT_EQ(hashes_of(sparse_row({0, 1}, {0, 2}, 0)).rows[0], row_hash({0, 2, 0}));
  EXPECT_EQ(hashes_of(sparse_row({1}, {2}, kNan)).rows[0], row_hash({kNan, 2, kNan}));
}

TEST(ContentHashes, ZerosAreAlikeAndSoAreMissingValues) {
  EXPECT_EQ(row_hash({-0.0F, 2}), row_hash({0.0F, 2}));
  EXPECT_EQ(row_hash({-kNan, 2}), row_hash({kNan, 2}));
  EXPECT_EQ(row_hash({1, 2}, -0.0F), row_hash({1, 2}, 0.0F));
}

TEST(ContentHashes, ValuesColumnsAndLabelsMatter) {
  const std::set<std::uint64_t> all = {row_hash({1, 2}),      row_hash({2, 1}), row_hash({1, 2}, 0),
                                       row_hash({0, 2}),      row_hash({2, 0}), row_hash({kNan, 2}),
                                       row_hash({1, 2, 0}),   row_hash({0, 0}), row_hash({1}, 2),
                                       row_hash({1, 2}, kNan)};
  EXPECT_EQ(all.size(), 10);
}

TEST(ContentHashes, WeightsPositionsAndInitialScoresMatterButNotToTheFingerprint) {
  const Dataset plain = make_dataset({2}, 1, {1, 2}, {0, 1});
  const auto with = [&](auto&& change) {
    DatasetParts parts = plain.parts();
    change(parts);
    return Dataset(std::move(parts));
  };
  const std::vector<double> offset = {0.5, 0};
  const ContentHashes all[] = {
      hashes_of(plain), hashes_of(plain, offset), hashes_of(with([](auto& parts) {
        parts.document_weights = std::vector<float>{1, 2};
      })),
      hashes_of(with([](auto& parts) {
        parts.positions = std::vector<std::int32_t>{1, 2};
      })),
      hashes_of(with([](auto& parts) { parts.query_weights = std::vector<float>{2}; }))};
  std::set<std::uint64_t> queries, fingerprints;
  for (const ContentHashes& hashes : all) {
    queries.insert(hashes.queries[0]);
    fingerprints.insert(hashes.fingerprint);
  }
  EXPECT_EQ(queries.size(), std::size(all));
  EXPECT_EQ(fingerprints.size(), 1);
}

TEST(ContentHashes, OfAQueryIsThatOfASet) {
  const Dataset data = make_dataset({2, 2}, 1, {1, 2, 2, 1}, {0, 1, 1, 0});
  const ContentHashes hashes = hashes_of(data);
  EXPECT_EQ(hashes.rows[0], hashes.rows[3]);
  EXPECT_EQ(hashes.queries[0], hashes.queries[1]);
  EXPECT_NE(hashes_of(make_dataset({2}, 1, {1, 2}, {1, 0})).queries[0], hashes.queries[0]);
}

TEST(Fingerprint, DependsOnGroupsNotOnOrder) {
  const auto of = [](std::vector<std::size_t> lengths, std::vector<float> values,
                     std::vector<float> labels) {
    return make_dataset(lengths, 1, std::move(values), std::move(labels)).fingerprint();
  };
  const std::uint64_t all = of({2, 1}, {1, 2, 3}, {0, 1, 0});
  EXPECT_EQ(of({2, 1}, {2, 1, 3}, {1, 0, 0}), all);
  EXPECT_EQ(of({1, 2}, {3, 1, 2}, {0, 0, 1}), all);
  EXPECT_NE(of({1, 2}, {1, 2, 3}, {0, 1, 0}), all);
  EXPECT_NE(of({3}, {1, 2, 3}, {0, 1, 0}), all);
}

// Queries 0 and 2 are equal, and so are 1, 3 and 4.
Dataset with_equal_queries() {
  return make_dataset({2, 1, 2, 1, 1}, 1, {1, 2, 5, 2, 1, 5, 5}, {0, 1, 0, 1, 0, 0, 0});
}

TEST(WithContent, EqualQueriesHaveDifferentKeys) {
  Bench bench;
  const Dataset data = with_content(with_equal_queries(), {}, bench.context);
  const auto& keys = data.content()->query_keys;
  EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), 5);
  EXPECT_EQ(data.query_key(3), keys[3]);
}

Dataset with_weights(std::vector<float> of_queries, std::vector<float> of_documents = {}) {
  DatasetParts parts = with_equal_queries().parts();
  parts.query_weights = std::move(of_queries);
  parts.document_weights = std::move(of_documents);
  return Dataset(std::move(parts));
}

TEST(WithContent, EqualWeightsAreNone) {
  Bench bench;
  const auto keys = [&](const Dataset& data) {
    return with_content(data, {}, bench.context).content()->query_keys;
  };
  const auto plain = keys(with_equal_queries());
  EXPECT_EQ(keys(with_weights({3, 3, 3, 3, 3})), plain);
  EXPECT_EQ(keys(with_weights({}, {1, 1, 1, 1, 1, 1, 1})), plain);
  EXPECT_NE(keys(with_weights({3, 3, 3, 3, 2})), plain);
  EXPECT_NE(keys(with_weights({0, 0, 0, 0, 0})), plain);
  EXPECT_NE(keys(with_weights({}, {2, 2, 2, 2, 2, 2, 2})), plain);
  const Dataset known = with_content(with_weights({3, 3, 3, 3, 3}), {}, bench.context);
  EXPECT_TRUE(known.parts().query_weights.empty());
}

// One rank's weights may be equal where all ranks' are not.
TEST(WithContent, WeightsAreComparedOverRanks) {
  for (const float last : {2.0F, 3.0F}) {
    const Dataset data = with_weights({3, 3, 3, 3, last});
    run_in_threads(2, [&](Communicator& comm) {
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const Dataset mine = query_range(data, comm.rank() == 0 ? 0 : 3, comm.rank() == 0 ? 3 : 5);
      EXPECT_EQ(with_content(mine, {}, context).parts().query_weights.empty(), last == 3);
    });
  }
}

std::set<std::uint64_t> keys_in_ranks(const Dataset& data, int ranks) {
  std::vector<std::vector<std::uint64_t>> keys(static_cast<std::size_t>(ranks));
  run_in_threads(ranks, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const auto part = [&](int rank) {
      return data.queries() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
    };
    const Dataset mine = query_range(data, part(comm.rank()), part(comm.rank() + 1));
    keys[static_cast<std::size_t>(comm.rank())] =
        with_content(mine, {}, context).content()->query_keys;
  });
  std::set<std::uint64_t> all;
  for (const auto& of : keys) all.insert(of.begin(), of.end());
  return all;
}

TEST(WithContent, KeysAreTheSameSetForAnyOrderAndAnyRanks) {
  const Dataset data = with_equal_queries();
  const std::set<std::uint64_t> alone = keys_in_ranks(data, 1);
  EXPECT_EQ(alone.size(), 5);
  const Dataset other = select_queries(data, std::vector<std::size_t>{4, 0, 3, 2, 1});
  for (const int ranks : {1, 2, 3, 5}) {
    EXPECT_EQ(keys_in_ranks(data, ranks), alone) << ranks;
    EXPECT_EQ(keys_in_ranks(other, ranks), alone) << ranks;
  }
}

TEST(WithContent, WithoutItKeysGoByNames) {
  const Dataset data = with_equal_queries();
  EXPECT_NE(data.query_key(0), data.query_key(2));
  EXPECT_TRUE(data.row_order(0).empty());
}

// 20 queries whose rows can be told apart by feature 0, with ids.
Dataset numbered_rows() {
  const Dataset data = noisy_linear(20, 9, 3, 5);
  DatasetParts parts = data.parts();
  std::vector<float> dense(parts.dense.view().begin(), parts.dense.view().end());
  std::vector<std::string> ids;
  std::vector<float> weights;
  for (std::size_t d = 0; d < data.documents(); ++d) {
    dense[3 * d] = static_cast<float>(d + 1);
    ids.push_back("d" + std::to_string(d + 1));
    weights.push_back(static_cast<float>(d) / 4);
  }
  parts.dense = std::move(dense);
  parts.docids = make_strings(ids);
  parts.document_weights = std::move(weights);
  return Dataset(std::move(parts));
}

void expect_ordered(const Dataset& data, ThreadPool& pool) {
  const Dataset ordered = in_content_order(data, pool);
  ASSERT_EQ(ordered.documents(), data.documents());
  const ContentHashes hashes = content_hashes(ordered, {}, pool);
  for (std::size_t q = 0; q < ordered.queries(); ++q) {
    EXPECT_TRUE(std::is_sorted(hashes.rows.begin() + static_cast<std::ptrdiff_t>(ordered.begin(q)),
                               hashes.rows.begin() + static_cast<std::ptrdiff_t>(ordered.end(q))));
    EXPECT_EQ(ordered.query_key(q), data.query_key(q));
    EXPECT_EQ(ordered.qid(q), data.qid(q));
    EXPECT_TRUE(ordered.row_order(q).empty());
    const auto order = data.row_order(q);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t from = data.begin(q) + order[i], to = ordered.begin(q) + i;
      std::vector<float> row(3), expected(3);
      ordered.rows(q).copy(i, row);
      data.rows(q).copy(order[i], expected);
      EXPECT_EQ(row, expected);
      EXPECT_EQ(ordered.labels(q)[i], data.labels(q)[order[i]]);
      EXPECT_EQ(ordered.document_weights(q)[i], data.document_weights(q)[order[i]]);
      EXPECT_EQ(ordered.docid(to), data.docid(from));
      EXPECT_EQ(ordered.input_row(to), data.input_row(from));
    }
  }
  EXPECT_EQ(ordered.fingerprint(), data.fingerprint());
}

TEST(InContentOrder, MovesRowsWithAllTheirData) {
  Bench bench(2);
  expect_ordered(with_content(numbered_rows(), {}, bench.context), bench.pool);
}

TEST(InContentOrder, MovesSparseRows) {
  Bench bench(2);
  const Dataset dense = numbered_rows();
  DatasetParts parts = dense.parts();
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t d = 0; d < dense.documents(); ++d) {
    for (std::uint32_t f = 0; f < 3; f += 1 + d % 2) {
      columns.push_back(f);
      values.push_back(dense.rows(d, d + 1).dense(0)[f]);
    }
    row_begin.push_back(columns.size());
  }
  parts.dense = {};
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  expect_ordered(with_content(Dataset(std::move(parts)), {}, bench.context), bench.pool);
}

TEST(InContentOrder, CopiesNothingIfRowsAreInOrder) {
  Bench bench;
  const Dataset once =
      in_content_order(with_content(numbered_rows(), {}, bench.context), bench.pool);
  const Dataset again = with_content(once, {}, bench.context);
  EXPECT_TRUE(again.row_order(0).empty());
  EXPECT_EQ(in_content_order(again, bench.pool).parts().dense.view().data(),
            once.parts().dense.view().data());
}

TEST(InContentOrder, LabelsAloneAndNumbersFollowTheSameOrder) {
  Bench bench;
  const Dataset data = with_content(numbered_rows(), {}, bench.context);
  const Dataset whole = in_content_order(data, bench.pool), labels = labels_in_content_order(data);
  EXPECT_EQ(labels.features(), 0);
  std::vector<double> rows(data.documents());
  std::iota(rows.begin(), rows.end(), 0.0);
  const std::vector<double> moved = in_content_order(data, rows);
  for (std::size_t d = 0; d < data.documents(); ++d) {
    EXPECT_EQ(labels.labels()[d], whole.labels()[d]);
    EXPECT_EQ(moved[d], static_cast<double>(whole.input_row(d)));
  }
  for (std::size_t q = 0; q < data.queries(); ++q)
    EXPECT_EQ(labels.query_key(q), data.query_key(q));
}

TEST(InContentOrder, ChosenQueriesKeepKeysAndOrder) {
  Bench bench;
  const Dataset data = with_content(numbered_rows(), {}, bench.context);
  const Dataset chosen = select_queries(data, std::vector<std::size_t>{7, 2});
  EXPECT_EQ(chosen.query_key(0), data.query_key(7));
  const auto order = chosen.row_order(1), expected = data.row_order(2);
  EXPECT_TRUE(std::equal(order.begin(), order.end(), expected.begin(), expected.end()));
}

}  // namespace
}  // namespace podium::content_test
