#include "podium/counterfactual.h"

#include <gtest/gtest.h>

#include "podium/click_simulation.h"
#include "podium/error.h"
#include "podium/synthetic.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::counterfactual_test {
namespace {

TEST(Counterfactual, RankWeights) {
  EXPECT_EQ(rank_weights_of("RR@2", 3), (std::vector<double>{1, 0.5, 0}));
  EXPECT_EQ(rank_weights_of("P@2", 3), (std::vector<double>{0.5, 0.5, 0}));
  EXPECT_DOUBLE_EQ(rank_weights_of("DCG@10", 3)[0], 1);
  EXPECT_THROW(rank_weights_of("nDCG@10", 3), Error);
  EXPECT_THROW(rank_weights_of("P", 3), Error);
  EXPECT_THROW(rank_weights_of("DCG@0", 3), Error);
}

// The value of another ranker, known because relevance is known, lies near every estimate.
TEST(Counterfactual, EstimatesTheValueOfARankerThatWasNotShown) {
  testing::Bench bench(2);
  const testing::TemporaryFolder folder;
  SyntheticOptions synthetic;
  synthetic.queries = 30;
  synthetic.docs = 5;
  const Dataset data = make_synthetic(synthetic, bench.context);
  std::vector<double> shown(data.documents()), other(data.documents());
  for (std::size_t d = 0; d < shown.size(); ++d) {
    shown[d] = static_cast<double>(d * 7 % 11);
    other[d] = data.labels()[d] + 0.01 * static_cast<double>(d % 5);
  }
  const SimulationOptions simulation{.sessions = 60'000, .depth = 5, .explore = 0.5};
  const std::string path = folder.file("log.tsv");
  const SimulationTruth world = simulate_clicks(data, shown, simulation, path, bench.context);
  const ClickLog log = read_click_log(path, {}, &data, KeptSessions::none, bench.context);
  const std::vector<double> gamma = attractiveness(data, simulation.noise);
  // The truth at the sessions of the log.
  double truth = 0, relevant = 0;
  for (std::size_t q = 0; q < log.queries(); ++q) {
    const std::size_t first = log.row[log.query_begin[q]];
    std::size_t own = 0;
    while (data.end(own) <= first) ++own;
    for (std::size_t d = data.begin(own); d < data.end(own); ++d) {
      std::size_t rank = 0;
      for (std::size_t e = data.begin(own); e < data.end(own); ++e) rank += other[e] > other[d];
      truth += log.query_sessions[q] * gamma[d] * rank_weights_of("DCG@10", 5)[rank];
      relevant += log.query_sessions[q] * gamma[d];
    }
  }
  const Propensities propensities{"pbm", world.propensities, world.propensities,
                                  std::vector<double>(5, 0.0)};
  for (const auto& [name, estimator] : estimators()) {
    CounterfactualOptions options;
    options.estimator = estimator;
    const Counterfactual evaluation(data, log, propensities, options, bench.context);
    const CounterfactualValue value = evaluation.evaluate(other);
    const double expected =
        estimator == Estimator::snips ? truth / relevant : truth / log.session_total;
    EXPECT_NEAR(value.value, expected, 0.04 * expected) << name;
    EXPECT_LT(value.interval.low, value.value) << name;
    EXPECT_GT(value.interval.high, value.value) << name;
    EXPECT_EQ(value.never_shown, 0);
    const CounterfactualDifference difference =
        evaluation.compare(value, evaluation.evaluate(shown));
    EXPECT_GT(difference.difference, 0);
    EXPECT_LT(difference.p, 0.01);
    EXPECT_EQ(evaluation.compare(value, value).difference, 0);
    EXPECT_EQ(evaluation.compare(value, value).p, 1);
  }
}

}  // namespace
}  // namespace podium::counterfactual_test
