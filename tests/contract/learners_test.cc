// One suite over every row of the table of learners; those that take categories do it all once more
// with a category and missing values.
#include <gtest/gtest.h>

#include "podium/learner.h"
#include "support/catalogue_rows.h"
#include "support/category_data.h"
#include "support/stopping_checkpoints.h"
#include "support/toy_data.h"

namespace podium::learners_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::StoppingCheckpoints;

constexpr std::string_view kWithCategories = " with categories";

std::string learner_of(std::string_view row) {
  if (row.ends_with(kWithCategories)) row.remove_suffix(kWithCategories.size());
  return std::string(row);
}

std::vector<std::string> all_rows() {
  std::vector<std::string> rows = testing::row_names(learners());
  for (const std::string& name : testing::row_names(learners()))
    if (learners().make(name)->takes_categories())
      rows.push_back(name + std::string(kWithCategories));
  return rows;
}

constexpr std::size_t kValues = 12;

class LearnerContract : public ::testing::TestWithParam<std::string> {
 protected:
  static Dataset toys(std::size_t queries, std::uint64_t seed) {
    const Dataset numbers = noisy_linear(queries, 20, 6, seed);
    return GetParam().ends_with(kWithCategories) ? testing::with_categories(numbers, kValues)
                                                 : numbers;
  }

  std::unique_ptr<const Learner> learner = learners().make(learner_of(GetParam()));
  const Dataset train_data = toys(60, 1);
  const Dataset valid_data = toys(30, 2);
  const Dataset test_data = toys(60, 3);
  const Convention& convention = find_convention("podium");
  MeasurePtr measure = parse_measure("nDCG@10", convention);

  TrainingProblem problem(const Dataset* valid) const {
    return {train_data, valid, measure, convention};
  }
  TrainingResult train(int threads, const Dataset* valid) const {
    Bench bench(threads);
    return learner->train(problem(valid), bench.context);
  }
  std::string file_of(const TrainingResult& result) const {
    SavedModel saved;
    saved.learner = learner_of(GetParam());
    saved.features = train_data.feature_names();
    saved.schema = train_data.schema();
    saved.model = result.model;
    return to_json(saved);
  }

  // Uneven parts: the last rank has most queries, and with three ranks the middle one has none.
  std::vector<std::string> train_in_ranks(int ranks, const std::vector<std::byte>& state) const {
    std::vector<std::string> files(static_cast<std::size_t>(ranks));
    run_in_threads(ranks, [&](Communicator& comm) {
      const Dataset mine = share(train_data, comm), valid = share(valid_data, comm);
      ThreadPool pool(1);
      Observer silent;
      StoppingCheckpoints checkpoints(state, 0);
      Context context{1, pool, comm, silent, {}, &checkpoints};
      const TrainingProblem problem{mine, &valid, measure, convention};
      files[static_cast<std::size_t>(comm.rank())] = file_of(learner->train(problem, context));
    });
    return files;
  }
  static Dataset share(const Dataset& data, const Communicator& comm) {
    std::vector<std::size_t> mine;
    for (std::size_t q = 0; q < data.queries(); ++q)
      if (comm.rank() == (3 * q < data.queries() ? 0 : comm.size() - 1)) mine.push_back(q);
    return select_queries(data, mine);
  }
};

TEST_P(LearnerContract, BeatsAConstantOnUnseenData) {
  Bench bench;
  const auto test_value = [&](std::span<const double> scores) {
    return evaluate(measure, convention, test_data, scores, bench.context);
  };
  const double constant = test_value(std::vector<double>(test_data.documents()));
  for (const Dataset* valid : {static_cast<const Dataset*>(nullptr), &valid_data}) {
    const auto result = train(1, valid);
    EXPECT_GT(test_value(score(result.model, test_data, bench.context)), constant + 0.1);
    EXPECT_FALSE(result.log.empty());
  }
}

TEST_P(LearnerContract, SameBitsForAnyNumberOfThreads) {
  const std::string one = file_of(train(1, &valid_data));
  for (const int threads : {2, 3, 7, 16})
    EXPECT_EQ(file_of(train(threads, &valid_data)), one) << threads;
}

TEST_P(LearnerContract, SavedModelsScoreTheSame) {
  const auto result = train(1, nullptr);
  const SavedModel back = model_from_json(file_of(result), "model.json");
  Bench bench;
  EXPECT_EQ(score(back, test_data, bench.context), score(result.model, test_data, bench.context));
}

TEST_P(LearnerContract, RanksFindTheSameModelBitForBit) {
  const std::string alone = file_of(train(1, &valid_data));
  for (const int ranks : {2, 3})
    for (const std::string& file : train_in_ranks(ranks, {})) EXPECT_EQ(file, alone) << ranks;
}

TEST_P(LearnerContract, StoppedAndResumedTrainingGivesTheSameBits) {
  const std::string whole = file_of(train(1, &valid_data));
  for (const int every : {1, 3}) {
    std::vector<std::byte> state;
    for (int runs = 0;; ++runs) {
      ASSERT_LT(runs, 3000) << "no run gets any further";
      StoppingCheckpoints checkpoints(state, every);
      Bench bench(1 + runs % 2);
      Context context{
          1, bench.pool, *bench.comm, bench.observer, checkpoints.stop_token(), &checkpoints};
      const auto result = learner->train(problem(&valid_data), context);
      if (!checkpoints.stopped()) {
        EXPECT_EQ(file_of(result), whole);
        break;
      }
      EXPECT_NE(checkpoints.state(), state) << "a run that was stopped left no new state";
      state = checkpoints.state();
    }
  }
}

TEST_P(LearnerContract, ResumesWithAnotherNumberOfRanks) {
  const std::string whole = file_of(train(1, &valid_data));
  Bench bench;
  StoppingCheckpoints first({}, 2);
  Context context{1, bench.pool, *bench.comm, bench.observer, first.stop_token(), &first};
  learner->train(problem(&valid_data), context);
  for (const std::string& file : train_in_ranks(3, first.state())) EXPECT_EQ(file, whole);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LearnerContract, ::testing::ValuesIn(all_rows()),
                         testing::test_name);

}  // namespace
}  // namespace podium::learners_test
