#include "models/document_sums.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"
#include "models/linear/linear.h"
#include "models/mlp/mlp.h"
#include "support/toy_data.h"

namespace podium::document_sums_test {
namespace {

using testing::Bench;
using testing::make_dataset;

constexpr std::size_t kFeatures = 7;

// Queries of very different lengths, two of them longer than a piece; values of very different
// sizes.
Dataset uneven(Random& random) {
  const std::vector<std::size_t> lengths = {3, 2 * Piece::kDocuments + 5, 1, 40, 0, 900,
                                            1, Piece::kDocuments};
  std::vector<float> values, labels;
  for (const std::size_t length : lengths)
    for (std::size_t i = 0; i < length; ++i) {
      labels.push_back(static_cast<float>(random.below(3)));
      for (std::size_t f = 0; f < kFeatures; ++f)
        values.push_back(random.below(3) == 0
                             ? 0.0F
                             : static_cast<float>(std::pow(10.0, 8 * random.uniform() - 4) *
                                                  (random.uniform() - 0.5)));
    }
  return make_dataset(lengths, kFeatures, std::move(values), std::move(labels));
}

Dataset to_sparse(const Dataset& dense) {
  DatasetParts parts = dense.parts();
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t i = 0; i < dense.documents(); ++i) {
    const Rows rows = dense.rows(i, i + 1);
    for (std::size_t f = 0; f < kFeatures; ++f)
      if (const float x = rows.dense(0)[f]; x != 0) {
        columns.push_back(static_cast<std::uint32_t>(f));
        values.push_back(x);
      }
    begin.push_back(columns.size());
  }
  parts.dense = {};
  parts.row_begin = std::move(begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  return Dataset(std::move(parts));
}

struct AllSums {
  std::vector<double> weighted, squares, moments;
  double inner;
  std::vector<float> mean, deviation;
  bool operator==(const AllSums&) const = default;
};

// The sums of all ranks, on this rank. A document's weight does not depend on its rank.
AllSums sums_of(const Dataset& data, Context& context) {
  std::vector<double> c(data.documents()), h(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    Random random(5, hash_text(data.qid(q)));
    for (std::size_t i = data.begin(q); i < data.end(q); ++i) {
      c[i] = random.uniform() - 0.5;
      h[i] = random.uniform();
    }
  }
  const auto standard = fit_standardization(data, context);
  return {weighted_sum(data, c, context),
          squares_within(data, h, context),
          moments_within(data, h, context),
          inner_over_documents(data, c, h, context),
          standard.mean,
          standard.deviation};
}

TEST(DocumentSums, PiecesAreCountedFromEachQuerysFirst) {
  Random random(1);
  const Dataset data = uneven(random);
  std::size_t at = 0;
  for (const Piece& piece : pieces_of(data)) {
    EXPECT_EQ(piece.begin, at);
    EXPECT_GT(piece.end, piece.begin);
    EXPECT_LE(piece.end - piece.begin, Piece::kDocuments);
    EXPECT_GE(piece.begin, data.begin(piece.query));
    EXPECT_LE(piece.end, data.end(piece.query));
    EXPECT_EQ((piece.begin - data.begin(piece.query)) % Piece::kDocuments, 0U);
    at = piece.end;
  }
  EXPECT_EQ(at, data.documents());
}

TEST(DocumentSums, NeitherThreadsNorRanksNorTheOrderOfQueriesChangeABit) {
  Random random(2);
  const Dataset dense = uneven(random);
  for (const Dataset& data : {dense, to_sparse(dense)}) {
    Bench one(1), four(4);
    const AllSums alone = sums_of(data, one.context);
    EXPECT_EQ(sums_of(data, four.context), alone);
    run_in_threads(3, [&](Communicator& comm) {
      std::vector<std::size_t> mine;  // backwards, and nothing for rank 1
      for (std::size_t q = data.queries(); q-- > 0;)
        if (comm.rank() == (q % 3 == 0 ? 0 : 2)) mine.push_back(q);
      const Dataset part = select_queries(data, mine);
      ThreadPool pool(2);
      Observer silent;
      Context context{1, pool, comm, silent};
      EXPECT_EQ(sums_of(part, context), alone);
    });
  }
}

TEST(DocumentSums, EqualTheDefinition) {
  Random random(3);
  const Dataset data = uneven(random);
  Bench bench(2);
  std::vector<double> c(data.documents());
  for (double& x : c) x = random.uniform() - 0.5;
  const auto sums = weighted_sum(data, c, bench.context);
  const auto sparse = weighted_sum(to_sparse(data), c, bench.context);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    ExactSum exact;
    double scale = 0;
    for (std::size_t i = 0; i < data.documents(); ++i) {
      const double x = static_cast<double>(data.rows(i, i + 1).dense(0)[f]);
      exact += c[i] * x;
      scale += std::abs(c[i] * x);
    }
    EXPECT_NEAR(sums[f], exact.value(), 1e-13 * scale);
    EXPECT_NEAR(sparse[f], exact.value(), 1e-13 * scale);
  }
}

}  // namespace
}  // namespace podium::document_sums_test
