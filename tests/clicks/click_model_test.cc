#include "podium/click_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "clicks/fits.h"
#include "clicks/log_reader.h"
#include "podium/click_simulation.h"
#include "podium/error.h"
#include "podium/synthetic.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::click_model_test {
namespace {

using Kind = ClickModelKind;

constexpr Kind kAll[] = {Kind::pbm, Kind::trust, Kind::cascade,  Kind::dcm,     Kind::sdbn,
                         Kind::dbn, Kind::ubm,   Kind::ctr_rank, Kind::ctr_doc, Kind::harvest};

Dataset graded_data(std::int64_t queries, std::int64_t documents) {
  testing::Bench bench;
  SyntheticOptions options;
  options.queries = queries;
  options.docs = documents;
  options.features = 5;
  return make_synthetic(options, bench.context);
}

ClickLog simulated(const SimulationOptions& options, std::int64_t queries = 40,
                   std::int64_t documents = 4, int threads = 1) {
  const testing::TemporaryFolder folder;
  testing::Bench bench(threads);
  const Dataset data = graded_data(queries, documents);
  std::vector<double> scores(data.documents());
  for (std::size_t d = 0; d < scores.size(); ++d) scores[d] = static_cast<double>(d % 7);
  const std::string path = folder.file("log.tsv");
  simulate_clicks(data, scores, options, path, bench.context);
  return read_click_log(path, {.held_out = 0.1}, &data, KeptSessions::distinct, bench.context);
}

ClickModel fit(const ClickLog& log, ClickFitOptions options, int threads = 1) {
  testing::Bench bench(threads);
  return fit_click_model(log, options, bench.context);
}

// Probabilities of all click vectors of a list of four documents add up to 1, and the marginals are
// their sums.
TEST(ClickModel, PredictionsAgreeWithAllClickVectors) {
  const ClickLog log =
      simulated({.click_model = SimulatedClicks::dbn, .sessions = 4000, .depth = 4});
  for (const Kind kind : kAll) {
    const ClickModel model = fit(log, {.model = kind});
    SessionProbabilities out;
    for (std::size_t s = 0; s < log.sessions.size(); s += 97) {
      const auto shown = log.documents_of(log.sessions[s]);
      std::vector<ShownDocument> list(shown.begin(), shown.end());
      ASSERT_EQ(list.size(), 4u);
      double total = 0;
      std::vector<double> clicked(4), marginal;
      for (unsigned clicks = 0; clicks < 16; ++clicks) {
        double p = 1;
        for (std::size_t r = 0; r < 4; ++r) list[r].clicked = clicks >> r & 1;
        predict_session(model, list, out);
        for (std::size_t r = 0; r < 4; ++r) {
          EXPECT_GE(out.conditional[r], 0);
          EXPECT_LE(out.conditional[r], 1 + 1e-12);
          p *= list[r].clicked ? out.conditional[r] : 1 - out.conditional[r];
        }
        total += p;
        for (std::size_t r = 0; r < 4; ++r)
          if (list[r].clicked) clicked[r] += p;
        marginal = out.marginal;
      }
      EXPECT_NEAR(total, 1, 1e-9);
      for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(clicked[r], marginal[r], 1e-5);
    }
  }
}

TEST(ClickModel, ObjectiveNeverFallsAndIsTheLikelihood) {
  for (const SimulatedClicks clicks :
       {SimulatedClicks::pbm, SimulatedClicks::trust, SimulatedClicks::dbn}) {
    const ClickLog log = simulated({.click_model = clicks, .sessions = 3000, .depth = 4});
    for (const Kind kind : {Kind::pbm, Kind::trust, Kind::dbn, Kind::ubm}) {
      const ClickModel model = fit(log, {.model = kind, .prior = "1.2,1.3", .iterations = 200});
      ASSERT_GT(model.objective.size(), 3u);
      for (std::size_t i = 1; i < model.objective.size(); ++i)
        EXPECT_GE(model.objective[i], model.objective[i - 1] - 1e-9 * std::abs(model.objective[i]));
      const ClickModel plain = fit(log, {.model = kind, .prior = "1,1", .iterations = 300});
      EXPECT_NEAR(plain.objective.back(), plain.log_likelihood,
                  2e-3 * std::abs(plain.log_likelihood));
    }
  }
}

// Whatever the clicks are, even those of no model: logs at random, with all weights.
RC_GTEST_PROP(ClickModel, LikelihoodNeverFallsForAnyLog, ()) {
  std::string text = "session\tqid\tdocid\tposition\tclick\tweight\n";
  const int sessions = *rc::gen::inRange(2, 25);
  for (int s = 0; s < sessions; ++s) {
    std::vector<int> order = {0, 1, 2, 3};
    const int turn = *rc::gen::inRange(0, 4), clicks = *rc::gen::inRange(0, 16);
    std::rotate(order.begin(), order.begin() + turn, order.end());
    const int weight = *rc::gen::inRange(1, 50);
    for (int p = 0; p < 4; ++p)
      text += fmt::format("{}\tq{}\td{}\t{}\t{}\t{}\n", s, s % 2,
                          order[static_cast<std::size_t>(p)], p + 1, clicks >> p & 1, weight);
  }
  testing::Bench bench;
  const ClickLog log = read_click_log(*text_in_memory(text, {}), "log", {}, nullptr,
                                      KeptSessions::distinct, bench.context);
  for (const Kind kind : {Kind::pbm, Kind::trust, Kind::dbn, Kind::ubm}) {
    ClickModel model;
    try {
      model =
          fit(log, {.model = kind, .iterations = 60, .assume = kind == Kind::trust ? "" : "1/p^1"});
    } catch (const Error&) {
      continue;  // nothing was clicked, or the log does not determine the model
    }
    for (std::size_t i = 1; i < model.objective.size(); ++i)
      RC_ASSERT(model.objective[i] >=
                model.objective[i - 1] - 1e-9 * std::abs(model.objective[i - 1]) - 1e-9);
  }
}

TEST(ClickModel, SameBitsForAnyNumberOfThreads) {
  const ClickLog one = simulated({.sessions = 5000, .depth = 4}, 300, 4, 1);
  const ClickLog three = simulated({.sessions = 5000, .depth = 4}, 300, 4, 3);
  for (const Kind kind : kAll) {
    const ClickModel a = fit(one, {.model = kind}, 1), b = fit(three, {.model = kind}, 3);
    EXPECT_EQ(a.propensities, b.propensities);
    EXPECT_EQ(a.attraction, b.attraction);
    EXPECT_EQ(to_json(a, one), to_json(b, three));
  }
}

TEST(ClickModel, FindsThePropensities) {
  const ClickLog log = simulated({.sessions = 200'000, .depth = 4, .explore = 1}, 30, 4);
  for (const Kind kind : {Kind::pbm, Kind::harvest}) {
    const ClickModel model = fit(log, {.model = kind});
    EXPECT_EQ(model.components, 1u);
    for (std::size_t p = 0; p < 4; ++p) {
      const double truth = 1 / static_cast<double>(p + 1);
      EXPECT_NEAR(model.propensities[p], truth, 0.05 * truth);
      EXPECT_LE(model.intervals[p].low, model.propensities[p]);
      EXPECT_GE(model.intervals[p].high, model.propensities[p]);
    }
    EXPECT_LT(model.held_out.perplexity, model.null_held_out.perplexity);
    EXPECT_GT(model.held_out.log_likelihood, model.null_held_out.log_likelihood);
  }
}

// Observed information: 95 % intervals of θ cover the truth.
TEST(ClickModel, IntervalsCoverTheTruth) {
  testing::Bench bench;
  const testing::TemporaryFolder folder;
  const Dataset data = graded_data(10, 3);
  const std::vector<double> scores(data.documents(), 0.0);
  int covered = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    bench.context.seed = seed;
    const std::string path = folder.file("log.tsv");
    simulate_clicks(data, scores, {.noise = 0.3, .sessions = 2000, .depth = 3, .explore = 1}, path,
                    bench.context);
    const ClickLog log = read_click_log(path, {}, nullptr, KeptSessions::none, bench.context);
    const ClickModel model = fit_click_model(log, {.prior = "1,1"}, bench.context);
    for (std::size_t p = 1; p < 3; ++p) {
      const double truth = 1 / static_cast<double>(p + 1);
      covered += model.intervals[p].low <= truth && truth <= model.intervals[p].high;
      ++total;
    }
  }
  EXPECT_GT(covered, 0.91 * total);
  EXPECT_LT(covered, 0.99 * total);
}

TEST(ClickModel, RefusesRatiosThatTheLogDoesNotDetermine) {
  const ClickLog log = simulated({.sessions = 3000, .depth = 4, .explore = 0});
  EXPECT_EQ(connectivity(log).components, 4u);
  try {
    fit(log, {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("does not determine the propensities"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("{1}, {2}, {3}, {4}"));
  }
  const ClickModel model = fit(log, {.assume = "1/p^0.5"});
  EXPECT_TRUE(model.assumed);
  for (std::size_t p = 0; p < 4; ++p)
    EXPECT_NEAR(model.propensities[p], std::pow(static_cast<double>(p + 1), -0.5), 1e-12);
  EXPECT_THROW(fit(log, {.assume = "p"}), Error);
}

std::string refusal(const ClickLog& log, const ClickFitOptions& options) {
  try {
    fit(log, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

ClickLog log_of(const std::string& lines) {
  testing::Bench bench;
  return read_click_log(*text_in_memory("session\tqid\tdocid\tposition\tclick\n" + lines, {}),
                        "log", {}, nullptr, KeptSessions::distinct, bench.context);
}

// Sessions of one list of two, with these documents and clicks, several times.
std::string session_lines(int number, const std::string& query, const std::string& first,
                          const std::string& second, unsigned clicks) {
  return fmt::format("{0}\t{1}\t{2}\t1\t{4}\n{0}\t{1}\t{3}\t2\t{5}\n", number, query, first, second,
                     clicks & 1, clicks >> 1 & 1);
}

// Documents at one position only determine θγ, whatever was clicked above them.
TEST(ClickModel, UbmNeedsDocumentsThatMove) {
  using ::testing::HasSubstr;
  const ClickLog fixed = simulated({.sessions = 3000, .depth = 4, .explore = 0});
  EXPECT_THAT(refusal(fixed, {.model = Kind::ubm}), HasSubstr("{1}, {2}, {3}, {4}"));
  const ClickModel assumed = fit(fixed, {.model = Kind::ubm, .assume = "1/p^1"});
  EXPECT_TRUE(assumed.assumed);
  EXPECT_EQ(assumed.components, 4u);
  EXPECT_EQ(assumed.by_distance[3][3], 0.25);  // no click above: the most frequent way
  const ClickLog swapped = simulated({.sessions = 3000, .depth = 4, .explore = 1});
  EXPECT_EQ(fit(swapped, {.model = Kind::ubm}).components, 1u);

  // Query q connects position 1 with position 2 after no click; r shows other documents at 2, and
  // always after a click: nothing says how θ(2, 1) compares with θ(2, 0).
  std::string text;
  int number = 0;
  for (int i = 0; i < 20; ++i) {
    text += session_lines(++number, "q", "a", "b", 2 * (i % 2));
    text += session_lines(++number, "q", "b", "a", 2 * (i % 2));
    if (i < 2) text += session_lines(++number, "q", "a", "b", 1);
    if (i < 2) text += session_lines(++number, "q", "b", "c", 1);
  }
  EXPECT_EQ(refusal(log_of(text), {.model = Kind::ubm}), "accepted");
  std::string apart;
  for (int i = 0; i < 20; ++i) {
    apart += session_lines(++number, "q", "a", "b", 2 * (i % 2));
    apart += session_lines(++number, "q", "b", "a", 2 * (i % 2));
    apart += session_lines(++number, "r", "c", "d", 1 + 2 * (i % 2));
  }
  // c is only at 1, and d only at 2 after a click.
  EXPECT_THAT(refusal(log_of(apart), {.model = Kind::ubm}),
              HasSubstr("propensity of position 2: no clicked document connects the clicks above"));
  EXPECT_TRUE(fit(log_of(apart), {.model = Kind::ubm, .assume = "1/p^1"}).assumed);
}

// The same click vectors with any γ.
TEST(ClickModel, DbnNeedsADocumentThatMoves) {
  const ClickLog fixed =
      simulated({.click_model = SimulatedClicks::dbn, .sessions = 3000, .depth = 4, .explore = 0});
  EXPECT_THAT(refusal(fixed, {.model = Kind::dbn}),
              ::testing::HasSubstr("does not determine how many users give up"));
  EXPECT_EQ(refusal(fixed, {.model = Kind::sdbn}), "accepted");
  ClickModel model;
  model.kind = Kind::dbn;
  SessionProbabilities one, other;
  std::vector<ShownDocument> list = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 0}};
  const std::vector<double> products = {0.3, 0.2, 0.1, 0.05}, beliefs = {0.2, 0.5, 0.3, 0.6};
  const auto set = [&](double gamma) {
    // u is the belief in the examination of a position that the clicks above do not change.
    double u = 1;
    model.perseverance = gamma;
    model.attraction.clear();
    model.satisfaction.clear();
    for (std::size_t r = 0; r < 4; ++r) {
      model.attraction.push_back(products[r] / u);
      u = gamma * (u - products[r]);
      model.satisfaction.push_back(1 - beliefs[r] * u / gamma);
    }
  };
  for (unsigned clicks = 0; clicks < 16; ++clicks) {
    for (std::size_t r = 0; r < 4; ++r) list[r].clicked = clicks >> r & 1;
    set(0.98);
    predict_session(model, list, one);
    set(0.94);
    predict_session(model, list, other);
    for (std::size_t r = 0; r < 4; ++r)
      EXPECT_NEAR(one.conditional[r], other.conditional[r], 1e-12);
  }
}

// a_p γ_d + b_p: a single document at two positions does not tell a from b.
TEST(ClickModel, TrustNeedsTwoDocumentsThatMove) {
  std::string one, two;
  int number = 0;
  for (int i = 0; i < 12; ++i) {
    const auto clicks = static_cast<unsigned>(i % 4);
    one += session_lines(++number, "q", "a", "b", clicks);
    one += session_lines(++number, "q", "c", "a", clicks);
    two += session_lines(++number, "q", "a", "b", i % 4 ? 1 : 0);
    two += session_lines(++number, "q", "b", "a", i % 3 ? 0 : 2);
  }
  EXPECT_EQ(refusal(log_of(one), {.model = Kind::pbm}), "accepted");
  EXPECT_THAT(refusal(log_of(one), {.model = Kind::trust}),
              ::testing::HasSubstr(
                  "no two documents, one of them clicked, connect the positions {1}, {2}"));
  EXPECT_THAT(refusal(log_of(one), {.model = Kind::trust, .assume = "1/p^1"}),
              ::testing::HasSubstr("is not for"));
  EXPECT_EQ(refusal(log_of(two), {.model = Kind::trust}), "accepted");
}

// Clicks that do not depend on the document have no b_p that relevance adds to.
TEST(ClickModel, TrustIsRefusedWhereRelevanceDoesNotMatter) {
  EXPECT_THAT(
      refusal(log_of(session_lines(1, "q", "a", "b", 3) + session_lines(2, "q", "b", "a", 3)),
              {.model = Kind::trust}),
      ::testing::HasSubstr("the log does not determine trust"));
}

TEST(ClickModel, NothingWithoutClicks) {
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += session_lines(i, "q", i % 2 ? "a" : "b", i % 2 ? "b" : "a", 0);
  for (const Kind kind : kAll)
    EXPECT_THAT(refusal(log_of(text), {.model = kind}),
                ::testing::HasSubstr("the log has no clicks"));
}

TEST(ClickModel, SurvivesItsFile) {
  const testing::TemporaryFolder folder;
  const ClickLog log = simulated({.sessions = 5000, .depth = 4});
  const ClickModel model = fit(log, {.model = Kind::trust});
  const Propensities loaded = load_propensities(folder.write("p.json", to_json(model, log)));
  EXPECT_EQ(loaded.examination, model.propensities);
  EXPECT_EQ(loaded.slope, model.slope);
  EXPECT_EQ(loaded.at(4), model.propensities[3]);
  EXPECT_NO_THROW(require_positions(loaded, log));
  EXPECT_THROW(require_positions({"pbm", {1, 0.5, 0.4}, {}, {}}, log), Error);
  EXPECT_TRUE(propensities_of(fit(log, {.model = Kind::pbm})).slope.empty());
  const auto refusal = [&](const std::string& text) {
    try {
      load_propensities(folder.write("bad.json", text));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using ::testing::HasSubstr;
  const auto file = [](const std::string& version, const std::string& model,
                       const std::string& more) {
    return "{\"format\":\"podium-clicks\",\"version\":" + version + ",\"model\":\"" + model +
           "\",\"propensities\":[1,0.5]" + more + "}";
  };
  EXPECT_EQ(refusal(file("1", "pbm", "")), "accepted");
  EXPECT_THAT(refusal(file("1", "ubm", ",\"components\":2,\"assumed\":false")),
              HasSubstr("in 2 groups that no document connects"));
  EXPECT_THAT(refusal("[]"), HasSubstr("is not a file of propensities"));
  EXPECT_THAT(refusal("{\"format\":\"podium-clicks\",\"propensities\":[1]}"),
              HasSubstr("has no 'version'"));
  EXPECT_THAT(refusal(file("2", "pbm", "")), HasSubstr("is of version 2; this program reads"));
  EXPECT_THAT(refusal(file("1", "abc", "")), HasSubstr("has no 'model'"));
  EXPECT_THAT(refusal(file("1", "ctr-rank", "")), HasSubstr("which are not propensities"));
  EXPECT_THAT(refusal(file("1", "trust", "")), HasSubstr("has no 'slope' and 'offset'"));
  EXPECT_THAT(refusal(file("1", "trust", ",\"slope\":[1],\"offset\":[0]")),
              HasSubstr("one number per position"));
  EXPECT_THAT(refusal(file("1", "pbm", ",\"slope\":[2,1],\"offset\":[0,0]")),
              HasSubstr("'slope' is not a list"));
}

}  // namespace
}  // namespace podium::click_model_test
