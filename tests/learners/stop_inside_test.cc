// A stop request that arrives while a loss is evaluated, or a line is searched, ends training
// there: with the model of the previous rounds, or with an Error if there was none.
#include <memory>

#include <gtest/gtest.h>

#include "learners/train_on_toys.h"
#include "line_search/exact_line_search.h"
#include "podium/error.h"

namespace podium::stop_inside_test {
namespace {

// A loss whose n-th evaluation requests a stop and checks for it.
struct Trap {
  std::stop_source source;
  std::int64_t evaluations = 0, last = 0;  // 0: never
};

class BoundTrap final : public BoundLoss {
 public:
  BoundTrap(std::unique_ptr<const BoundLoss> loss, Trap& trap)
      : loss_(std::move(loss)), trap_(trap) {}
  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    if (++trap_.evaluations == trap_.last) trap_.source.request_stop();
    out.stop();
    return loss_->evaluate(q, scores, out);
  }

 private:
  std::unique_ptr<const BoundLoss> loss_;
  Trap& trap_;
};

class LossWithTrap final : public Loss {
 public:
  LossWithTrap(const std::string& loss, Trap& trap) : loss_(parse_loss(loss)), trap_(trap) {}
  std::string name() const override { return loss_->name(); }
  LossTraits traits() const noexcept override { return loss_->traits(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundTrap>(loss_->bind(data, comm), trap_);
  }

 private:
  SharedLoss loss_;
  Trap& trap_;
};

// Keeps the last state.
struct InMemory final : Checkpoints {
  std::vector<std::byte> found, kept;
  std::span<const std::byte> resumed() const override { return found; }
  bool due() override { return false; }
  void keep(std::span<const std::byte> state) override { kept.assign(state.begin(), state.end()); }
};

struct Training {
  std::string learner, loss;
  Assignments options;
};

TrainingResult train(const Training& training, Trap& trap, Checkpoints* checkpoints = nullptr) {
  testing::Bench bench;
  bench.context.stop = trap.source.get_token();
  bench.context.checkpoints = checkpoints;
  const Dataset data = testing::noisy_linear(1, 60, 4, 1);
  const Convention& convention = testing::podium_convention();
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@5", convention), convention};
  return learners()
      .make(training.learner, training.options)
      ->with_loss(std::make_unique<LossWithTrap>(training.loss, trap))
      ->train(problem, bench.context);
}

const Training kTrainings[] = {
    {"boosting", "logistic-pairs", {{"trees", "6"}}},
    {"boosting", "logistic-pairs", {{"trees", "6"}, {"dart", "0.6"}, {"dart-skip", "0"}}},
    {"linear", "softmax", {{"optimizer", "lbfgs"}, {"epochs", "6"}}},
    {"linear", "softmax", {{"optimizer", "adam"}, {"epochs", "6"}}},
};

TEST(StopInsideTraining, KeepsThePreviousRounds) {
  for (const Training& training : kTrainings) {
    Trap trap;
    trap.last = 4;
    const TrainingResult result = train(training, trap);
    EXPECT_EQ(result.termination, Termination::stopped) << training.learner;
    EXPECT_GE(result.log.size(), 1U);
    EXPECT_LE(result.log.size(), 3U);
    EXPECT_GE(result.best_iteration, 1);
  }
}

TEST(StopInsideTraining, OfCuttingPlanesKeepsTheBestPoint) {
  const Training training{"linear", "pairwise-hinge", {{"C", "10"}, {"epsilon", "1e-6"}}};
  Trap whole;
  train(training, whole);
  ASSERT_GT(whole.evaluations, 12);
  Trap trap;
  trap.last = 12;
  const TrainingResult result = train(training, trap);
  EXPECT_EQ(result.termination, Termination::stopped);
  ASSERT_TRUE(result.certificate);
  EXPECT_GE(result.certificate->primal, result.certificate->dual);
  EXPECT_EQ(trap.evaluations, 12);
}

TEST(StopInsideTraining, WithoutAModelIsAnError) {
  for (const Training& training : kTrainings) {
    Trap trap;
    trap.last = 1;
    try {
      train(training, trap);
      FAIL() << training.learner;
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.message(), "stopped before the first round ended: there is no model");
    }
  }
}

TEST(StopInsideTraining, CanBeResumed) {
  for (const Training& training : kTrainings) {
    Trap never;
    const TrainingResult whole = train(training, never);
    Trap trap;
    trap.last = 4;
    InMemory part, rest;
    train(training, trap, &part);
    ASSERT_FALSE(part.kept.empty()) << training.learner;
    rest.found = part.kept;
    const TrainingResult result = train(training, never, &rest);
    EXPECT_EQ(result.log.size(), whole.log.size());
    const Dataset data = testing::noisy_linear(1, 60, 4, 1);
    testing::Bench bench;
    EXPECT_EQ(score(result.model, data, bench.context), score(whole.model, data, bench.context));
  }
}

TEST(StopInsideTraining, EndsASearchAlongALine) {
  const Dataset data = testing::noisy_linear(1, 400, 2, 1);
  const Convention& convention = testing::podium_convention();
  testing::Bench bench;
  std::stop_source source;
  bench.context.stop = source.get_token();
  const std::vector<double> base(data.documents());
  std::vector<double> direction;
  Random random(1);
  for (std::size_t i = 0; i < base.size(); ++i) direction.push_back(random.uniform());
  for (const char* measure : {"nDCG", "AP", "tau"}) {
    const ExactLineSearch search(data, parse_measure(measure, convention), convention,
                                 bench.context);
    EXPECT_NO_THROW(search.search({.base = direction, .direction = base}, bench.context));
  }
  source.request_stop();
  const ExactLineSearch search(data, parse_measure("nDCG", convention), convention, bench.context);
  EXPECT_THROW(search.search({.base = base, .direction = direction}, bench.context), Stopped);
}

TEST(StopInsideTraining, EndsAMeasureOfTiedDocuments) {
  const Dataset data = testing::noisy_linear(1, 60, 2, 1);
  const Convention& convention = testing::podium_convention();
  const std::vector<double> equal(data.documents());
  testing::Bench bench;
  std::stop_source source;
  bench.context.stop = source.get_token();
  const auto value = [&](const char* measure) {
    return evaluate(parse_measure(measure, convention), convention, data, equal, bench.context);
  };
  EXPECT_GT(value("IPrec11"), 0);
  source.request_stop();
  EXPECT_THROW(value("IPrec11"), Stopped);
  EXPECT_GT(value("nDCG@10"), 0);  // fast enough to finish
}

}  // namespace
}  // namespace podium::stop_inside_test
