// The results of training besides the model, after it was stopped and resumed: the contract suite
// checks models.
#include <gtest/gtest.h>

#include "podium/learner.h"
#include "support/toy_data.h"

namespace podium::resumed_training_test {
namespace {

using testing::Bench;
using testing::noisy_linear;

// Requests a stop whenever the state is saved.
class OneStep final : public Checkpoints {
 public:
  explicit OneStep(std::vector<std::byte> state) : resumed_(std::move(state)) {}
  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override { return true; }
  void keep(std::span<const std::byte> state) override {
    kept.assign(state.begin(), state.end());
    stop.request_stop();
  }

  std::vector<std::byte> kept;
  std::stop_source stop;

 private:
  std::vector<std::byte> resumed_;
};

// A log without the columns with times.
using Log = std::vector<std::pair<std::int64_t, std::vector<std::pair<std::string, double>>>>;
Log without_times(const std::vector<Iteration>& log) {
  Log out;
  for (const Iteration& step : log) {
    out.emplace_back(step.number, std::vector<std::pair<std::string, double>>());
    for (const auto& value : step.values)
      if (value.first.rfind("seconds", 0) != 0) out.back().second.push_back(value);
  }
  return out;
}

struct Case {
  std::string learner;
  Assignments settings;
  bool with_validation;
};

class ResumedTraining : public ::testing::TestWithParam<Case> {};

TEST_P(ResumedTraining, HasTheSameLogAndTheSameChoices) {
  const Dataset train = noisy_linear(40, 15, 5, 1), valid = noisy_linear(20, 15, 5, 2);
  const auto learner = learners().make(GetParam().learner, GetParam().settings);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{train, GetParam().with_validation ? &valid : nullptr,
                                parse_measure("nDCG@5", convention), convention};
  Bench bench;
  const TrainingResult whole = learner->train(problem, bench.context);
  std::vector<std::byte> state;
  int runs = 1;
  for (;; ++runs) {
    ASSERT_LT(runs, 2000);
    OneStep checkpoints(state);
    Context context{
        1, bench.pool, *bench.comm, bench.observer, checkpoints.stop.get_token(), &checkpoints};
    const TrainingResult result = learner->train(problem, context);
    state = checkpoints.kept;
    if (checkpoints.stop.stop_requested()) continue;
    EXPECT_EQ(without_times(result.log), without_times(whole.log));
    EXPECT_EQ(result.best_iteration, whole.best_iteration);
    EXPECT_EQ(result.termination, whole.termination);
    EXPECT_EQ(result.chosen, whole.chosen);
    EXPECT_EQ(result.skipped_queries, whole.skipped_queries);
    ASSERT_EQ(result.certificate.has_value(), whole.certificate.has_value());
    if (whole.certificate) {
      EXPECT_EQ(result.certificate->primal, whole.certificate->primal);
      EXPECT_EQ(result.certificate->dual, whole.certificate->dual);
      EXPECT_EQ(result.certificate->gap, whole.certificate->gap);
    }
    break;
  }
  EXPECT_GT(runs, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Learners, ResumedTraining,
    ::testing::Values(
        Case{"ranksvm", {}, true}, Case{"ranksvm", {{"C", "1000"}, {"epsilon", "1e-6"}}, false},
        Case{"svm-acc", {{"C", "1,100"}}, true}, Case{"linear", {}, true},
        Case{"feature", {}, false}, Case{"lambdamart", {{"trees", "4"}, {"bag", "3"}}, true},
        Case{"ranknet", {{"weight-decay", "1,0.1,0.01"}}, true},
        Case{"listnet", {{"epochs", "30"}}, false},
        Case{"lambdarank", {{"epochs", "8"}, {"restarts", "2"}}, true},
        Case{"ranknet",
             {{"optimizer", "sgd"}, {"epochs", "6"}, {"schedule", "step"}, {"hidden", "4"}},
             false},
        Case{"smoothrank", {{"epochs", "12"}}, true},
        Case{"softrank", {{"epochs", "7"}, {"optimizer", "adam"}}, false},
        Case{"mlp", {{"epochs", "5"}, {"weight-decay", "1,0.1"}, {"early-stopping", "2"}}, true}),
    [](const auto& info) {
      std::string name = info.param.learner + "_" + std::to_string(info.index);
      for (char& c : name)
        if (c == '-') c = '_';
      return name;
    });

}  // namespace
}  // namespace podium::resumed_training_test
