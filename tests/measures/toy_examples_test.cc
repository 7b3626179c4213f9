// [Yue07] Tables 1 to 4: two rankings of which the better by average precision is the worse by AUC,
// and two of which it is the worse by the best accuracy of any threshold.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "podium/evaluator.h"
#include "support/toy_data.h"

namespace podium::toy_examples_test {
namespace {

using testing::Bench;

// Labels in the order of document ids. h₁ ranks by ascending id, h₂ by descending id.
struct Toy {
  std::vector<float> labels;

  double value(const char* measure, double direction) const {
    Bench bench;
    const Dataset data =
        testing::make_dataset({labels.size()}, 1, std::vector<float>(labels.size()), labels);
    std::vector<double> scores;
    for (std::size_t i = 0; i < labels.size(); ++i)
      scores.push_back(direction * static_cast<double>(i));
    const Convention& convention = find_convention("podium");
    return evaluate(parse_measure(measure, convention), convention, data, scores, bench.context);
  }
  double best_accuracy(double direction) const {
    std::vector<float> ranked = labels;
    if (direction > 0) std::reverse(ranked.begin(), ranked.end());
    double best = 0;
    for (std::size_t cut = 0; cut <= ranked.size(); ++cut) {
      double right = 0;
      for (std::size_t i = 0; i < ranked.size(); ++i) right += (ranked[i] > 0) == (i < cut);
      best = std::max(best, right / static_cast<double>(ranked.size()));
    }
    return best;
  }
};

constexpr double kFirst = -1, kSecond = 1;

double hundredths(double value) {
  return std::round(100 * value) / 100;
}

TEST(ToyExamples, AveragePrecisionAgainstRocArea) {
  const Toy toy{{1, 0, 0, 0, 0, 1, 1, 0}};
  EXPECT_EQ(hundredths(toy.value("AP", kFirst)), 0.59);
  EXPECT_EQ(hundredths(toy.value("AUC", kFirst)), 0.47);
  EXPECT_EQ(hundredths(toy.value("AP", kSecond)), 0.51);
  EXPECT_EQ(hundredths(toy.value("AUC", kSecond)), 0.53);
}

TEST(ToyExamples, AveragePrecisionAgainstAccuracy) {
  const Toy toy{{1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0}};
  // Differs from [Yue07] Table 4, which prints 0.70 and 0.64: by the paper's own definition it is
  // (1/1 + 2/6 + 3/7 + 4/8 + 5/9) / 5 and (1/3 + 2/4 + 3/5 + 4/6 + 5/11) / 5.
  EXPECT_EQ(hundredths(toy.value("AP", kFirst)), 0.56);
  EXPECT_EQ(hundredths(toy.best_accuracy(kFirst)), 0.64);
  EXPECT_EQ(hundredths(toy.value("AP", kSecond)), 0.51);
  EXPECT_EQ(hundredths(toy.best_accuracy(kSecond)), 0.73);
}

}  // namespace
}  // namespace podium::toy_examples_test
