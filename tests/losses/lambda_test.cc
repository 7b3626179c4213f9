#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::lambda_test {
namespace {

using testing::make_dataset;

struct Evaluated {
  double value = 0;
  std::vector<double> first, second;
};

Evaluated evaluate(std::string_view loss, const Dataset& data, std::span<const double> scores) {
  Evaluated out{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  out.value = parse_loss(loss)->bind(data)->evaluate(0, scores, {out.first, out.second});
  return out;
}

struct Rule {
  std::string measure;
  double sigma = 1;
  std::size_t truncation = 30;
  enum { none, query, lightgbm } norm = lightgbm;
};

// Pair by pair, as the papers and LightGBM write it, for scores without ties.
Evaluated reference(const Rule& rule, std::span<const float> labels, std::span<const double> scores,
                    std::span<const float> weights) {
  const std::size_t n = labels.size();
  const auto measure = parse_measure(rule.measure, Convention{});
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<float> by_rank;
  for (const std::size_t i : order) by_rank.push_back(labels[i]);
  std::vector<float> ideal = by_rank;
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  Evaluated out{0, std::vector<double>(n), std::vector<double>(n)};
  double forces = 0;
  for (std::size_t r = 0; r < std::min(n, rule.truncation); ++r)
    for (std::size_t t = r + 1; t < n; ++t) {
      if (by_rank[r] == by_rank[t]) continue;
      const bool right = by_rank[r] > by_rank[t];
      const std::size_t i = order[right ? r : t], j = order[right ? t : r];
      const double x = scores[i] - scores[j];
      double w = std::abs(measure->swap_delta({by_rank, ideal}, r, t)) *
                 static_cast<double>(weights[i]) * weights[j];
      if (rule.norm == Rule::lightgbm) w /= 0.01 + std::abs(x);
      const double p = 1 / (1 + std::exp(rule.sigma * x));
      out.value += w * std::log1p(std::exp(-rule.sigma * x));
      out.first[i] -= rule.sigma * w * p;
      out.first[j] += rule.sigma * w * p;
      out.second[i] += rule.sigma * rule.sigma * w * p * (1 - p);
      out.second[j] += rule.sigma * rule.sigma * w * p * (1 - p);
      forces += 2 * rule.sigma * w * p;
    }
  const double scale = rule.norm != Rule::none && forces > 0 ? std::log2(1 + forces) / forces : 1;
  out.value *= scale;
  for (double& x : out.first) x *= scale;
  for (double& x : out.second) x *= scale;
  return out;
}

// The same without the value.
Evaluated differentiate(std::string_view loss, const Dataset& data,
                        std::span<const double> scores) {
  Evaluated out{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  parse_loss(loss)->bind(data)->differentiate(0, scores, {out.first, out.second});
  return out;
}

void expect_near(const Evaluated& actual, const Evaluated& wanted, std::string_view what) {
  EXPECT_NEAR(actual.value, wanted.value, 1e-12 * (1 + wanted.value)) << what;
  for (std::size_t i = 0; i < wanted.first.size(); ++i) {
    EXPECT_NEAR(actual.first[i], wanted.first[i], 1e-12 * (1 + std::abs(wanted.first[i]))) << what;
    EXPECT_NEAR(actual.second[i], wanted.second[i], 1e-12 * (1 + wanted.second[i])) << what;
  }
}

TEST(Lambda, EqualsTheSumOverPairs) {
  const std::pair<const char*, Rule> rows[] = {
      {"lambda-ndcg", {"nDCG"}},
      {"lambda-ndcg(norm=none,sigma=2,gain=linear)@5", {"nDCG(gain=linear)@5", 2, 30, Rule::none}},
      {"lambda-ndcg(sigma=0.3)", {"nDCG", 0.3}},
      {"lambda-ndcg(truncation=3,norm=query)", {"nDCG", 1, 3, Rule::query}},
      {"lambda-map(norm=none,truncation=0)", {"AP", 1, 1000, Rule::none}},
      {"lambda-mrr", {"RR"}},
      {"lambda-ERR@10", {"ERR@10"}},
      {"lambda-P@5", {"P@5"}},
      {"lambda-auc(truncation=0)", {"AUC", 1, 1000}},
      {"lambda-Success@1", {"Success@1"}},
      {"lambda-rbp(p=0.9)", {"RBP(p=0.9)"}},
      {"lambda-tau", {"tau"}}};
  Random random(1);
  for (const auto& [loss, rule] : rows)
    for (int repeat = 0; repeat < 40; ++repeat) {
      const std::size_t n = 2 + random.below(repeat % 4 == 0 ? 60 : 12);
      std::vector<float> labels(n), weights(n, 1.0F);
      std::vector<double> scores(n);
      for (float& y : labels) y = static_cast<float>(random.below(4));
      for (double& s : scores) s = 6 * random.uniform();
      DatasetParts parts = make_dataset({n}, 0, {}, labels).parts();
      if (repeat % 2) {
        for (float& w : weights) w = 0.25F * static_cast<float>(random.below(9));
        parts.document_weights = weights;
      }
      const Evaluated wanted = reference(rule, labels, scores, weights);
      expect_near(evaluate(loss, Dataset(parts), scores), wanted, loss);
      expect_near(differentiate(loss, Dataset(parts), scores), {0, wanted.first, wanted.second},
                  loss);
    }
}

// Lists long enough that ranks are sorted, not counted.
TEST(Lambda, LongListsRankTheSame) {
  Random random(2);
  constexpr std::size_t kDocuments = 400;
  std::vector<float> labels(kDocuments), weights(kDocuments, 1.0F);
  std::vector<double> scores(kDocuments);
  for (float& y : labels) y = static_cast<float>(random.below(4));
  for (double& s : scores) s = 6 * random.uniform();
  const Dataset data = make_dataset({kDocuments}, 0, {}, labels);
  expect_near(evaluate("lambda-ndcg", data, scores), reference({"nDCG"}, labels, scores, weights),
              "400 documents");
}

// The seed decides the order of equal scores, not rows or grades.
TEST(Lambda, TiesAreBrokenByASeededHash) {
  constexpr std::size_t kDocuments = 6;
  const std::vector<double> equal(kDocuments, 0.5);
  std::vector<float> labels(kDocuments, 0.0F);
  std::set<double> pulls;
  double by_row = 0, by_other_row = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const std::string loss = "lambda-rr(norm=none,seed=" + std::to_string(seed) + ")";
    labels.front() = 1;
    labels.back() = 0;
    const double first_row =
        -evaluate(loss, make_dataset({kDocuments}, 0, {}, labels), equal).first[0];
    std::swap(labels.front(), labels.back());
    const double last_row =
        -evaluate(loss, make_dataset({kDocuments}, 0, {}, labels), equal).first[kDocuments - 1];
    pulls.insert(first_row);
    by_row += first_row;
    by_other_row += last_row;
  }
  EXPECT_GE(pulls.size(), kDocuments);  // at each rank at some seed
  EXPECT_NEAR(by_row / by_other_row, 1, 0.15);
}

TEST(Lambda, NamesParseBackAndShareTheMeasuresParameters) {
  EXPECT_EQ(parse_loss("lambda-nDCG")->name(), "lambda-ndcg");
  EXPECT_EQ(parse_loss("lambda-MAP(rel=2)")->name(), "lambda-ap(rel=2)");
  EXPECT_EQ(parse_loss("lambda-ndcg(gain=linear,sigma=2)@10")->name(),
            "lambda-ndcg(sigma=2,gain=linear)@10");
  EXPECT_EQ(parse_loss("lambda-P_5")->name(), "lambda-p@5");
  EXPECT_EQ(parse_loss("lambda-ndcg+0.5*lambda-err@10")->name(), "lambda-ndcg+0.5*lambda-err@10");
  EXPECT_EQ(parse_loss("lambdaloss(form=loss2++)+lambda-rr")->name(), "lambdaloss+lambda-rr");
  for (const Entry<Measure>* entry : measures().entries()) {
    const auto loss = parse_loss("lambda-" + std::string(entry->name));
    EXPECT_EQ(parse_loss(loss->name())->name(), loss->name());
    EXPECT_EQ(loss->traits().weights, LossTraits::Weights::frozen);
  }
  EXPECT_EQ(losses().make("lambda-ndcg", {{"k", "5"}, {"norm", "none"}})->name(),
            "lambda-ndcg(norm=none)@5");
}

TEST(Lambda, ErrorsSuggestTheNearestName) {
  const auto message = [](const char* name) -> std::string {
    try {
      parse_loss(name);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_NE(message("lambda-nDCQ").find("did you mean nDCG"), std::string::npos);
  EXPECT_NE(message("lambda-ndcg(gian=linear)").find("did you mean gain"), std::string::npos);
  EXPECT_NE(message("lambda-ndcg(norm=all)").find("norm"), std::string::npos);
  EXPECT_NE(message("lambda-ndcg(sigma=0)").find("sigma"), std::string::npos);
  EXPECT_NE(message("lambda-ndcg@0"), "");
  EXPECT_NE(message("lambda-"), "");
}

TEST(Lambda, QueriesThatDoNotContribute) {
  const Dataset data = make_dataset({3, 2, 1, 2}, 0, {}, {1, 1, 1, 0, -1, 2, 1, 0});
  const auto ndcg = parse_loss("lambda-ndcg")->bind(data),
             err = parse_loss("lambda-err")->bind(data);
  EXPECT_FALSE(ndcg->informative(0));  // one grade
  EXPECT_FALSE(ndcg->informative(1));  // no gain, so nDCG is undefined
  EXPECT_TRUE(err->informative(1));    // always defined
  EXPECT_FALSE(ndcg->informative(2));
  EXPECT_TRUE(ndcg->informative(3));
  std::vector<double> first(3, 7), second(3, 7);
  EXPECT_EQ(ndcg->evaluate(0, std::vector<double>{1, 2, 3}, {first, second}), 0);
  EXPECT_EQ(first, std::vector<double>(3, 0));
  EXPECT_EQ(second, std::vector<double>(3, 0));
}

// [Burges05] section 3: two relevant documents among a thousand. Ranks 1 and 1000 win, ranks 2 and
// 3 lose, yet the latter have far fewer pairs in the wrong order.
TEST(Lambda, WinnerTakesAll) {
  constexpr std::size_t kDocuments = 1000;
  std::vector<float> winning(kDocuments, 0.0F), losing(kDocuments, 0.0F);
  winning[0] = winning[kDocuments - 1] = 1;
  losing[1] = losing[2] = 1;
  std::vector<double> scores(kDocuments);
  for (std::size_t i = 0; i < kDocuments; ++i) scores[i] = -static_cast<double>(i);
  const Dataset win = make_dataset({kDocuments}, 0, {}, winning),
                lose = make_dataset({kDocuments}, 0, {}, losing);
  EXPECT_GT(evaluate("logistic-pairs", win, scores).value,
            100 * evaluate("logistic-pairs", lose, scores).value);
  constexpr const char* kRule = "lambda-Success(norm=none)@1";
  const Evaluated lost = evaluate(kRule, lose, scores), won = evaluate(kRule, win, scores);
  EXPECT_GT(lost.value, 1);
  EXPECT_LT(won.value, lost.value);
  // Both relevant documents of the losing order are pushed up, the one in their way down.
  EXPECT_LT(lost.first[1], -0.5);
  EXPECT_LT(lost.first[2], -0.5);
  EXPECT_GT(lost.first[0], 1);
}

// With the ranking and so the weights unchanged, the derivatives are those of the value.
TEST(Lambda, DerivativesAreThoseOfTheValueAtFixedWeights) {
  Random random(9);
  const std::vector<float> labels = {2, 0, 1, 0, 3, 1};
  const Dataset data = make_dataset({6}, 0, {}, labels);
  std::vector<double> scores(6);
  for (double& s : scores) s = 3 * random.uniform();
  for (const char* loss : {"lambda-ndcg(norm=none)", "lambda-ap(norm=none,sigma=2)",
                           "lambda-err(norm=none)", "lambdaloss(norm=none)@3"}) {
    const Evaluated at = evaluate(loss, data, scores);
    for (std::size_t i = 0; i < 6; ++i) {
      auto up = scores, down = scores;
      up[i] += 1e-6;
      down[i] -= 1e-6;
      const Evaluated above = evaluate(loss, data, up), below = evaluate(loss, data, down);
      EXPECT_NEAR(at.first[i], (above.value - below.value) / 2e-6, 1e-8) << loss;
      EXPECT_NEAR(at.second[i], (above.first[i] - below.first[i]) / 2e-6, 1e-8) << loss;
    }
  }
}

}  // namespace
}  // namespace podium::lambda_test
