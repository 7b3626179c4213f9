#include "losses/lambda/pair_weights.h"

#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "support/measure_cases.h"

namespace podium::pair_weights_test {
namespace {

using testing::Judging;
using testing::RankingCase;

// The weights of a ranking as a table of pairs.
class DeltaTable {
 public:
  DeltaTable(const RankWeights& weights, const RankingCase& made)
      : ranked_(weights.rank(made.by_rank, *weights.factor(made.ideal))), n_(made.by_rank.size()) {}

  double operator()(std::size_t i, std::size_t j) const {
    std::vector<double> row(block_end(n_));
    ranked_->row(i, block_begin(i + 1), block_end(n_), row.data(), {});
    return row[j];
  }

 private:
  std::unique_ptr<const RankedWeights> ranked_;
  std::size_t n_;
};

double re_evaluated(const Measure& measure, const RankingCase& made, std::size_t i, std::size_t j) {
  std::vector<float> swapped = made.by_rank;
  std::swap(swapped[i], swapped[j]);
  return std::abs(*measure.value({swapped, made.ideal}) - *measure.value(made.ranking()));
}

void expect_re_evaluation(const MeasurePtr& measure, const RankingCase& made) {
  const auto weights = swap_weights(measure);
  const bool defined = measure->value(made.ranking()).has_value();
  ASSERT_EQ(weights->factor(made.ideal).has_value(), defined) << measure->name();
  if (!defined || made.by_rank.empty()) return;
  const DeltaTable delta(*weights, made);
  for (std::size_t i = 0; i < made.by_rank.size(); ++i)
    for (std::size_t j = i + 1; j < made.by_rank.size(); ++j)
      ASSERT_NEAR(i < weights->depth() ? delta(i, j) : 0, re_evaluated(*measure, made, i, j), 1e-12)
          << measure->name() << " " << i << " " << j << " on "
          << ::testing::PrintToString(made.by_rank);
}

TEST(SwapWeights, EqualReEvaluatingTheMeasureAfterTheSwap) {
  Random random(1);
  const auto variants = testing::measure_variants();
  for (int repeat = 0; repeat < 80; ++repeat) {
    const RankingCase made = testing::random_ranking(random, 12, Judging::complete);
    for (const MeasurePtr& measure : variants)
      ASSERT_NO_FATAL_FAILURE(expect_re_evaluation(measure, made));
  }
}

// Long lists: products that vanish, sums of many terms.
TEST(SwapWeights, EqualReEvaluationOnLongLists) {
  Random random(2);
  RankingCase made;
  for (int i = 0; i < 150; ++i) made.by_rank.push_back(static_cast<float>(random.below(5)));
  made.ideal = made.by_rank;
  std::sort(made.ideal.begin(), made.ideal.end(), std::greater<>());
  for (const char* name :
       {"nDCG", "DCG@20", "AP", "AP@30", "RR", "ERR", "ERR(max=60)", "ERR@10", "P@5", "R@50",
        "RelP@20", "tau", "PairAcc", "AUC(rel=3)", "Bpref", "Bpref(rel=4)", "GMBpref"})
    ASSERT_NO_FATAL_FAILURE(expect_re_evaluation(parse_measure(name, Convention{}), made));
}

// Grades below 0 are neither relevant nor bad to Bpref; more relevant documents than bad ones, and
// fewer.
TEST(SwapWeights, BprefOfDocumentsThatAreNeither) {
  Random random(3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    RankingCase made;
    const std::size_t grades = 3 + random.below(3);
    for (std::uint64_t i = 2 + random.below(14); i > 0; --i)
      made.by_rank.push_back(static_cast<float>(random.below(grades)) - 1 -
                             (repeat % 2 ? 0.0F : static_cast<float>(random.below(2))));
    made.ideal = made.by_rank;
    std::sort(made.ideal.begin(), made.ideal.end(), std::greater<>());
    for (const char* name : {"Bpref", "Bpref(rel=2)", "tau", "PairAcc", "AUC"})
      ASSERT_NO_FATAL_FAILURE(expect_re_evaluation(parse_measure(name, Convention{}), made));
  }
}

// Each of a row's 200,000 partners once took a pass over the list.
TEST(SwapWeights, RowsOfLongListsAreFast) {
  Random random(4);
  RankingCase made;
  for (int i = 0; i < 200000; ++i) made.by_rank.push_back(static_cast<float>(random.below(5)));
  made.ideal = made.by_rank;
  std::sort(made.ideal.begin(), made.ideal.end(), std::greater<>());
  std::vector<double> row(block_end(made.by_rank.size()));
  for (const char* name : {"tau", "PairAcc", "AUC", "Bpref"}) {
    const auto weights = swap_weights(parse_measure(name, Convention{}));
    const auto ranked = weights->rank(made.by_rank, *weights->factor(made.ideal));
    const auto began = std::chrono::steady_clock::now();
    ranked->row(0, 0, row.size(), row.data(), {});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_LT(took.count(), 2) << name;
  }
}

// Gains beyond a double's range are scaled, both in the factor and in the ranking.
TEST(SwapWeights, HugeGradesStayFinite) {
  const RankingCase made{{3, 2000, 0, 1999}, {2000, 1999, 3, 0}, {}};
  const auto weights = swap_weights(parse_measure("nDCG", Convention{}));
  const DeltaTable delta(*weights, made);
  EXPECT_NEAR(delta(0, 1), re_evaluated(*parse_measure("nDCG", Convention{}), made, 0, 1), 1e-12);
}

TEST(DistanceWeights, AreThePapersFormula) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const RankingCase made = testing::random_ranking(random, 12, Judging::complete);
    const double ideal = *parse_measure("DCG@4", Convention{})->value({made.ideal, made.ideal});
    const auto loss2 = distance_weights("exp2", {0, 1, 4}),
               plus = distance_weights("exp2", {1, 10, 4});
    ASSERT_EQ(loss2->factor(made.ideal).has_value(), ideal > 0);
    if (!(ideal > 0)) continue;  // an empty list is among these
    const DeltaTable two(*loss2, made), two_plus(*plus, made);
    const auto gain = [](double grade) { return std::exp2(grade) - 1; };
    const auto discount = [](std::size_t rank) {
      return 1 / std::log2(1.0 + static_cast<double>(rank));
    };
    for (std::size_t i = 1; i <= std::min<std::size_t>(4, made.by_rank.size()); ++i)
      for (std::size_t j = i + 1; j <= made.by_rank.size(); ++j) {
        const double gains =
            std::abs(gain(made.by_rank[i - 1]) - gain(made.by_rank[j - 1])) / ideal;
        const double delta = discount(j - i) - discount(j - i + 1);
        const double rho = std::abs((i <= 4 ? discount(i) : 0) - (j <= 4 ? discount(j) : 0));
        EXPECT_NEAR(two(i - 1, j - 1), gains * delta, 1e-12);
        EXPECT_NEAR(two_plus(i - 1, j - 1), gains * (rho + 10 * delta), 1e-12);
      }
  }
}

}  // namespace
}  // namespace podium::pair_weights_test
