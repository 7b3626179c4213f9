#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "podium/loss.h"
#include "support/toy_data.h"

namespace podium::pairwise_grades_test {
namespace {

using testing::make_dataset;

// φ(x) and φ'(x) for a difference of grades g.
struct Reference {
  const char* loss;
  std::function<double(double, double)> value, slope;
  bool by_grade = false;
  double tie = 0;
};

double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double positive(double x) {
  return std::max(0.0, x);
}

std::vector<Reference> references() {
  const auto squared = [](double margin, double grade_margin) {
    return [=](double x, double g) {
      return 0.5 * std::pow(positive(margin + grade_margin * g - x), 2);
    };
  };
  const auto squared_slope = [](double margin, double grade_margin) {
    return [=](double x, double g) { return -positive(margin + grade_margin * g - x); };
  };
  return {
      {"logistic-pairs(pairs=sum)", [](double x, double) { return softplus(-x); },
       [](double x, double) { return -sigmoid(-x); }},
      {"logistic-pairs(sigma=2.5,weight=grade,pairs=sum)",
       [](double x, double) { return softplus(-2.5 * x); },
       [](double x, double) { return -2.5 * sigmoid(-2.5 * x); }, true},
      {"exponential-pairs(sigma=0.5,pairs=sum)",
       [](double x, double) { return std::exp(-0.5 * x); },
       [](double x, double) { return -0.5 * std::exp(-0.5 * x); }},
      {"fidelity-pairs(sigma=2,pairs=sum)",
       [](double x, double) { return 1 - std::sqrt(sigmoid(2 * x)); },
       [](double x, double) { return -std::sqrt(sigmoid(2 * x)) * sigmoid(-2 * x); }},
      {"hinge-pairs(margin=0.5,grade-margin=0.25,pairs=sum)",
       [](double x, double g) { return positive(0.5 + 0.25 * g - x); },
       [](double x, double g) { return 0.5 + 0.25 * g > x ? -1.0 : 0.0; }},
      {"squared-hinge-pairs(weight=grade,pairs=sum)", squared(1, 0), squared_slope(1, 0), true},
      {"gbrank(pairs=sum)", squared(0, 1), squared_slope(0, 1), false, 0.1},
      {"gbrank(margin=0.5,grade-margin=0,tie=2,pairs=sum)", squared(0.5, 0), squared_slope(0.5, 0),
       false, 2},
      {"margin-pairs(delta=2,pairs=sum)",
       [](double x, double) { return x < 0 ? 1 - x : std::pow(positive(2 - x), 2) / 4; },
       [](double x, double) { return x < 0 ? -1 : -positive(2 - x) / 2; }},
      {"margin-pairs(delta=2,form=literal,pairs=sum)",
       [](double x, double) { return x < 0 ? 2 - x : std::pow(positive(2 - x), 2) / 2; },
       [](double x, double) { return x < 0 ? -1 : -positive(2 - x); }},
  };
}

struct Sum {
  double value = 0, pairs = 0;
  std::vector<double> first;
};

Sum sum_over_pairs(const Reference& reference, std::span<const float> labels,
                   std::span<const double> scores, std::span<const float> weights) {
  Sum sum{0, 0, std::vector<double>(labels.size())};
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const double x = scores[i] - scores[j], g = labels[i] - labels[j];
      const double w = static_cast<double>(weights[i]) * weights[j];
      if (g > 0) {
        const double scale = w * (reference.by_grade ? g : 1);
        ++sum.pairs;
        sum.value += scale * reference.value(x, g);
        sum.first[i] += scale * reference.slope(x, g);
        sum.first[j] -= scale * reference.slope(x, g);
      } else if (g == 0 && i < j) {
        sum.value += 0.5 * reference.tie * w * x * x;
        sum.first[i] += reference.tie * w * x;
        sum.first[j] -= reference.tie * w * x;
      }
    }
  return sum;
}

Dataset with_weights(std::vector<float> labels, std::vector<float> weights) {
  const std::size_t n = labels.size();
  DatasetParts parts = make_dataset({n}, 0, {}, std::move(labels)).parts();
  parts.document_weights = std::move(weights);
  return Dataset(std::move(parts));
}

TEST(GradePairs, EqualTheSumOverPairs) {
  Random random(1);
  for (const Reference& reference : references()) {
    const auto loss = parse_loss(reference.loss);
    for (int repeat = 0; repeat < 60; ++repeat) {
      const std::size_t n = 2 + random.below(repeat % 3 == 0 ? 40 : 12);
      std::vector<float> labels(n), weights(n, 1.0F);
      std::vector<double> scores(n), first(n), second(n);
      for (float& y : labels) y = static_cast<float>(random.below(4)) * 0.5F - 0.5F;
      for (double& s : scores) s = 0.375 * static_cast<double>(random.below(20)) - 3;
      if (repeat % 2)
        for (float& w : weights) w = 0.25F * static_cast<float>(random.below(9));
      const Dataset data =
          repeat % 2 ? with_weights(labels, weights) : make_dataset({n}, 0, {}, labels);
      const Sum wanted = sum_over_pairs(reference, labels, scores, weights);
      const auto bound = loss->bind(data);
      ASSERT_EQ(bound->informative(0), wanted.pairs > 0);
      const double value = bound->evaluate(0, scores, {first, second});
      if (wanted.pairs == 0) {
        EXPECT_EQ(value, 0);
        continue;
      }
      EXPECT_NEAR(value, wanted.value, 1e-12 * (1 + wanted.value)) << reference.loss;
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(first[i], wanted.first[i], 1e-11) << reference.loss;
    }
  }
}

// Long lists are not summed pair by pair: few grades and many, tied and wide scores, weights.
TEST(GradePairs, LongListsEqualTheSumOverPairs) {
  Random random(2);
  for (const Reference& reference : references()) {
    const auto loss = parse_loss(reference.loss);
    for (int repeat = 0; repeat < 8; ++repeat) {
      const std::size_t n = 513 + random.below(700);
      const std::size_t grades = repeat < 4 ? 3 : 400;
      const double spread = repeat % 4 == 3 ? 8 : 1;
      std::vector<float> labels(n), weights(n, 1.0F);
      std::vector<double> scores(n), first(n), second(n);
      for (float& y : labels) y = static_cast<float>(random.below(grades)) * 0.5F - 0.5F;
      for (double& s : scores) s = spread * (0.375 * static_cast<double>(random.below(20)) - 3);
      if (repeat % 2)
        for (float& w : weights) w = 0.25F * static_cast<float>(random.below(9));
      const Dataset data =
          repeat % 2 ? with_weights(labels, weights) : make_dataset({n}, 0, {}, labels);
      const Sum wanted = sum_over_pairs(reference, labels, scores, weights);
      const double value = loss->bind(data)->evaluate(0, scores, {first, second});
      EXPECT_NEAR(value / wanted.value, 1, 1e-11) << reference.loss;  // the loops round more
      const double largest =
          std::abs(*std::max_element(wanted.first.begin(), wanted.first.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); }));
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_NEAR(first[i], wanted.first[i], 1e-12 * largest) << reference.loss;
    }
  }
}

// Also the curvatures, which have no plain formula: compares a list with a short half of it.
TEST(GradePairs, CurvaturesOfLongListsAreThoseOfShortOnes) {
  constexpr std::size_t kHalf = 300;
  for (const char* row :
       {"logistic-pairs(pairs=sum)", "exponential-pairs(sigma=30,pairs=sum)",
        "fidelity-pairs(pairs=sum)", "hinge-pairs(weight=grade,pairs=sum)", "gbrank(pairs=sum)",
        "margin-pairs(delta=2,pairs=sum)", "margin-pairs(delta=2,form=literal,pairs=sum)"}) {
    Random random(3);
    std::vector<float> labels(kHalf);
    std::vector<double> scores(kHalf);
    for (float& y : labels) y = static_cast<float>(random.below(5));
    for (double& s : scores) s = 4 * random.uniform() - 2;
    const auto loss = parse_loss(row);
    std::vector<double> first(kHalf), second(kHalf);
    const double value =
        loss->bind(make_dataset({kHalf}, 0, {}, labels))->evaluate(0, scores, {first, second});
    // Every document twice: each pair four times, a document's derivatives twice.
    labels.insert(labels.end(), labels.begin(), labels.begin() + kHalf);
    scores.insert(scores.end(), scores.begin(), scores.begin() + kHalf);
    std::vector<double> twice(2 * kHalf), curvature(2 * kHalf);
    const double four = loss->bind(make_dataset({2 * kHalf}, 0, {}, labels))
                            ->evaluate(0, scores, {twice, curvature});
    const bool tied =
        std::string_view(row).starts_with("gbrank");  // pairs of a document and itself
    EXPECT_NEAR(four / value, 4, 1e-11) << row;
    for (std::size_t i = 0; i < 2 * kHalf; ++i) {
      EXPECT_NEAR(twice[i], 2 * first[i % kHalf], 1e-11 * (1 + std::abs(first[i % kHalf]))) << row;
      EXPECT_NEAR(curvature[i], 2 * second[i % kHalf] + (tied ? 0.1 : 0),
                  1e-11 * (1 + second[i % kHalf]))
          << row;
    }
  }
}

TEST(GradePairs, ScoresThatAreFarApartAreSummedPairByPair) {
  constexpr std::size_t kDocuments = 600;
  std::vector<float> labels(kDocuments);
  std::vector<double> scores(kDocuments), first(kDocuments), second(kDocuments);
  for (std::size_t i = 0; i < kDocuments; ++i) labels[i] = static_cast<float>(i % 2);
  const Dataset data = make_dataset({kDocuments}, 0, {}, labels);
  for (const double far : {1e4, 1e12}) {
    scores[0] = far;  // a bad document
    for (const char* row : {"exponential-pairs", "logistic-pairs", "gbrank"}) {
      const double value = parse_loss(row)->bind(data)->evaluate(0, scores, {first, second});
      EXPECT_TRUE(std::isfinite(value)) << row;
      EXPECT_GT(first[0], 0) << row << far;
    }
  }
}

// One document far from the others must not reduce the accuracy of the others' pairs.
TEST(GradePairs, AnOutlierLeavesTheValueRight) {
  constexpr std::size_t kDocuments = 520;
  Random random(5);
  std::vector<float> labels(kDocuments), weights(kDocuments, 1.0F);
  std::vector<double> scores(kDocuments), first(kDocuments), second(kDocuments);
  for (float& y : labels) y = static_cast<float>(random.below(4));
  for (double& s : scores) s = 2 * random.uniform();
  labels[0] = 4;  // the best, and ahead
  const Dataset data = make_dataset({kDocuments}, 0, {}, labels);
  for (const Reference& reference : references())
    for (const double far : {30.0, 990.0, 1e6, 1e10}) {
      scores[0] = far;
      const Sum wanted = sum_over_pairs(reference, labels, scores, weights);
      const double value =
          parse_loss(reference.loss)->bind(data)->evaluate(0, scores, {first, second});
      EXPECT_NEAR(value / wanted.value, 1, 1e-9) << reference.loss << " " << far;
    }
}

TEST(GradePairs, AnAverageDividesByThePairs) {
  const Dataset data = make_dataset({5}, 0, {}, {2, 0, 1, 0, 0});
  const std::vector<double> scores = {0.5, 0.1, -0.3, 0.7, 0.2};
  std::vector<double> a(5), b(5), c(5), d(5);
  for (const char* row : {"logistic-pairs", "gbrank", "fidelity-pairs"}) {
    const double mean = parse_loss(row)->bind(data)->evaluate(0, scores, {a, c});
    const double sum =
        parse_loss(std::string(row) + "(pairs=sum)")->bind(data)->evaluate(0, scores, {b, d});
    EXPECT_NEAR(sum, 7 * mean, 1e-12);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(b[i], 7 * a[i], 1e-12);
      EXPECT_NEAR(d[i], 7 * c[i], 1e-12);
    }
  }
}

// If φ'' > 0 and is not replaced, the curvature is the second difference of the value.
TEST(GradePairs, CurvaturesAreSecondDerivatives) {
  const Dataset data = make_dataset({3}, 0, {}, {1, 0, 2});
  const std::vector<double> scores = {0.3, -0.2, 0.45};
  for (const char* row : {"logistic-pairs(sigma=3)", "exponential-pairs(sigma=2)", "gbrank",
                          "squared-hinge-pairs(weight=grade)", "margin-pairs(delta=2)"}) {
    const auto bound = parse_loss(row)->bind(data);
    std::vector<double> first(3), second(3), unused(3);
    bound->evaluate(0, scores, {first, second});
    for (std::size_t i = 0; i < 3; ++i) {
      const auto slope = [&](double step) {
        auto moved = scores;
        moved[i] += step;
        bound->evaluate(0, moved, {first, {}});
        return first[i];
      };
      EXPECT_NEAR(second[i], (slope(1e-6) - slope(-1e-6)) / 2e-6, 1e-6) << row;
    }
  }
}

TEST(GradePairs, FidelitysCurvatureBoundsTheSecondDerivative) {
  const Dataset data = make_dataset({2}, 0, {}, {1, 0});
  const auto bound = parse_loss("fidelity-pairs(sigma=2)")->bind(data);
  std::vector<double> first(2), second(2);
  for (double x = -12; x <= 12; x += 0.125) {
    const auto slope = [&](double at) {
      bound->evaluate(0, std::vector<double>{at, 0}, {first, second});
      return first[0];
    };
    const double difference = (slope(x + 1e-6) - slope(x - 1e-6)) / 2e-6;
    slope(x);
    EXPECT_GE(second[0], std::abs(difference) - 1e-8);
    if (std::abs(x) > 10) {
      EXPECT_NEAR(second[0] / std::abs(difference), 1, 0.01);
    }
  }
}

TEST(GradePairs, TenThousandDocumentsOfTwoGrades) {
  constexpr std::size_t kDocuments = 10000;
  Random random(5);
  std::vector<float> labels(kDocuments);
  std::vector<double> scores(kDocuments), first(kDocuments), second(kDocuments);
  for (std::size_t i = 0; i < kDocuments; ++i) {
    labels[i] = static_cast<float>(random.below(2));
    scores[i] = random.uniform();
  }
  const Dataset data = make_dataset({kDocuments}, 0, {}, labels);
  std::vector<double> hinge_first(kDocuments);
  const double blocks = parse_loss("hinge-pairs")->bind(data)->evaluate(0, scores, {first, second});
  const double sweep =
      parse_loss("pairwise-hinge")->bind(data)->evaluate(0, scores, {hinge_first, second});
  EXPECT_NEAR(blocks, sweep, 1e-10);
  for (std::size_t i = 0; i < kDocuments; ++i) ASSERT_NEAR(first[i], hinge_first[i], 1e-12);
}

TEST(GradePairs, TheLiteralMarginRuleIsConvexUpToOne) {
  EXPECT_EQ(parse_loss("margin-pairs(delta=1,form=literal)")->traits().shape,
            LossTraits::Shape::convex);
  EXPECT_EQ(parse_loss("margin-pairs(delta=2,form=literal)")->traits().shape,
            LossTraits::Shape::not_convex);
  EXPECT_EQ(parse_loss("margin-pairs(delta=2)")->traits().shape, LossTraits::Shape::convex);
}

}  // namespace
}  // namespace podium::pairwise_grades_test
