// Structural SVMs when their convex bound is useless.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "learners/structural/concave_convex.h"
#include "learners/train_on_toys.h"
#include "podium/data_io.h"
#include "podium/error.h"
#include "support/real_data.h"

namespace podium::structural_svm_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::random_data;

class Notes final : public Observer {
 public:
  void note(std::string_view text) override { all.append(text).append("\n"); }
  std::string all;
};

struct Trained {
  TrainingResult result;
  std::string notes;
  const std::vector<double>& weights() const { return std::get<Linear>(result.model).weights; }
  double norm() const {
    double sum = 0;
    for (const double w : weights()) sum += w * w;
    return std::sqrt(sum);
  }
};

Trained train_with_notes(const std::string& learner, const Dataset& data,
                         const Assignments& options) {
  Bench bench;
  Notes notes;
  Context context{1, bench.pool, *bench.comm, notes};
  const auto made = learners().make(learner, options);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", convention), convention};
  Trained trained{made->train(problem, context), {}};
  trained.notes = notes.all;
  return trained;
}

// Labels unrelated to the features: the optimum of the hinge is w = 0.
TEST(StructuralSvm, AnOptimumAtZeroIsReportedWithAdvice) {
  const Dataset noise = random_data(30, 40, 4, 1);
  for (const char* learner : {"svm-mrr", "dorm", "svm-ndcg"}) {
    const Trained trained = train_with_notes(learner, noise, {{"C", "1"}});
    EXPECT_GT(trained.norm(), 0) << learner;
    EXPECT_NE(trained.notes.find("the optimum of"), std::string::npos) << learner;
    EXPECT_NE(trained.notes.find("‹bound ramp›"), std::string::npos) << learner;
  }
}

TEST(StructuralSvm, StoppedEarlyAtZeroItStepsAwayWithANote) {
  const Dataset noise = random_data(30, 40, 4, 1);
  const Trained trained = train_with_notes("svm-mrr", noise, {{"C", "1000"}, {"max-passes", "2"}});
  EXPECT_EQ(trained.result.termination, Termination::iteration_limit);
  EXPECT_GT(trained.norm(), 0);
  EXPECT_NE(trained.notes.find("before it left w = 0"), std::string::npos) << trained.notes;
  ASSERT_TRUE(trained.result.certificate);
  EXPECT_GT(trained.result.certificate->gap, 0.01);
}

TEST(StructuralSvm, ZeroWeightsAreNeverSilent) {
  // Constant features: there is no direction to step in.
  std::vector<float> labels;
  for (int i = 0; i < 40; ++i) labels.push_back(static_cast<float>(i % 2));
  const Dataset constant = testing::make_dataset({20, 20}, 2, std::vector<float>(80, 1), labels);
  for (const char* passes : {"1", "1000"}) {
    const Trained trained = train_with_notes("svm-map", constant, {{"max-passes", passes}});
    EXPECT_EQ(trained.norm(), 0);
    EXPECT_EQ(trained.notes, "") << passes;  // the note about the model covers it
    EXPECT_EQ(trained.result.if_constant, "the optimum found is w = 0");
  }
}

// J never rises from one concave–convex step to the next, whatever the data.
TEST(ConcaveConvex, TheTrueBoundNeverRises) {
  Bench bench;
  int steps = 0;
  for (const char* name : {"structured-map(bound=ramp)", "structured-ndcg(bound=ramp)@5",
                           "structured-mrr(bound=ramp)@5", "structured-mrr(map=po,bound=ramp)@5",
                           "dorm(bound=ramp)@5"})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Dataset data = seed == 3 ? random_data(15, 20, 4, seed) : noisy_linear(20, 16, 4, seed);
      const auto loss = parse_loss(name);
      const LossOnData on(data, *loss, bench.context);
      ConcaveConvex procedure(on, {1e-4, 1000}, bench.context);
      std::vector<double> start(data.features());
      for (std::size_t f = 0; f < start.size(); ++f) start[f] = 0.01 * static_cast<double>(f + 1);
      procedure.begin(10, start);
      double last = procedure.state().objective;
      const double first = last;
      const auto value = [&] {
        DataRisk risk(on, *on.bound, bench.context);
        const auto& w = procedure.state().point;
        const auto scores = risk.image(w);
        std::vector<double> slope(scores.size());
        double norm = 0;
        for (const double x : w) norm += x * x;
        return 0.5 * norm + 10 * risk.evaluate(scores, slope);
      };
      while (procedure.advance({}) != CuttingPlaneSolver::Progress::done) {
        ASSERT_NEAR(procedure.state().objective, value(), 1e-9 * last) << name;
        ASSERT_LE(procedure.state().objective, last) << name;
        last = procedure.state().objective;
      }
      EXPECT_LE(procedure.state().objective, last) << name;
      EXPECT_LT(procedure.state().objective, first) << name;
      steps += static_cast<int>(procedure.state().steps);
    }
  EXPECT_GT(steps, 30);  // more than one each: the steps have an effect
}

// One budget for the convex start and the steps, and a note if the start uses it up.
TEST(StructuralSvm, TheRampCountsThePassesOfItsStart) {
  const Dataset data = noisy_linear(40, 24, 5, 1);
  const auto passes = [](const Trained& one) {
    for (const auto& [name, value] : one.result.log.back().values)
      if (name == "passes") return value;
    return std::nan("");
  };
  const Trained hinge = train_with_notes("svm-map", data, {{"C", "100"}, {"epsilon", "1e-5"}});
  ASSERT_GT(passes(hinge), 3);
  const Trained cut = train_with_notes(
      "svm-map", data, {{"C", "100"}, {"epsilon", "1e-5"}, {"bound", "ramp"}, {"max-passes", "2"}});
  EXPECT_EQ(passes(cut), 2);
  EXPECT_EQ(cut.result.termination, Termination::iteration_limit);
  EXPECT_FALSE(cut.result.certificate);
  EXPECT_NE(cut.notes.find("before the first concave-convex step"), std::string::npos);
  const Trained whole =
      train_with_notes("svm-map", data, {{"C", "100"}, {"epsilon", "1e-5"}, {"bound", "ramp"}});
  EXPECT_GT(passes(whole), passes(hinge));
}

TEST(StructuralSvm, AnEmptyCombinationIsRefused) {
  EXPECT_THROW(learners().make("svm-combo", {{"losses", " "}}), Error);
}

// ½‖w‖² + C·R with the ramp R, at a model.
double ramp_objective(const std::string& loss, double c, const Trained& trained,
                      const Dataset& data) {
  Bench bench;
  const auto ramp = parse_loss(loss);
  const LossOnData on(data, *ramp, bench.context);
  DataRisk risk(on, *on.bound, bench.context);
  const auto scores = risk.image(trained.weights());
  std::vector<double> slope(scores.size());
  return 0.5 * trained.norm() * trained.norm() + c * risk.evaluate(scores, slope);
}

TEST(StructuralSvm, TheStepsLowerTheRampOfTheHingesModel) {
  const Dataset data = noisy_linear(40, 24, 5, 1);
  for (const char* learner : {"svm-mrr", "svm-ndcg", "dorm", "svm-map"}) {
    const Assignments options = {{"C", "100"}, {"bound", "ramp"}};
    const std::string loss = (*learners().make(learner, options)->loss())->name();
    const Trained ramp = train_with_notes(learner, data, options);
    const Trained hinge = train_with_notes(learner, data, {{"C", "100"}});
    EXPECT_FALSE(ramp.result.certificate) << learner;
    EXPECT_EQ(ramp.notes, "") << learner;
    EXPECT_LT(ramp_objective(loss, 100, ramp, data), ramp_objective(loss, 100, hinge, data))
        << learner;
  }
}

TEST(StructuralSvm, LossesBelowZeroAreRefused) {
  const Dataset data = noisy_linear(20, 10, 3, 1);
  Bench bench;
  const auto learner = learners()
                           .make("linear", {{"optimizer", "cutting-plane"}})
                           ->with_loss(parse_loss("interval(lambda2=0.01,barrier=0.1)"));
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", convention), convention};
  EXPECT_THROW(learner->train(problem, bench.context), Error);
}

TEST(StructuralSvm, TheCombinationIsNotZeroOnOhsumed) {
  PODIUM_REQUIRE_DATA();
  Bench bench;
  const Dataset data =
      read_dataset(testing::letor_set("OHSUMED") + "/Fold1/train.txt", {}, bench.context);
  const Trained trained = train_with_notes("svm-combo", data, {{"C", "10"}});
  EXPECT_EQ(trained.notes, "");
  ASSERT_TRUE(trained.result.certificate);
  EXPECT_LE(trained.result.certificate->gap, 1e-3);
  // ½‖w‖² + C·R is below its value at w = 0 by more than the gap.
  const auto& figures = trained.result.log.back().values;
  const auto relative = std::find_if(figures.begin(), figures.end(), [](const auto& figure) {
    return figure.first == "objective/objective(0)";
  });
  ASSERT_NE(relative, figures.end());
  EXPECT_LT(relative->second, 0.99);
}

}  // namespace
}  // namespace podium::structural_svm_test
