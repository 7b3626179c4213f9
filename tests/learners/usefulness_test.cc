// The verdict on a model, part by part: ranks that see only their part, sparse rows, and
// information from the trainer.
#include "learners/usefulness.h"

#include <limits>

#include <gtest/gtest.h>

#include "support/toy_data.h"

namespace podium::usefulness_test {
namespace {

using testing::Bench;
using testing::make_dataset;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

std::string verdict(const Dataset& data, const Linear& model, const std::string& if_constant,
                    Context& context) {
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", convention), convention};
  TrainingResult result;
  result.model = model;
  result.if_constant = if_constant;
  const auto learner = learners().make("feature");  // which minimises no loss
  return why_useless(*learner, problem, result, context);
}

std::string verdict(const Dataset& data, const Linear& model, const std::string& if_constant = "") {
  Bench bench;
  return verdict(data, model, if_constant, bench.context);
}

// Two documents per query with columns and values as they are stored, labels 0 and 1.
Dataset sparse(std::vector<std::uint64_t> row_begin, std::vector<std::uint32_t> columns,
               std::vector<float> values, float absent) {
  const std::size_t documents = row_begin.size() - 1;
  std::vector<float> labels;
  for (std::size_t d = 0; d < documents; ++d) labels.push_back(static_cast<float>(d % 2));
  DatasetParts parts =
      make_dataset(std::vector<std::size_t>(documents / 2, 2), 0, {}, labels).parts();
  parts.features = 3;
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

TEST(Usefulness, RoundingErrorsAreNotDifferences) {
  // Scores of 1 in the first query, and about 1e-21 in the second.
  const Dataset data = make_dataset({2, 2}, 2, {1, 0, 1, 0, 0, 1, 0, 2}, {0, 1, 0, 1});
  EXPECT_EQ(verdict(data, {{1.0, 1e-21}, 0}),
            "no model that was tried ranks better than equal scores");
  EXPECT_EQ(verdict(data, {{1.0, 1e-9}, 0}), "");
  // If all scores are small, small differences count.
  EXPECT_EQ(verdict(data, {{0.0, 1e-21}, 0}), "");
  // Visible differences count next to scores of any size.
  EXPECT_EQ(verdict(data, {{1e9, 1e-4}, 0}), "");
}

TEST(Usefulness, TheLastQueryAloneIsEnough) {
  // Five queries of equal documents, and one of different ones.
  std::vector<float> values(12, 1.0F), labels;
  values.back() = 2;
  for (std::size_t d = 0; d < 12; ++d) labels.push_back(static_cast<float>(d % 2));
  const Dataset data = make_dataset(std::vector<std::size_t>(6, 2), 1, values, labels);
  EXPECT_EQ(verdict(data, {{1.0}, 0}), "");
  EXPECT_EQ(verdict(data, {{0.0}, 0}), "no model that was tried ranks better than equal scores");
}

TEST(Usefulness, TheTrainersExplanationIsUsedIfTheDataIsFine) {
  const Dataset fine = make_dataset({2}, 1, {1, 2}, {0, 1});
  const Dataset flat = make_dataset({2}, 1, {1, 1}, {0, 1});
  EXPECT_EQ(verdict(fine, {{0.0}, 0}, "too few documents"), "too few documents");
  EXPECT_EQ(verdict(flat, {{0.0}, 0}, "too few documents"),
            "all features are constant within each query (values are stored as float32)");
}

TEST(Usefulness, DocumentWeightsOfZeroMatterOnlyIfNothingWasLearned) {
  DatasetParts parts = make_dataset({2}, 1, {1, 2}, {0, 1}).parts();
  parts.document_weights = std::vector<float>{0, 0};
  const Dataset data(std::move(parts));
  EXPECT_EQ(verdict(data, {{1.0}, 0}), "");  // by a learner that ignores weights
  EXPECT_EQ(verdict(data, {{0.0}, 0}), "all weights are zero");
}

TEST(Usefulness, SparseRowsAreComparedByValue) {
  const Linear zero{{0, 0, 0}, 0};
  const char* const constant =
      "all features are constant within each query (values are stored as float32)";
  const char* const fine = "no model that was tried ranks better than equal scores";
  EXPECT_EQ(verdict(sparse({0, 1, 2}, {1, 1}, {5, 5}, 0), zero), constant);
  EXPECT_EQ(verdict(sparse({0, 2, 3}, {0, 1, 1}, {0, 5, 5}, 0), zero), constant);  // a stored 0
  EXPECT_EQ(verdict(sparse({0, 1, 3}, {1, 1, 2}, {5, 5, 0}, 0), zero), constant);
  EXPECT_EQ(verdict(sparse({0, 1, 2}, {1, 2}, {5, 5}, 0), zero), fine);
  EXPECT_EQ(verdict(sparse({0, 1, 1}, {1}, {5}, 0), zero), fine);
  EXPECT_EQ(verdict(sparse({0, 1, 1}, {1}, {0}, kMissing), zero), fine);  // 0 against missing
  EXPECT_EQ(verdict(sparse({0, 1, 1}, {1}, {kMissing}, kMissing), zero),
            "all values of all features are missing");
}

TEST(Usefulness, RanksAgreeAlthoughEachSeesOnlyItsPart) {
  // Labels of one kind on each rank, and documents that differ on the second only.
  const Dataset shares[] = {make_dataset({2}, 1, {1, 1}, {0, 0}),
                            make_dataset({2}, 1, {1, 2}, {1, 1})};
  const auto verdicts = [&](const Linear& model) {
    std::vector<std::string> said(2);
    run_in_threads(2, [&](Communicator& comm) {
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const auto rank = static_cast<std::size_t>(comm.rank());
      said[rank] = verdict(shares[rank], model, "", context);
    });
    return said;
  };
  EXPECT_EQ(verdicts({{1.0}, 0}), std::vector<std::string>(2, ""));
  EXPECT_EQ(verdicts({{0.0}, 0}),
            std::vector<std::string>(2, "the labels within each query are equal"));
}

}  // namespace
}  // namespace podium::usefulness_test
