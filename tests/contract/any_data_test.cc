// One suite over every row of the table of learners: data with a category and missing values, with
// the default encoding and imputation. learners_test.cc has the same promises for numbers, and for
// learners that use categories themselves.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "podium/training.h"
#include "support/catalogue_rows.h"
#include "support/category_data.h"
#include "support/stopping_checkpoints.h"
#include "support/toy_data.h"

namespace podium::any_data_test {
namespace {

using testing::Bench;
using testing::StoppingCheckpoints;

// So many values are encoded by target statistics.
constexpr std::size_t kValues = 24;

Dataset toys(std::size_t queries, std::uint64_t seed) {
  return testing::with_categories(testing::noisy_linear(queries, 12, 4, seed), kValues);
}

Dataset share(const Dataset& data, const Communicator& comm) {
  std::vector<std::size_t> mine;
  for (std::size_t q = 0; q < data.queries(); ++q)
    if (comm.rank() == (3 * q < data.queries() ? 0 : comm.size() - 1)) mine.push_back(q);
  return select_queries(data, mine);
}

class AnyData : public ::testing::TestWithParam<std::string> {
 protected:
  AnyData() {
    spec.learner = GetParam();
    spec.measures = parse_measures("nDCG@10", spec.convention);
    const std::vector<Field>& fields = learners().at(spec.learner).options();
    constexpr std::array<std::pair<const char*, const char*>, 2> kShort = {
        {{"trees", "12"}, {"rounds", "30"}}};
    for (const auto& [name, value] : kShort)
      if (std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; }))
        spec.options.emplace_back(name, value);
  }

  std::string file_of(int threads) const {
    Bench bench(threads);
    return to_json(train(spec, train_data, &valid_data, bench.context));
  }

  TrainingSpec spec;
  const Dataset train_data = toys(40, 1);
  const Dataset valid_data = toys(20, 2);
};

TEST_P(AnyData, BeatsAConstantAndScoresTheSameWhenRead) {
  const Dataset test_data = toys(40, 3);
  Bench bench;
  const SavedModel model = train(spec, train_data, &valid_data, bench.context);
  const auto value = [&](std::span<const double> scores) {
    return evaluate(spec.measures[0], spec.convention, test_data, scores, bench.context);
  };
  const std::vector<double> scores = score(model, test_data, bench.context);
  EXPECT_GT(value(scores), value(std::vector<double>(test_data.documents())) + 0.05);
  const SavedModel read = model_from_json(to_json(model), "model.json");
  EXPECT_EQ(score(read, test_data, bench.context), scores);
}

TEST_P(AnyData, ThreadsAndRanksFindTheSameModelBitForBit) {
  const std::string one = file_of(1);
  for (const int threads : {2, 3}) EXPECT_EQ(file_of(threads), one) << threads;
  for (const int ranks : {2, 3}) {
    std::vector<std::string> files(static_cast<std::size_t>(ranks));
    run_in_threads(ranks, [&](Communicator& comm) {
      const Dataset mine = share(train_data, comm), valid = share(valid_data, comm);
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      files[static_cast<std::size_t>(comm.rank())] = to_json(train(spec, mine, &valid, context));
    });
    for (const std::string& file : files) EXPECT_EQ(file, one) << ranks << " ranks";
  }
}

TEST_P(AnyData, StoppedAndResumedTrainingGivesTheSameBits) {
  const std::string whole = file_of(1);
  Bench preparing;
  const PreparedData data = prepare(spec, train_data, &valid_data, preparing.context);
  std::vector<std::byte> state;
  for (int runs = 0;; ++runs) {
    ASSERT_LT(runs, 3000) << "no run gets any further";
    StoppingCheckpoints checkpoints(state, 3);
    Bench bench(1 + runs % 2);
    Context context{1,           bench.pool, *bench.comm, bench.observer, checkpoints.stop_token(),
                    &checkpoints};
    const Trained trained = train(spec, data, context);
    if (!checkpoints.stopped()) {
      EXPECT_EQ(to_json(trained.model), whole);
      break;
    }
    EXPECT_NE(checkpoints.state(), state) << "a run that was stopped left no new state";
    state = checkpoints.state();
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AnyData, ::testing::ValuesIn(testing::row_names(learners())),
                         testing::test_name);

}  // namespace
}  // namespace podium::any_data_test
