#include "podium/counterfactual.h"

#include <optional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clicks/log_reader.h"
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
  double truth = 0;
  for (std::size_t q = 0; q < log.queries(); ++q) {
    const std::size_t first = log.row[log.query_begin[q]];
    std::size_t own = 0;
    while (data.end(own) <= first) ++own;
    for (std::size_t d = data.begin(own); d < data.end(own); ++d) {
      std::size_t rank = 0;
      for (std::size_t e = data.begin(own); e < data.end(own); ++e) rank += other[e] > other[d];
      truth += log.query_sessions[q] * gamma[d] * rank_weights_of("DCG@10", 5)[rank];
    }
  }
  const Propensities propensities{"trust", world.propensities, world.propensities,
                                  std::vector<double>(5, 0.0)};
  for (const auto& [name, estimator] : estimators()) {
    CounterfactualOptions options;
    options.estimator = estimator;
    const Counterfactual evaluation(data, log, propensities, options, bench.context);
    const CounterfactualValue value = evaluation.evaluate(other);
    const double expected = truth / log.session_total;
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

Dataset list_of_four() {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 4};
  parts.labels = std::vector<float>{0, 0, 0, 0};
  parts.qids = make_strings(std::vector<std::string>{"q"});
  parts.docids = make_strings(std::vector<std::string>{"a", "b", "c", "d"});
  parts.features = 1;
  parts.dense = std::vector<float>{1, 2, 3, 4};
  return Dataset(std::move(parts));
}

// The log in which a list of four documents has each of its 16 click vectors, weighted by their
// probabilities under P(c) = a_p γ + b_p: estimates of it are expected values over all clicks.
std::string all_click_vectors(const std::vector<double>& slope, const std::vector<double>& offset,
                              const std::vector<double>& gamma, bool with_propensities) {
  std::string text = "session\tqid\tdocid\tposition\tclick\tweight\tpropensity\n";
  if (!with_propensities) text = "session\tqid\tdocid\tposition\tclick\tweight\tnone\n";
  for (unsigned clicks = 0; clicks < 16; ++clicks) {
    double probability = 1e6;  // so many sessions that the prior of γ̂ does not matter
    for (unsigned p = 0; p < 4; ++p) {
      const double rate = slope[p] * gamma[p] + offset[p];
      probability *= clicks >> p & 1 ? rate : 1 - rate;
    }
    for (unsigned p = 0; p < 4; ++p)
      text += std::to_string(clicks) + "\tq\t" + "abcd"[p] + "\t" + std::to_string(p + 1) + "\t" +
              (clicks >> p & 1 ? "1" : "0") + "\t" + fmt::format("{:.17g}", probability) + "\t" +
              fmt::format("{:.17g}", slope[p]) + "\n";
  }
  return text;
}

TEST(Counterfactual, IsUnbiasedOverAllClickVectorsOfAListOfFour) {
  testing::Bench bench;
  const Dataset data = list_of_four();
  const std::vector<double> gamma = {0.2, 0.9, 0.4, 0.7}, theta = {1, 0.6, 0.4, 0.25}, none(4, 0.0),
                            trust = {0.2, 0.1, 0.05, 0.02}, less = {0.7, 0.45, 0.35, 0.2};
  const std::vector<double> scores = {1, 4, 2, 3};  // the ranks are 4, 1, 3, 2
  const auto by_rank = rank_weights_of("DCG@10", 4);
  const double truth =
      gamma[0] * by_rank[3] + gamma[1] * by_rank[0] + gamma[2] * by_rank[2] + gamma[3] * by_rank[1];
  const auto estimate = [&](Estimator estimator, const std::string& text,
                            const std::optional<Propensities>& propensities) {
    const ClickLog log = read_click_log(*text_in_memory(text, {}), "log", {}, &data,
                                        KeptSessions::none, bench.context);
    const Counterfactual evaluation(data, log, propensities, {.estimator = estimator, .clip = 1e-3},
                                    bench.context);
    return evaluation.evaluate(scores).value;
  };
  const std::string pbm = all_click_vectors(theta, none, gamma, false);
  const Propensities known{"pbm", theta, {}, {}};
  EXPECT_NEAR(estimate(Estimator::ips, pbm, known), truth, 1e-12);
  EXPECT_NEAR(estimate(Estimator::dr, pbm, known), truth, 1e-12);
  EXPECT_NEAR(estimate(Estimator::dm, pbm, known), truth, 1e-5);
  EXPECT_NEAR(estimate(Estimator::snips, pbm, known), truth, 1e-5);
  EXPECT_NEAR(estimate(Estimator::affine, all_click_vectors(less, trust, gamma, false),
                       Propensities{"trust", theta, less, trust}),
              truth, 1e-12);
  // The log's own propensities.
  const std::string own = all_click_vectors(theta, none, gamma, true);
  EXPECT_NEAR(estimate(Estimator::ips, own, std::nullopt), truth, 1e-12);
  EXPECT_NEAR(estimate(Estimator::dr, own, std::nullopt), truth, 1e-12);
}

TEST(Counterfactual, SaysWhichPropensitiesAreMissing) {
  testing::Bench bench;
  const Dataset data = list_of_four();
  const std::vector<double> theta = {1, 0.6, 0.4, 0.25};
  const std::string text =
      all_click_vectors(theta, std::vector<double>(4, 0.0), {0.2, 0.9, 0.4, 0.7}, false);
  const ClickLog log = read_click_log(*text_in_memory(text, {}), "log", {}, &data,
                                      KeptSessions::none, bench.context);
  const auto message = [&](const std::optional<Propensities>& propensities, Estimator estimator) {
    try {
      Counterfactual(data, log, propensities, {.estimator = estimator}, bench.context);
    } catch (const Error& error) {
      return std::string(error.message());
    }
    return std::string();
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message(std::nullopt, Estimator::ips), HasSubstr("needs ‹propensities›"));
  EXPECT_THAT(message(Propensities{"pbm", {1, 0.5}, {}, {}}, Estimator::ips),
              HasSubstr("positions up to 4, but propensities are known up to 2: ‹max-position 2›"));
  EXPECT_THAT(message(Propensities{"pbm", theta, {}, {}}, Estimator::affine),
              HasSubstr("needs ‹propensities› with slope and offset"));
}

}  // namespace
}  // namespace podium::counterfactual_test
