#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "podium/evaluator.h"

namespace podium::ndcg_test {
namespace {

std::optional<double> value(std::string_view name, std::vector<float> by_rank,
                            std::vector<float> ideal) {
  return parse_measure(name, Convention{})->value({by_rank, ideal});
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Ndcg, ByHand) {
  const double dcg = 1 / std::log2(2.0) + 3 / std::log2(3.0);
  const double ideal = 3 / std::log2(2.0) + 1 / std::log2(3.0);
  EXPECT_NEAR(*value("DCG", {1, 2}, {2, 1}), dcg, 1e-15);
  EXPECT_NEAR(*value("nDCG", {1, 2}, {2, 1}), dcg / ideal, 1e-15);
  EXPECT_NEAR(*value("nDCG@1", {1, 2}, {2, 1}), 1 / 3.0, 1e-15);
}

TEST(Ndcg, IdealIncludesDocumentsThatWereNotRetrieved) {
  EXPECT_NEAR(*value("nDCG", {1}, {2, 1}), 1 / (3 + 1 / std::log2(3.0)), 1e-15);
}

TEST(Ndcg, UndefinedWithoutGain) {
  EXPECT_FALSE(value("nDCG", {0, 0}, {0, 0}));
  EXPECT_FALSE(value("nDCG", {}, {}));
  EXPECT_FALSE(value("nDCG", {-1}, {-1}));
  EXPECT_EQ(value("nDCG", {}, {1}), 0);
  EXPECT_EQ(value("DCG", {0, 0}, {0, 0}), 0);
}

TEST(Ndcg, UnjudgedAndNegativeGradesGainNothing) {
  EXPECT_EQ(value("DCG", {kNan, -2, 1}, {1, -2}), value("DCG", {0, 0, 1}, {1, 0, 0}));
}

TEST(Ndcg, HugeAndRealGradesStayInRange) {
  EXPECT_NEAR(*value("nDCG", {5000, 4999}, {5000, 4999}), 1, 1e-15);
  const double d = 1 / std::log2(3.0);
  EXPECT_NEAR(*value("nDCG", {4999, 5000}, {5000, 4999}), (0.5 + d) / (1 + 0.5 * d), 1e-15);
  EXPECT_NEAR(*value("nDCG", {1e30F, 0}, {1e30F, 0}), 1, 1e-15);
  EXPECT_NEAR(*value("nDCG(gain=linear)", {3e38F, 3e38F}, {3e38F, 3e38F}), 1, 1e-15);
  EXPECT_TRUE(std::isfinite(*value("DCG", {1e30F, 1e30F}, {1e30F, 1e30F})));
  EXPECT_NEAR(*value("DCG", {0.5F}, {0.5F}), std::sqrt(2.0) - 1, 1e-15);
  EXPECT_NEAR(*value("DCG", {40.0F}, {40.0F}), std::exp2(40) - 1, 1e-3);
}

TEST(Ndcg, GainTableIsIndexedByGradeAndClamped) {
  EXPECT_EQ(value("DCG(gain=0;10;30)@1", {1}, {1}), 10);
  EXPECT_EQ(value("DCG(gain=0;10;30)@1", {9}, {9}), 30);
  EXPECT_EQ(value("DCG(gain=0;10;30)@1", {1.5F}, {1.5F}), 10);
  EXPECT_EQ(value("DCG(gain=5;10)@1", {-3}, {-3}), 5);
  EXPECT_EQ(value("DCG(gain=5;10)@1", {kNan}, {}), 0);
  EXPECT_THROW(parse_measure("DCG(gain=1;0)", Convention{}), Error);
  EXPECT_THROW(parse_measure("DCG(gain=-1;0)", Convention{}), Error);
  EXPECT_THROW(parse_measure("DCG(gain=0;;1)", Convention{}), Error);
  EXPECT_THROW(parse_measure("DCG(gain=exponential)", Convention{}), Error);
}

TEST(Ndcg, DiscountsContinueBeyondTheTable) {
  std::vector<float> labels(5000, 0.0F);
  labels[4999] = 1;
  EXPECT_NEAR(*value("DCG", labels, {1}), 1 / std::log2(5001.0), 1e-15);
  EXPECT_NEAR(*value("DCG(discount=letor)", labels, {1}), 1 / std::log2(5000.0), 1e-15);
}

TEST(MeanNdcg, IsTheMeanOverCutOffs) {
  const std::vector<float> by_rank = {0, 2, 1, kNan}, ideal = {2, 1, 1, 0};
  double sum = 0;
  for (const char* name : {"nDCG@1", "nDCG@2", "nDCG@3", "nDCG@4"})
    sum += *value(name, by_rank, ideal);
  EXPECT_NEAR(*value("MeanNDCG", by_rank, ideal), sum / 4, 1e-15);
  EXPECT_FALSE(value("MeanNDCG", {0}, {0}));
  EXPECT_EQ(value("MeanNDCG", {}, {1}), 0);
}

}  // namespace
}  // namespace podium::ndcg_test
