// One suite over every row of the table of learners.
#include <gtest/gtest.h>

#include "podium/learner.h"
#include "support/toy_data.h"

namespace podium {
namespace {

using testing::Bench;
using testing::noisy_linear;

class LearnerContract : public ::testing::TestWithParam<std::string> {
 protected:
  const Entry<Learner>& entry = learners().at(GetParam());
  std::unique_ptr<const Learner> learner = learners().make(GetParam());
  const Dataset train_data = noisy_linear(60, 20, 6, 1);
  const Dataset valid_data = noisy_linear(30, 20, 6, 2);
  const Dataset test_data = noisy_linear(60, 20, 6, 3);
  const Convention& convention = find_convention("podium");
  MeasurePtr measure = parse_measure("nDCG@10", convention);

  TrainingProblem problem(const Dataset* valid) const {
    const std::string loss = learner->default_loss();
    return {train_data, valid, measure, convention,
            loss.empty() ? nullptr : std::shared_ptr<const Loss>(parse_loss(loss))};
  }
  TrainingResult train(int threads, const Dataset* valid) const {
    Bench bench(threads);
    return learner->train(problem(valid), bench.context);
  }
  std::string file_of(const TrainingResult& result) const {
    SavedModel saved;
    saved.learner = GetParam();
    saved.features = train_data.feature_names();
    saved.model = result.model;
    return to_json(saved);
  }
};

TEST_P(LearnerContract, BeatsAConstantOnDataItHasNotSeen) {
  Bench bench;
  const auto test_value = [&](std::span<const double> scores) {
    return evaluate(measure, convention, test_data, scores, bench.context);
  };
  const double constant = test_value(std::vector<double>(test_data.documents()));
  for (const Dataset* valid : {static_cast<const Dataset*>(nullptr), &valid_data}) {
    const auto result = train(1, valid);
    EXPECT_GT(test_value(score(result.model, test_data, bench.pool)), constant + 0.1);
    EXPECT_FALSE(result.log.empty());
  }
}

TEST_P(LearnerContract, SameBitsForAnyNumberOfThreads) {
  const std::string one = file_of(train(1, &valid_data));
  for (const int threads : {2, 4}) EXPECT_EQ(file_of(train(threads, &valid_data)), one);
}

TEST_P(LearnerContract, SavedModelsScoreTheSame) {
  const auto result = train(1, nullptr);
  const SavedModel back = model_from_json(file_of(result), "model.json");
  Bench bench;
  EXPECT_EQ(score(back, test_data, bench.context), score(result.model, test_data, bench.pool));
}

TEST_P(LearnerContract, RanksThatShareTheDataFindTheSameModel) {
  const auto alone = train(1, nullptr);
  Bench bench;
  const auto expected = score(alone.model, test_data, bench.pool);
  std::vector<std::size_t> halves[2];
  for (std::size_t q = 0; q < train_data.queries(); ++q)
    halves[q * 3 / train_data.queries() > 1].push_back(q);
  run_in_threads(2, [&](Communicator& comm) {
    const Dataset mine = select_queries(train_data, halves[comm.rank()]);
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    TrainingProblem part{mine, nullptr, measure, convention, problem(nullptr).loss};
    const auto result = learner->train(part, context);
    const auto scores = score(result.model, test_data, pool);
    for (std::size_t i = 0; i < scores.size(); ++i) ASSERT_NEAR(scores[i], expected[i], 1e-6);
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LearnerContract, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const auto* entry : learners().entries())
                             names.emplace_back(entry->name);
                           return names;
                         }()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace podium
