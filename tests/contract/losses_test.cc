// One suite over every row of the table of losses: a new loss is tested without writing a test.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "podium/loss.h"
#include "podium/loss_check.h"
#include "support/catalogue_rows.h"
#include "support/toy_data.h"

namespace podium::losses_test {
namespace {

using testing::make_dataset;

struct Evaluated {
  double value;
  std::vector<double> first, second;
};

Evaluated evaluate(const BoundLoss& loss, std::size_t q, std::span<const double> scores) {
  Evaluated out{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())};
  out.value = loss.evaluate(q, scores, {out.first, out.second});
  return out;
}

// Lists of 2 to 8 documents with grades 0…4, some without a relevant document.
Dataset random_labels(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> lengths;
  std::vector<float> labels;
  for (int q = 0; q < 12; ++q) {
    lengths.push_back(2 + random.below(7));
    const std::uint64_t grades = q % 4 == 0 ? 2 : 5;
    for (std::size_t i = 0; i < lengths.back(); ++i)
      labels.push_back(static_cast<float>(random.below(grades)));
  }
  return make_dataset(lengths, 0, {}, std::move(labels));
}

// One per document, or K per document for a loss with K outputs.
std::vector<double> random_scores(const BoundLoss& loss, std::size_t documents, Random& random) {
  std::vector<double> scores(documents * loss.link().outputs());
  for (double& s : scores) s = 4 * random.uniform() - 2;
  return scores;
}

class LossContract : public ::testing::TestWithParam<std::string> {
 protected:
  SharedLoss loss = parse_loss(GetParam());
};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto* entry : losses().entries()) names.emplace_back(entry->name);
  // Rows with parameters, and combinations.
  for (const char* name : {"pairwise-hinge(pairs=sum)",
                           "hinge(balance=true)",
                           "structured-ndcg(discount=letor)@3",
                           "structured-ndcg@2",
                           "structured-ndcg-nc(discount=letor)",
                           "structured-mrr(map=po)@3",
                           "structured-map(relevant-from=3)",
                           "dorm(decay=linear,cut=4,labels=binary)@3",
                           "structured-map+0.5*structured-auc",
                           "max(structured-map,structured-ndcg@5)",
                           "3*structured-map+2*max(structured-auc,structured-mrr(map=po)@3)",
                           "squared(targets=exp2)",
                           "query-squared(targets=0/1/3)",
                           "interval(lambda1=0.5,lambda2=0)",
                           "interval(lambda1=inf,lambda2=0.1,targets=exp2)+0.1*squared",
                           "interval(barrier=1)",
                           "interval(lambda1=0.5,lambda2=0.1,targets=exp2,barrier=64)",
                           "interval(lambda1=inf,barrier=8)",
                           "softmax(target=gains)",
                           "listmle@3",
                           "cosine(norm=ideal-dcg,targets=exp2)",
                           "max(softmax,listmle)",
                           "smooth(measure=ap)",
                           "smooth(sigma=0.1)@3",
                           "softrank@3",
                           "approx-ndcg(temperature=1,gain=linear)",
                           "logistic-pairs(sigma=2,weight=grade,pairs=sum)",
                           "exponential-pairs(sigma=2)",
                           "hinge-pairs(margin=0.5,grade-margin=0.25)",
                           "gbrank(tie=2,weight=grade)",
                           "margin-pairs(delta=2)",
                           "margin-pairs(delta=0.5,form=literal)",
                           "margin-pairs(delta=2,form=literal)",
                           "lambda-ndcg(norm=none,sigma=2)@10",
                           "lambda-nDCG(norm=query,gain=linear)",
                           "lambda-map(truncation=3)",
                           "lambda-ERR@10",
                           "lambda-P@5",
                           "lambda-Success@1",
                           "lambda-auc(truncation=0)",
                           "lambdaloss(mu=5)@3",
                           "lambdaloss(form=loss2,norm=none)",
                           "lambda-ndcg+0.1*squared",
                           "lambda-ndcg(norm=none,truncation=0)+0.1*score-ridge",
                           "margin-pairs+0.5*score-ridge"})
    names.emplace_back(name);
  return names;
}

TEST_P(LossContract, NameParsesBack) {
  EXPECT_EQ(parse_loss(loss->name())->name(), loss->name());
}

TEST_P(LossContract, FirstDerivativesAreThoseOfTheValue) {
  if (loss->traits().weights == LossTraits::Weights::frozen) return;  // no value to differentiate
  const Dataset data = random_labels(1);
  const auto bound = loss->bind(data);
  Random random(2);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto scores = random_scores(*bound, data.labels(q).size(), random);
    const Evaluated at = evaluate(*bound, q, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      constexpr double kStep = 1e-6;
      auto up = scores, down = scores;
      up[i] += kStep;
      down[i] -= kStep;
      const double slope =
          (evaluate(*bound, q, up).value - evaluate(*bound, q, down).value) / (2 * kStep);
      EXPECT_NEAR(at.first[i], slope, 1e-5 * (1 + std::abs(slope)))
          << "query " << q << " doc " << i;
    }
  }
}

TEST_P(LossContract, DifferentiateGivesTheDerivativesOfEvaluate) {
  const Dataset data = random_labels(21);
  const auto bound = loss->bind(data);
  Random random(22);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto scores = random_scores(*bound, data.labels(q).size(), random);
    const Evaluated at = evaluate(*bound, q, scores);
    std::vector<double> first(scores.size(), 7), second(scores.size(), 7);
    bound->differentiate(q, scores, {first, second});
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(first[i], at.first[i], 1e-12 * (1 + std::abs(at.first[i])));
      EXPECT_NEAR(second[i], at.second[i], 1e-12 * (1 + at.second[i]));
    }
  }
}

TEST_P(LossContract, SecondDerivativesAreNotNegative) {
  const Dataset data = random_labels(3);
  const auto bound = loss->bind(data);
  Random random(4);
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (const double h :
         evaluate(*bound, q, random_scores(*bound, data.labels(q).size(), random)).second)
      EXPECT_GE(h, 0);
}

TEST_P(LossContract, PermutingDocumentsPermutesDerivatives) {
  Random random(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::size_t n = 2 + random.below(7);
    std::vector<float> labels(n);
    for (float& y : labels) y = static_cast<float>(random.below(4));
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    std::vector<float> moved_labels(n);
    for (std::size_t i = 0; i < n; ++i) moved_labels[i] = labels[order[i]];
    const Dataset here = make_dataset({n}, 0, {}, labels),
                  there = make_dataset({n}, 0, {}, moved_labels);
    const auto bound = loss->bind(here), moved = loss->bind(there);
    const auto scores = random_scores(*bound, n, random);
    const std::size_t outputs = scores.size() / n;
    std::vector<double> moved_scores(scores.size());
    for (std::size_t i = 0; i < n; ++i)
      std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(order[i] * outputs), outputs,
                  moved_scores.begin() + static_cast<std::ptrdiff_t>(i * outputs));
    const Evaluated a = evaluate(*bound, 0, scores), b = evaluate(*moved, 0, moved_scores);
    EXPECT_NEAR(a.value, b.value, 1e-9 * (1 + std::abs(a.value)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < outputs; ++k)
        EXPECT_NEAR(b.first[i * outputs + k], a.first[order[i] * outputs + k], 1e-9);
  }
}

TEST_P(LossContract, ShiftInvariantLossesHaveDerivativesThatSumToZero) {
  if (loss->traits().shift != LossTraits::Shift::invariant) return;
  const Dataset data = random_labels(6);
  const auto bound = loss->bind(data);
  Random random(7);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    auto scores = random_scores(*bound, data.labels(q).size(), random);
    const Evaluated at = evaluate(*bound, q, scores);
    EXPECT_NEAR(std::accumulate(at.first.begin(), at.first.end(), 0.0), 0, 1e-9);
    for (double& s : scores) s += 0.75;
    EXPECT_NEAR(evaluate(*bound, q, scores).value, at.value, 1e-9);
  }
}

TEST_P(LossContract, ConvexLossesAreAboveTheirTangents) {
  if (loss->traits().shape == LossTraits::Shape::not_convex) return;
  const Dataset data = random_labels(8);
  const auto bound = loss->bind(data);
  Random random(9);
  for (int repeat = 0; repeat < 30; ++repeat)
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto s = random_scores(*bound, data.labels(q).size(), random);
      const auto t = random_scores(*bound, data.labels(q).size(), random);
      const Evaluated at = evaluate(*bound, q, s);
      double tangent = at.value;
      for (std::size_t i = 0; i < s.size(); ++i) tangent += at.first[i] * (t[i] - s[i]);
      EXPECT_GE(evaluate(*bound, q, t).value, tangent - 1e-9);
    }
}

TEST_P(LossContract, ExtremeScoresGiveFiniteResults) {
  const Dataset data = random_labels(10);
  const auto bound = loss->bind(data);
  Random random(11);
  const double extremes[] = {1e8, -1e8, 1e8 + 1, 0, 1e-8};
  for (int repeat = 0; repeat < 20; ++repeat)
    for (std::size_t q = 0; q < data.queries(); ++q) {
      auto scores = random_scores(*bound, data.labels(q).size(), random);
      for (double& s : scores)
        if (repeat > 0) s = extremes[random.below(repeat < 10 ? 2 : 5)];
      if (repeat == 0) std::fill(scores.begin(), scores.end(), -1e8);
      const Evaluated at = evaluate(*bound, q, scores);
      EXPECT_TRUE(std::isfinite(at.value));
      for (std::size_t i = 0; i < scores.size(); ++i) {
        EXPECT_TRUE(std::isfinite(at.first[i])) << "query " << q << " doc " << i;
        EXPECT_TRUE(std::isfinite(at.second[i]) && at.second[i] >= 0);
      }
    }
}

// The same check as `podium check-loss`.
TEST_P(LossContract, ConvexLossesPassTheCheck) {
  if (loss->traits().shape == LossTraits::Shape::not_convex) return;
  LossCheckOptions options;
  options.lists = 20;
  const LossCheck check = check_loss(*loss, options);
  EXPECT_TRUE(check.cost_exists) << "circulation " << check.worst_loop.relative;
  EXPECT_TRUE(check.convex) << "cosine " << check.worst_pair.cosine;
}

TEST_P(LossContract, ValuesAreTheCostOfTheDerivatives) {
  if (loss->traits().weights == LossTraits::Weights::frozen) return;
  LossCheckOptions options;
  options.lists = 20;
  const LossCheck check = check_loss(*loss, options);
  EXPECT_TRUE(check.cost_exists) << "circulation " << check.worst_loop.relative;
  EXPECT_TRUE(check.value_fits) << "relative difference " << check.worst_side.relative;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LossContract, ::testing::ValuesIn(all_names()),
                         testing::test_name);

}  // namespace
}  // namespace podium::losses_test
