// Expected values of long tied groups against plain sums, without quadratic time.
#include <chrono>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/random.h"
#include "podium/evaluator.h"

namespace podium::long_ties_test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Group {
  std::vector<float> labels, ideal;
  std::vector<std::uint32_t> ends;
};

// A relevant document, then one tied group.
Group tied_group(std::size_t size, const std::vector<float>& grades) {
  Random random(size);
  Group group{{1}, {}, {1, static_cast<std::uint32_t>(size + 1)}};
  for (std::size_t i = 0; i < size; ++i)
    group.labels.push_back(grades[random.below(grades.size())]);
  for (const float label : group.labels)
    if (!std::isnan(label)) group.ideal.push_back(label);
  std::sort(group.ideal.begin(), group.ideal.end(), std::greater<>());
  return group;
}

double expected(const char* measure, const Group& group) {
  return parse_measure(measure, Convention{})
      ->expected({{group.labels, group.ideal}, group.ends})
      .value();
}

double log_choose(std::size_t n, std::size_t k) {
  const auto log_factorial = [](std::size_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// The recurrence over all documents and positions.
double plain_err(const Group& group) {
  const auto stop = [](float grade) { return (std::exp2(double{grade}) - 1) / 16; };
  const std::size_t t = group.labels.size() - 1;
  std::vector<double> reach(t + 1);
  reach[0] = 1;
  for (std::size_t m = 1; m <= t; ++m)
    for (std::size_t p = m; p > 0; --p)
      reach[p] = (static_cast<double>(m - p) * reach[p] +
                  static_cast<double>(p) * (1 - stop(group.labels[m])) * reach[p - 1]) /
                 static_cast<double>(m);
  double sum = stop(1);
  for (std::size_t p = 0; p < t; ++p)
    sum += (1 - stop(1)) * (reach[p] - reach[p + 1]) / static_cast<double>(p + 2);
  return sum;
}

TEST(LongTies, ErrIsThatOfThePlainRecurrence) {
  for (const std::vector<float>& grades :
       {std::vector<float>{0, 0, 1, 2}, std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        std::vector<float>{4}, std::vector<float>{0, 0.25F}, std::vector<float>{0}}) {
    const Group group = tied_group(900, grades);
    EXPECT_NEAR(expected("ERR", group), plain_err(group), 1e-13);
  }
}

// Over relevant, bad and other documents above a relevant one, each with its probability.
double plain_inferred_ap(const Group& group) {
  std::size_t relevant = 0, bad = 0, unjudged = 0, outside = 0;
  for (const float label : std::span(group.labels).subspan(1))
    ++(label >= 1 ? relevant : label >= 0 ? bad : label < 0 ? unjudged : outside);
  const std::size_t others = unjudged + outside, all = relevant + bad + others;
  const double share = others ? static_cast<double>(unjudged) / static_cast<double>(others) : 0;
  double mean = 0;
  for (std::size_t a = 0; a < relevant; ++a)
    for (std::size_t b = 0; b <= bad; ++b)
      for (std::size_t c = 0; c <= others; ++c) {
        const double p = std::exp(log_choose(relevant - 1, a) + log_choose(bad, b) +
                                  log_choose(others, c) - log_choose(all - 1, a + b + c)) /
                         static_cast<double>(all);
        const auto good = static_cast<double>(a + 1), seen = static_cast<double>(a + b + 1);
        mean += p * (1 + (seen + share * static_cast<double>(c)) * (good + 1e-5) / (seen + 2e-5)) /
                static_cast<double>(a + b + c + 2);
      }
  return (1 + static_cast<double>(relevant) * mean) / static_cast<double>(relevant + 1);
}

TEST(LongTies, InferredApIsThePlainSum) {
  for (const std::vector<float>& grades :
       {std::vector<float>{0, 1, 2}, std::vector<float>{0, 1, -1, kNan},
        std::vector<float>{1, kNan, kNan}, std::vector<float>{0, 0, 0, 0, 0, 1, -1}}) {
    const Group group = tied_group(120, grades);
    EXPECT_NEAR(expected("infAP", group), plain_inferred_ap(group), 1e-11);
  }
}

// A cut-off inside the group: over the number of relevant documents above it.
TEST(LongTies, ApAtACutOffIsThePlainSum) {
  const Group group = tied_group(400, {0, 0, 1});
  std::size_t relevant = 0;
  for (const float label : std::span(group.labels).subspan(1)) relevant += label >= 1;
  constexpr std::size_t kCut = 150, kDraws = kCut - 1;
  double all = 0, retrieved = 0;
  for (std::size_t m = 0; m <= std::min(kDraws, relevant); ++m) {
    const double p = std::exp(log_choose(relevant, m) + log_choose(400 - relevant, kDraws - m) -
                              log_choose(400, kDraws));
    double precisions = 1;
    for (std::size_t j = 0; j < kDraws; ++j)
      precisions += static_cast<double>(m) / kDraws *
                    (2 + static_cast<double>(j) * (static_cast<double>(m) - 1) / (kDraws - 1)) /
                    static_cast<double>(j + 2);
    all += p * precisions / static_cast<double>(relevant + 1);
    retrieved += p * precisions / static_cast<double>(m + 1);
  }
  EXPECT_NEAR(expected("AP@150", group), all, 1e-12);
  EXPECT_NEAR(expected("AP(denominator=retrieved)@150", group), retrieved, 1e-12);
}

// Quadratic work would take minutes.
TEST(LongTies, OfHalfAMillionDocumentsAreFast) {
  const Group group = tied_group(500000, {0, 0, 0, 1, 2, 4});
  for (const char* measure : {"nDCG", "AP", "AP@100000", "RR", "ERR", "P@10", "RBP", "AUC",
                              "PairAcc", "tau", "Bpref", "infAP", "MeanNDCG", "Success@1000"}) {
    const auto began = std::chrono::steady_clock::now();
    const double value = expected(measure, group);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_TRUE(value >= -1 && value <= 1) << measure << " " << value;
    EXPECT_LT(took.count(), 20) << measure;
  }
}

}  // namespace
}  // namespace podium::long_ties_test
