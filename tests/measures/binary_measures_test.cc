// Measures by hand: counts at cut-offs, AP, RR, ERR, RBP, pairs, Bpref, infAP, IPrec, sets.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "podium/evaluator.h"

namespace podium::binary_measures_test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::optional<double> value(std::string_view name, const std::vector<float>& by_rank,
                            const std::vector<float>& ideal) {
  return parse_measure(name, Convention{})->value({by_rank, ideal});
}

std::optional<double> tied(std::string_view name, const std::vector<float>& by_rank,
                           const std::vector<float>& ideal,
                           const std::vector<std::uint32_t>& ends) {
  return parse_measure(name, Convention{})->tied({{by_rank, ideal}, ends});
}

struct ByHand {
  std::string name;
  std::vector<float> by_rank, ideal;
  double wanted;
};
void PrintTo(const ByHand& row, std::ostream* out) {
  *out << row.name;
}

class Measures : public ::testing::TestWithParam<ByHand> {};
TEST_P(Measures, ByHand) {
  const auto actual = value(GetParam().name, GetParam().by_rank, GetParam().ideal);
  ASSERT_TRUE(actual);
  EXPECT_NEAR(*actual, GetParam().wanted, 1e-12);
}

const std::vector<float> kList = {0, 1, kNan, 2, 0}, kIdeal = {2, 1, 1, 0, 0};

INSTANTIATE_TEST_SUITE_P(
    All, Measures,
    ::testing::Values(
        ByHand{"P@2", kList, kIdeal, 0.5}, ByHand{"P@10", kList, kIdeal, 0.2},
        ByHand{"P", kList, kIdeal, 0.4}, ByHand{"P(rel=2)@5", kList, kIdeal, 0.2},
        ByHand{"R@2", kList, kIdeal, 1 / 3.0}, ByHand{"RelP@2", kList, kIdeal, 0.5},
        ByHand{"RelP@5", kList, kIdeal, 2 / 3.0}, ByHand{"Success@1", kList, kIdeal, 0},
        ByHand{"Success@2", kList, kIdeal, 1}, ByHand{"Rprec", kList, kIdeal, 1 / 3.0},
        ByHand{"Judged@3", kList, kIdeal, 2 / 3.0}, ByHand{"Judged@10", kList, kIdeal, 0.8},
        ByHand{"Unjudged@10", kList, kIdeal, 0.1},
        ByHand{"RBP(p=0.5)", kList, kIdeal, 0.5 * (0.5 + 0.125)},
        ByHand{"AP", kList, kIdeal, (1 / 2.0 + 2 / 4.0) / 3},
        ByHand{"AP@2", kList, kIdeal, 0.5 / 3},
        ByHand{"AP(denominator=cutoff)@2", kList, kIdeal, 0.25},
        ByHand{"AP(denominator=retrieved)@2", kList, kIdeal, 0.5}, ByHand{"RR", kList, kIdeal, 0.5},
        ByHand{"RR@1", kList, kIdeal, 0}, ByHand{"RR(rel=2)", kList, kIdeal, 0.25},
        ByHand{"ERR", kList, kIdeal, 1 / 16.0 / 2 + 15 / 16.0 * 3 / 16 / 4},
        ByHand{"ERR(max=2)@2", kList, kIdeal, 0.25 / 2}, ByHand{"AUC", kList, kIdeal, 2 / 4.0},
        ByHand{"PairAcc", kList, kIdeal, 2 / 5.0},
        ByHand{"tau", kList, kIdeal, (2 - 3) / std::sqrt(6.0 * 5.0)},
        ByHand{"Bpref", kList, kIdeal, (0.5 + 0.5) / 3}, ByHand{"IPrec@0", kList, kIdeal, 0.5},
        ByHand{"IPrec@1", kList, kIdeal, 0}, ByHand{"SetP", kList, kIdeal, 0.4},
        ByHand{"SetR", kList, kIdeal, 2 / 3.0}, ByHand{"SetRelP", kList, kIdeal, 2 / 3.0},
        ByHand{"SetAP", kList, kIdeal, 0.8 / 3}, ByHand{"SetF", kList, kIdeal, 0.5},
        ByHand{"Utility", kList, kIdeal, -1}, ByHand{"NumRet", kList, kIdeal, 5},
        ByHand{"NumRet(rel=2)", kList, kIdeal, 1}, ByHand{"NumRel", kList, kIdeal, 3},
        ByHand{"NumRelRet", kList, kIdeal, 2}, ByHand{"NumNonRelRet", kList, kIdeal, 2},
        ByHand{"NumQ", kList, kIdeal, 1}));

TEST(Measures, UndefinedWithoutRelevantDocument) {
  for (const char* name : {"nDCG", "AP",    "GMAP",    "RR",        "R@3",     "RelP@3",  "Rprec",
                           "AUC",  "Bpref", "GMBpref", "IPrec@0.5", "IPrec11", "infAP",   "SetR",
                           "SetF", "SetAP", "SetRelP", "PairAcc",   "tau",     "MeanNDCG"})
    EXPECT_FALSE(value(name, {0, 0}, {0, 0})) << name;
  for (const char* name : {"P@3", "Success@3", "DCG", "ERR", "RBP", "Judged@2", "SetP", "NumRel"})
    EXPECT_TRUE(value(name, {0, 0}, {0, 0})) << name;
  EXPECT_FALSE(value("AUC", {1, 1}, {1, 1}));
  EXPECT_FALSE(value("tau", {1, 1}, {1, 1}));
}

TEST(Measures, NothingRetrieved) {
  for (const Entry<Measure>* entry : measures().entries()) {
    const MeasurePtr measure = measures().make(entry->name);
    const std::vector<float> none, ideal = {1, 0};
    const auto value = measure->value({none, ideal});
    EXPECT_TRUE(!value || std::isfinite(*value)) << entry->name;
    EXPECT_EQ(measure->expected({{none, ideal}, {}}), value) << entry->name;
  }
}

TEST(KendallTau, OfTiedScoresIsTauB) {
  // Scores 2, 1, 1, 0 against labels 2, 2, 1, 0: C = 4, D = 0, one tied pair on either side.
  EXPECT_NEAR(*tied("tau", {2, 2, 1, 0}, {2, 2, 1, 0}, {1, 3, 4}), 4 / 5.0, 1e-15);
  EXPECT_FALSE(tied("tau", {2, 1}, {2, 1}, {2}));
}

TEST(Measures, LargeTiedGroupsStayAccurate) {
  const std::size_t n = 3000;
  std::vector<float> labels(n, 0.0F);
  for (std::size_t i = 0; i < n; i += 3) labels[i] = 1;
  std::vector<float> ideal = labels;
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  const std::vector<std::uint32_t> ends = {static_cast<std::uint32_t>(n)};
  EXPECT_NEAR(*tied("P@10", labels, ideal, ends), 1 / 3.0, 1e-12);
  EXPECT_NEAR(*tied("AUC", labels, ideal, ends), 0.5, 1e-12);
  EXPECT_NEAR(*tied("PairAcc", labels, ideal, ends), 0.5, 1e-12);
  EXPECT_NEAR(*tied("Success@1", labels, ideal, ends), 1 / 3.0, 1e-12);
  // The rank of the first relevant document in a random order is nearly geometric, except that the
  // list is finite.
  EXPECT_NEAR(*tied("RR", labels, ideal, ends), std::log(3.0) / 2, 1e-3);
  const double retrieved = *tied("AP(denominator=retrieved)@30", labels, ideal, ends);
  EXPECT_GT(retrieved, 1 / 3.0);
  EXPECT_LT(retrieved, 0.6);
}

// Sums and products must not overflow for groups of thousands.
TEST(ExpectedReciprocalRank, OfALargeTiedGroup) {
  const std::vector<float> labels(2000, 4.0F);
  const std::vector<std::uint32_t> ends = {2000};
  EXPECT_NEAR(*tied("ERR", labels, labels, ends), *value("ERR", labels, labels), 1e-12);
}

}  // namespace
}  // namespace podium::binary_measures_test
