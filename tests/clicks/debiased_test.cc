#include "podium/debiased.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clicks/log_reader.h"
#include "clicks/overlap.h"
#include "podium/error.h"
#include "podium/judgement.h"
#include "support/toy_data.h"

namespace podium::debiased_test {
namespace {

Dataset three_documents() {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 3};
  parts.labels = std::vector<float>{0, 0, 0};
  parts.qids = make_strings(std::vector<std::string>{"q"});
  parts.docids = make_strings(std::vector<std::string>{"a", "b", "c"});
  parts.features = 1;
  parts.dense = std::vector<float>{1, 2, 3};
  return Dataset(std::move(parts));
}

ClickLog small_log(const Dataset& data) {
  testing::Bench bench;
  constexpr const char* kText =
      "session\tqid\tdocid\tposition\tclick\n"
      "1\tq\ta\t1\t1\n1\tq\tb\t2\t0\n2\tq\ta\t1\t0\n2\tq\tb\t2\t1\n3\tq\tb\t1\t1\n3\tq\ta\t2\t1\n";
  return read_click_log(*text_in_memory(kText, {}), "log", {}, &data, KeptSessions::distinct,
                        bench.context);
}

const Propensities kHalf{"pbm", {1, 0.5}, {1, 0.5}, {0, 0.1}};
const Propensities kPbm{"pbm", {1, 0.5}, {}, {}};

DebiasedData debiased(const DebiasOptions& options, const Propensities* propensities = &kHalf) {
  testing::Bench bench;
  const Dataset data = three_documents();
  return debias_clicks(data, small_log(data), propensities, options, bench.context);
}

double value_of(const DebiasedData& clicks, const char* loss, std::vector<double> scores,
                std::vector<double>* gradient = nullptr) {
  const SharedLoss rewritten = clicks.rewrite_loss(parse_loss(loss));
  const auto bound = rewritten->bind(clicks.data);
  std::vector<double> first(scores.size()), second(scores.size());
  const double value = bound->evaluate(0, scores, {first, second});
  if (gradient) *gradient = first;
  return value;
}

TEST(Debiased, KeepsWhatWasShownWithItsRelevance) {
  const DebiasedData ipw = debiased({.debias = Debias::ipw});
  ASSERT_EQ(ipw.data.documents(), 2u);  // c was never shown
  // a: a click at 1 and one at 2, shown three times; b alike.
  EXPECT_FLOAT_EQ(ipw.data.labels()[0], (1 + 2) / 3.0F);
  EXPECT_FLOAT_EQ(ipw.data.labels()[1], (1 + 2) / 3.0F);
  EXPECT_EQ(ipw.largest_weight, 2);
  EXPECT_DOUBLE_EQ(ipw.effective_clicks, 36.0 / 10);
  const DebiasedData clipped = debiased({.debias = Debias::ipw, .clip = 0.8});
  EXPECT_DOUBLE_EQ(clipped.clipped, 0.5);
  EXPECT_DOUBLE_EQ(clipped.largest_weight, 1.25);
}

// Σ over clicks of 1/θ log(1 + e^{−(s_i − s_j)}), by hand, divided by sessions per query.
TEST(Debiased, PairsAreThoseOfClicks) {
  const double x = 0.7;  // a is ahead
  const double up = std::log1p(std::exp(-x)), down = std::log1p(std::exp(x));
  EXPECT_NEAR(value_of(debiased({.debias = Debias::naive}), "logistic-pairs", {x, 0}),
              (2 * up + 2 * down) / 3, 1e-6);
  EXPECT_NEAR(value_of(debiased({.debias = Debias::ipw}), "logistic-pairs", {x, 0}),
              (3 * up + 3 * down) / 3, 1e-6);
  EXPECT_NEAR(value_of(debiased({.debias = Debias::ipw}), "softmax(target=gains)", {x, 0}),
              (3 * up + 3 * down) / 3, 1e-6);
  // (c − b)/a: a: 1 at position 1; at position 2 (1 − 0.1)/0.5 in one session.
  const double a = 1 + 0.9 / 0.5, b = 1 + (1 - 2 * 0.1) / 0.5;
  EXPECT_NEAR(value_of(debiased({.debias = Debias::affine}), "logistic-pairs", {x, 0}),
              (a * up + b * down) / 3, 1e-6);
  // Clicked against skipped in the same session: sessions 1 (a over b) and 2 (b over a), of three.
  for (const Debias method : {Debias::pairwise, Debias::additive}) {
    const DebiasedData clicks = debiased({.debias = method});
    EXPECT_NEAR(value_of(clicks, "logistic-pairs", {x, 0}), (up + down) / 3, 1e-9);
    // |Δ| of the ranks 1 and 2, and the scale of the whole query.
    const double delta = 1 - 1 / std::log2(3.0), plain = delta * (up + down) / 3;
    EXPECT_NEAR(value_of(clicks, "lambda-ndcg(norm=none)", {x, 0}), plain, 1e-9);
    EXPECT_NEAR(value_of(clicks, "lambda-ndcg(norm=none,sigma=2)", {x / 2, 0}), plain, 1e-9);
    const double force = 2 * delta / 3;  // the two slopes add up to 1
    for (const char* loss : {"lambda-ndcg(norm=query)", "lambda-ndcg"})
      EXPECT_NEAR(value_of(clicks, loss, {x, 0}), plain * std::log2(1 + force) / force, 1e-9);
  }
}

// C_i E_j/(E_i + E_j) for i over j: a was shown twice at 1 and once at 2, b once and twice.
TEST(Debiased, OverlapWeighsComparisonsByExposure) {
  const double x = 0.7, up = std::log1p(std::exp(-x)), down = std::log1p(std::exp(x));
  const double a = 2 + 0.5, b = 1 + 2 * 0.5;
  const DebiasedData clicks = debiased({.debias = Debias::overlap}, &kPbm);
  EXPECT_NEAR(value_of(clicks, "logistic-pairs", {x, 0}), (2 * b * up + 2 * a * down) / (a + b) / 3,
              1e-6);
  EXPECT_EQ(clicks.largest_weight, 1);
  EXPECT_EQ(clicks.clipped, 0);
  try {
    value_of(clicks, "softmax", {x, 0});
    ADD_FAILURE() << "softmax has no pairs";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("needs a pair loss"));
  }
}

// The expected loss is smallest where s_i − s_j = log γ_i/γ_j, whoever was shown where.
TEST(Debiased, OverlapIsConsistent) {
  testing::Bench bench;
  const Dataset data = three_documents();
  const double relevance_a = 0.6, relevance_b = 0.2;
  std::string text = "session\tqid\tdocid\tposition\tclick\tweight\n";
  auto add = [&, s = 0](const char* doc, int position, double clicked, double shown) mutable {
    text += fmt::format("{}\tq\t{}\t{}\t1\t{}\n", ++s, doc, position, clicked);
    text += fmt::format("{}\tq\t{}\t{}\t0\t{}\n", ++s, doc, position, shown - clicked);
  };
  add("a", 1, 5 * relevance_a, 5);
  add("a", 2, 40 * 0.5 * relevance_a, 40);
  add("b", 1, 100 * relevance_b, 100);
  const ClickLog log = read_click_log(*text_in_memory(text, {}), "log", {}, &data,
                                      KeptSessions::none, bench.context);
  const DebiasedData clicks =
      debias_clicks(data, log, &kPbm, {.debias = Debias::overlap}, bench.context);
  for (const char* loss : {"logistic-pairs", "lambda-ndcg(norm=none)"}) {
    std::vector<double> gradient;
    const double best = std::log(relevance_a / relevance_b);
    value_of(clicks, loss, {best, 0}, &gradient);
    EXPECT_NEAR(gradient[0], 0, 1e-6) << loss;
    value_of(clicks, loss, {best - 0.5, 0}, &gradient);
    EXPECT_LT(gradient[0], -1e-3) << loss;
  }
}

// Clicks as the model expects them, 1000 (a γ + b): those due to relevance are 1000 γ (a + b).
TEST(Debiased, OverlapCountsClicksThatAreDueToRelevance) {
  testing::Bench bench;
  const Dataset data = three_documents();
  const ClickLog log =
      read_click_log(*text_in_memory("session\tqid\tdocid\tposition\tclick\tweight\n"
                                     "1\tq\ta\t2\t1\t300\n2\tq\ta\t2\t0\t700\n3\tq\tb\t1\t1\t10\n",
                                     {}),
                     "log", {}, &data, KeptSessions::none, bench.context);
  const Propensities trust{"trust", {1, 0.6}, {1, 0.5}, {0, 0.1}};
  const ExaminedClicks found = examined_clicks(log, &trust);
  EXPECT_NEAR(found.clicks[0], 1000 * 0.4 * 0.6, 0.5);  // γ = 0.4
  EXPECT_DOUBLE_EQ(found.exposures[0], 600);
  EXPECT_DOUBLE_EQ(found.clicks[1], 10);  // nobody trusts position 1
  EXPECT_DOUBLE_EQ(examined_clicks(log, &kPbm).clicks[0], 300);
}

TEST(Debiased, GradientsAreDerivatives) {
  for (const Debias method : {Debias::naive, Debias::ipw, Debias::overlap, Debias::affine,
                              Debias::pairwise, Debias::additive}) {
    const DebiasedData clicks = debiased({.debias = method});
    std::vector<double> gradient;
    value_of(clicks, "logistic-pairs", {0.3, -0.2}, &gradient);
    constexpr double kStep = 1e-6;
    const double slope = (value_of(clicks, "logistic-pairs", {0.3 + kStep, -0.2}) -
                          value_of(clicks, "logistic-pairs", {0.3 - kStep, -0.2})) /
                         (2 * kStep);
    EXPECT_NEAR(gradient[0], slope, 1e-6);
    EXPECT_NEAR(gradient[0] + gradient[1], 0, 1e-12);
  }
}

TEST(Debiased, StateIsSavedAndRestored) {
  testing::Bench bench;
  for (const Debias method : {Debias::pairwise, Debias::additive}) {
    const DebiasedData clicks = debiased({.debias = method});
    const SharedLoss loss = clicks.rewrite_loss(parse_loss("logistic-pairs"));
    const auto bound = loss->bind(clicks.data), other = loss->bind(clicks.data);
    ASSERT_NE(bound->state(), nullptr);
    const std::vector<double> before = bound->state()->values();
    bound->state()->advance(std::vector<double>{1, 0}, bench.pool, *bench.comm);
    EXPECT_NE(bound->state()->values(), before);
    other->state()->restore(bound->state()->values());
    std::vector<double> first(2), second(2), again(2);
    const std::vector<double> scores = {0.4, 0};
    EXPECT_EQ(bound->evaluate(0, scores, {first, second}),
              other->evaluate(0, scores, {again, second}));
    EXPECT_EQ(first, again);
  }
}

TEST(Debiased, SaysWhatIsMissing) {
  const Propensities pbm{"pbm", {1, 0.5}, {}, {}}, one{"pbm", {1}, {}, {}};
  EXPECT_THROW(debiased({.debias = Debias::affine}, &pbm), Error);
  EXPECT_THROW(debiased({.debias = Debias::ipw}, &one), Error);
  EXPECT_THROW(debiased({.debias = Debias::judged}, &one), Error);
  EXPECT_THROW(debiased({.debias = Debias::pairwise})
                   .rewrite_loss(parse_loss("lambda-ndcg(discount=letor)")),
               Error);
  EXPECT_THROW(debiased({.debias = Debias::ipw}, nullptr), Error);
  const DebiasedData clicks = debiased({.debias = Debias::pairwise});
  EXPECT_THROW(clicks.rewrite_loss(parse_loss("softmax")), Error);
  EXPECT_EQ(debiased({.debias = Debias::naive}).rewrite_loss(parse_loss("squared"))->name(),
            "squared");
}

TEST(Judgement, ThresholdsAndIntervals) {
  EXPECT_EQ(grade_of(0.2, parse_thresholds("0.2,0.5")), 1);
  EXPECT_EQ(grade_of(0.9, parse_thresholds("0.2,0.5")), 2);
  EXPECT_THROW(parse_thresholds("0.5,0.2"), Error);
  testing::Bench bench;
  const Dataset data = three_documents();
  const ClickLog log = small_log(data);
  const ClickModel model =
      fit_click_model(log, {.prior = "1,1"}, bench.context, &kHalf.examination);
  for (const Judgement& one : judge(log, model)) {
    EXPECT_DOUBLE_EQ(one.exposure, 2.0 + (one.exposure > 2.2 ? 0.5 : 0.0));
    EXPECT_LE(one.low, one.relevance);
    EXPECT_GE(one.high, one.relevance);
  }
  EXPECT_EQ(judged_data(data, log, judge(log, model), {}).documents(), 2u);
}

}  // namespace
}  // namespace podium::debiased_test
