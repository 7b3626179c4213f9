// Options that the contract suite of learners leaves at their defaults: however the data is
// distributed, and wherever training is stopped and resumed, all results are the same, bit for bit.
#include <sstream>

#include <gtest/gtest.h>

#include "learners/train_on_toys.h"

namespace podium::ranks_and_resumption_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::podium_convention;

struct Case {
  std::string name, learner;
  Assignments options;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

// Keeps every state, and requests a stop at the second one.
class StopAtTheSecond final : public Checkpoints {
 public:
  explicit StopAtTheSecond(std::vector<std::byte> state) : resumed_(std::move(state)) {}
  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override { return true; }
  void keep(std::span<const std::byte> state) override {
    state_.assign(state.begin(), state.end());
    if (++kept_ == 2) stop_.request_stop();
  }
  std::stop_token stop() const { return stop_.get_token(); }
  const std::vector<std::byte>& state() const noexcept { return state_; }

 private:
  std::vector<std::byte> resumed_, state_;
  int kept_ = 0;
  std::stop_source stop_;
};

class RanksAndResumption : public ::testing::TestWithParam<Case> {
 protected:
  const Dataset train_data = noisy_linear(24, 12, 5, 1), valid_data = noisy_linear(12, 12, 5, 2);
  const std::unique_ptr<const Learner> learner =
      learners().make(GetParam().learner, GetParam().options);

  TrainingResult train(const Dataset& data, const Dataset& valid, Context& context) const {
    return learner->train(
        {data, &valid, parse_measure("nDCG@5", podium_convention()), podium_convention()}, context);
  }
  // All results of training except this rank's skipped queries and the time.
  std::string described(const TrainingResult& result) const {
    SavedModel saved;
    saved.features = train_data.feature_names();
    saved.model = result.model;
    std::ostringstream text;
    text << std::hexfloat << to_json(saved) << '\n'
         << to_text(result.termination) << ' ' << result.best_iteration;
    for (const auto& [name, value] : result.chosen) text << ' ' << name << ' ' << value;
    for (const Iteration& step : result.log) {
      text << '\n' << step.number << '/' << step.total;
      for (const auto& [name, value] : step.values)
        if (!name.starts_with("seconds")) text << ' ' << name << ' ' << value;
    }
    return text.str();
  }
  std::string alone() const {
    Bench bench;
    return described(train(train_data, valid_data, bench.context));
  }
  // The second of three ranks has no data.
  static Dataset share(const Dataset& data, const Communicator& comm) {
    std::vector<std::size_t> mine;
    for (std::size_t q = 0; q < data.queries(); ++q)
      if (comm.rank() == (q % 3 == 0 ? 0 : 2)) mine.push_back(q);
    return select_queries(data, mine);
  }
};

TEST_P(RanksAndResumption, ThreeRanksReturnTheSame) {
  const std::string expected = alone();
  run_in_threads(3, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const auto result = train(share(train_data, comm), share(valid_data, comm), context);
    EXPECT_EQ(described(result), expected);
  });
}

TEST_P(RanksAndResumption, StoppedAndResumedTrainingReturnsTheSame) {
  const std::string expected = alone();
  std::vector<std::byte> state;
  for (int runs = 0; runs < 1000; ++runs) {
    StopAtTheSecond checkpoints(state);
    Bench bench;
    Context context{1, bench.pool, *bench.comm, bench.observer, checkpoints.stop(), &checkpoints};
    const auto result = train(train_data, valid_data, context);
    if (!checkpoints.stop().stop_requested()) {
      EXPECT_GT(runs, 0);
      EXPECT_EQ(described(result), expected);
      return;
    }
    ASSERT_NE(checkpoints.state(), state);
    state = checkpoints.state();
  }
  FAIL() << "no end";
}

INSTANTIATE_TEST_SUITE_P(
    Options, RanksAndResumption,
    ::testing::Values(
        Case{"trees_of_parts",
             "lambdamart",
             {{"trees", "12"},
              {"leaves", "8"},
              {"min-docs", "4"},
              {"query-fraction", "0.5"},
              {"feature-fraction", "0.6"},
              {"monotone", "1:+1"}}},
        Case{"several_outputs",
             "mcrank",
             {{"trees", "6"}, {"variant", "multiclass"}, {"query-fraction", "0.6"}}},
        Case{"bag", "lambdamart", {{"trees", "5"}, {"bag", "3"}, {"min-docs", "5"}}},
        Case{"bag_of_several_outputs", "mcrank", {{"trees", "3"}, {"bag", "2"}}},
        Case{"noise",
             "lambdamart",
             {{"trees", "6"}, {"noise", "0.5"}, {"noise-draws", "2"}, {"min-docs", "5"}}},
        Case{"dart",
             "lambdamart",
             {{"trees", "14"}, {"dart", "0.4"}, {"query-fraction", "0.7"}, {"min-docs", "5"}}},
        Case{"dart_in_a_bag_with_noise",
             "lambdamart",
             {{"trees", "6"}, {"dart", "0.5"}, {"bag", "2"}, {"noise", "1"}, {"min-docs", "5"}}},
        Case{"dart_of_several_outputs", "mcrank", {{"trees", "6"}, {"dart", "0.5"}}},
        Case{"dart_with_tree_weights", "directrank-trees", {{"trees", "8"}, {"dart", "0.4"}}},
        Case{"oblivious",
             "lambdamart",
             {{"trees", "10"},
              {"oblivious", "true"},
              {"min-docs", "4"},
              {"query-fraction", "0.6"},
              {"feature-fraction", "0.7"},
              {"dart", "0.2"},
              {"monotone", "1:+1"}}},
        Case{"oblivious_of_several_outputs",
             "mcrank",
             {{"trees", "5"}, {"oblivious", "true"}, {"max-depth", "4"}, {"bag", "2"}}},
        Case{"oblivious_with_tree_weights",
             "directrank-trees",
             {{"trees", "6"}, {"oblivious", "true"}, {"interactions", "1,2;2,3,4"}}},
        Case{"gradient_leaves", "mart", {{"trees", "8"}, {"leaf-values", "gradient"}}},
        Case{"leverage", "directrank-trees", {{"trees", "6"}, {"leverage", "3"}}},
        Case{"leverage_alone", "directrank-trees", {{"trees", "6"}, {"strategy", "leverage"}}},
        Case{"clipped_weights",
             "directrank-trees",
             {{"trees", "6"}, {"outside", "clip"}, {"weigh-on", "all"}}},
        Case{"weights_of_leaves",
             "directrank-trees",
             {{"trees", "6"}, {"leaves", "5"}, {"weigh", "leaves"}, {"leverage", "1"}}},
        Case{"all_thresholds", "rankboost", {{"rounds", "12"}, {"thresholds", "0"}}},
        Case{"fidelity", "frank", {{"rounds", "12"}, {"thresholds", "7"}, {"labels", "binary"}}},
        Case{"one_sign", "adarank", {{"rounds", "9"}, {"signs", "plus"}, {"tolerance", "0"}}},
        Case{"few_passes", "coordinate-ascent", {{"restarts", "3"}, {"max-passes", "2"}}},
        Case{"ramp_of_the_topmost_good",
             "svm-mrr",
             {{"C", "1,100"}, {"bound", "ramp"}, {"epsilon", "1e-5"}}},
        Case{"ramp_of_all_pairs",
             "svm-ndcg",
             {{"C", "1,100"}, {"k", "3"}, {"bound", "ramp"}, {"epsilon", "1e-5"}}},
        Case{"powell",
             "directrank",
             {{"directions", "powell"}, {"restarts", "2"}, {"starts", "linear"}, {"kicks", "5"}}},
        Case{"mixed",
             "directrank",
             {{"directions", "mixed"}, {"restarts", "2"}, {"starts", ""}, {"kicks", "1"}}},
        Case{"penalty",
             "directrank",
             {{"l2", "0.01"}, {"order", "greedy"}, {"restarts", "2"}, {"starts", ""}}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace podium::ranks_and_resumption_test
