// Properties of measures: closed forms of swaps, and how their value depends on ranks.
// tests/losses/pair_weights_test.cc compares all weights with re-evaluation.
#include "measures/swap_weights.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"
#include "measures/swap_kernels.h"
#include "podium/evaluator.h"

namespace podium::swap_weights_test {
namespace {

MeasurePtr measure(const char* name) {
  return parse_measure(name, Convention{});
}

TEST(SwapKernels, AreTheFormula) {
  Random random(1);
  for (const std::size_t n : {8U, 40U, 120U}) {
    std::vector<double> gain(n), discount(n), weight(n, -1);
    for (double& x : gain) x = 30 * random.uniform();
    for (double& x : discount) x = random.uniform();
    additive_swap_row(gain.data(), discount.data(), 3, 8 * (n > 8), n, weight.data());
    for (std::size_t j = 8 * (n > 8); j < n; ++j)
      EXPECT_EQ(weight[j], std::abs((gain[3] - gain[j]) * (discount[3] - discount[j])));
    if (n > 8) {
      EXPECT_EQ(weight[7], -1);
    }
  }
}

TEST(SwapWeights, AreOfMeasuresWithAClosedForm) {
  for (const char* name :
       {"nDCG@10", "DCG", "AP", "AP(denominator=cutoff)@5", "GMAP", "RR", "ERR@5", "P@5", "R",
        "RelP@3", "AUC", "tau", "PairAcc", "Bpref", "GMBpref"})
    EXPECT_TRUE(measure(name)->swap_weights()) << name;
  for (const char* name : {"AP(denominator=retrieved)", "MeanNDCG", "Success@1", "IPrec11", "SetP"})
    EXPECT_FALSE(measure(name)->swap_weights()) << name;
}

TEST(SwapWeights, EndWhereTheMeasureDoes) {
  for (const char* name : {"nDCG@10", "AP@5", "RR@3", "ERR@7", "P@5", "R@9", "RelP@2", "DCG"})
    EXPECT_EQ(measure(name)->swap_weights()->depth(), measure(name)->depth()) << name;
}

TEST(MeasureForm, IsTheMeasuresOwn) {
  using Kind = MeasureForm::Kind;
  const auto kind = [](const char* name) { return measure(name)->form().kind; };
  for (const char* name : {"nDCG@10", "DCG", "MeanNDCG", "P@5", "R@5", "RelP@5", "Rprec", "RBP",
                           "Judged@5", "Unjudged"})
    EXPECT_EQ(kind(name), Kind::additive) << name;
  for (const char* name : {"SetP", "SetF", "Utility", "NumQ", "NumRelRet"})
    EXPECT_EQ(kind(name), Kind::constant) << name;
  EXPECT_EQ(kind("AP"), Kind::precision);
  EXPECT_EQ(kind("GMAP"), Kind::precision);
  EXPECT_EQ(kind("RR"), Kind::first);
  EXPECT_EQ(kind("ERR"), Kind::cascade);
  EXPECT_EQ(kind("AUC"), Kind::pairs);
  for (const char* name : {"AP@5", "RR@5", "ERR@5", "tau", "Bpref", "Success@5", "IPrec@0.5"})
    EXPECT_EQ(kind(name), Kind::general) << name;
  EXPECT_EQ(measure("AUC(rel=3)")->form().relevant_from, 3);
  EXPECT_EQ(measure("nDCG(discount=letor)")->form().discount(1), 1);
  EXPECT_LT(measure("nDCG")->form().discount(1), 1);
  EXPECT_FALSE(measure("MeanNDCG")->form().discount);
}

// A measure without optional properties, like one written in Python.
class LastLabel final : public Measure {
 public:
  std::string name() const override { return "python:last"; }
  std::optional<double> value(const RankedLabels& ranking) const override {
    return ranking.by_rank.back();
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return value(ties.ranking);
  }
};

TEST(MeasureForm, IsGeneralByDefault) {
  const LastLabel last;
  EXPECT_EQ(last.form().kind, MeasureForm::Kind::general);
  EXPECT_FALSE(last.swap_weights());
  EXPECT_FALSE(last.tied_cost());
  EXPECT_EQ(last.trec_name(Convention{}), "");
}

}  // namespace
}  // namespace podium::swap_weights_test
