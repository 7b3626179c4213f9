// Every oracle against exhaustion, on cases with many ties.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/spec.h"
#include "oracles/brute_force.h"

namespace podium::oracles_test {
namespace {

using namespace testing;

std::unique_ptr<const RankingOracle> make(std::string_view text) {
  const Spec spec = parse_spec(text, "oracle");
  return oracles().make(spec.name, spec.given);
}

// Δ(ŷ) − <c, s> of the oracle's answer.
double attained(const RankingOracle& oracle, const OracleCase& data, std::vector<double>& c) {
  c.assign(data.size(), 99.0);
  double value = oracle.most_violated(data.query(), data.scores, c);
  for (std::size_t i = 0; i < c.size(); ++i) value -= c[i] * data.scores[i];
  return value;
}

enum class Over { interleavings, permutations };

double exhaustive(const OracleCase& data, const Delta& delta, const Violation& violation,
                  Over over) {
  double best = -HUGE_VAL;
  const auto visit = [&](const Order& y) {
    best = std::max(best, delta(data, y) + violation(data, y));
  };
  if (over == Over::permutations)
    for_each_permutation(data.size(), visit);
  else
    for_each_interleaving(data, visit);
  return best;
}

struct Row {
  std::string name;
  Delta delta;
  Violation violation;
  bool keeps_score_order = true;  // of goods: then interleavings suffice
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

std::vector<Row> rows() {
  std::vector<Row> all = {{"auc", auc_delta, partial_order_violation},
                          {"average-precision", ap_delta, partial_order_violation}};
  for (const bool letor : {false, true}) {
    const std::string discount = letor ? "letor" : "log2";
    const auto ndcg = [letor](std::size_t k) {
      return [=](const OracleCase& data, const Order& y) { return ndcg_delta(data, y, k, letor); };
    };
    all.push_back({"ndcg-nc(discount=" + discount + ")", ndcg(1000), partial_order_violation});
    for (const std::size_t k : {1, 2, 3, 5, 10})
      all.push_back(
          {fmt::format("ndcg(discount={})@{}", discount, k), ndcg(k), partial_order_violation});
  }
  for (const std::size_t k : {0, 1, 2, 3, 10}) {
    const auto delta = [k](const OracleCase& data, const Order& y) {
      return rr_delta(data, y, k ? k : 1000);
    };
    all.push_back({fmt::format("reciprocal-rank(map=po)@{}", k), delta, partial_order_violation});
    all.push_back({fmt::format("reciprocal-rank@{}", k), delta, topmost_violation, false});
  }
  return all;
}

class OracleTest : public ::testing::TestWithParam<Row> {};

TEST_P(OracleTest, EqualsTheExhaustiveMaximum) {
  const Row& row = GetParam();
  const auto oracle = make(row.name);
  Random random(1);
  std::vector<double> c;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const bool short_list = !row.keeps_score_order || repeat % 10 == 0;
    const auto data = random_case(random, 1 + random.below(short_list ? 3 : 5),
                                  1 + random.below(short_list ? 3 : 6));
    const auto over = short_list ? Over::permutations : Over::interleavings;
    ASSERT_NEAR(attained(*oracle, data, c), exhaustive(data, row.delta, row.violation, over), 1e-9)
        << "case " << repeat;
  }
}

// The ranking by score maximises −<c(y), s>; for φ_mrr among rankings with the same topmost good.
TEST_P(OracleTest, CoefficientsByScoreAreThoseOfTheRankingByScore) {
  const Row& row = GetParam();
  const auto oracle = make(row.name);
  Random random(5);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const auto data = random_case(random, 1 + random.below(3), 1 + random.below(4));
    std::vector<double> c(data.size(), 99.0);
    oracle->by_score(data.query(), data.scores, c);
    double attained = 0;
    for (std::size_t i = 0; i < c.size(); ++i) attained -= c[i] * data.scores[i];
    double best = -HUGE_VAL, best_good = -HUGE_VAL;
    for (const std::uint32_t g : data.good) best_good = std::max(best_good, data.scores[g]);
    for_each_permutation(data.size(), [&](const Order& y) {
      const auto topmost =
          *std::find_if(y.begin(), y.end(), [&](std::uint32_t i) { return data.labels[i] > 0; });
      if (oracle->goods() == RankingOracle::Goods::all || data.scores[topmost] == best_good)
        best = std::max(best, row.violation(data, y));
    });
    ASSERT_NEAR(attained, best, 1e-9) << "case " << repeat;
  }
}

TEST_P(OracleTest, TiedDocumentsOfAKindAreTreatedEqually) {
  const auto oracle = make(GetParam().name);
  Random random(2);
  std::vector<double> c;
  for (int repeat = 0; repeat < 300; ++repeat) {
    OracleCase data = random_case(random, 1 + random.below(4), 1 + random.below(6));
    // All tied: the mean of the maximisers' coefficients is the same for documents of one kind.
    std::fill(data.scores.begin(), data.scores.end(), 0.25);
    attained(*oracle, data, c);
    for (const auto& kind : {data.good, data.bad})
      for (const std::uint32_t i : kind) ASSERT_NEAR(c[i], c[kind[0]], 1e-12);
  }
}

TEST_P(OracleTest, NameParsesBack) {
  const auto oracle = make(GetParam().name);
  EXPECT_EQ(make(oracle->name())->name(), oracle->name());
}

INSTANTIATE_TEST_SUITE_P(Rows, OracleTest, ::testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& ch : name)
    if (!std::isalnum(static_cast<unsigned char>(ch))) ch = '_';
  return name;
});

// DORM uses grades: permutations only.
TEST(DormOracle, EqualsTheExhaustiveMaximum) {
  Random random(3);
  std::vector<double> c;
  for (const char* decay : {"sqrt", "log2", "reciprocal", "linear"})
    for (const std::size_t cut : {0, 2, 30})
      for (const std::size_t k : {0, 1, 3, 10})
        for (const bool letor : {false, true}) {
          const auto oracle = make(fmt::format("dorm(decay={},cut={},discount={})@{}", decay, cut,
                                               letor ? "letor" : "log2", k));
          EXPECT_EQ(make(oracle->name())->name(), oracle->name());
          for (int repeat = 0; repeat < 60; ++repeat) {
            const auto data =
                random_case(random, 1 + random.below(3), 1 + random.below(3), 2 + repeat % 3);
            const std::size_t n = data.size();
            const auto profile = [&](std::size_t r) -> double {
              const std::size_t end = cut ? cut : n;
              if (r >= end) return 0;
              if (decay[0] == 's') return 1 / std::sqrt(1.0 + static_cast<double>(r));
              if (decay[0] == 'r') return 1 / (1.0 + static_cast<double>(r));
              if (decay[1] == 'o') return 1 / std::log2(2.0 + static_cast<double>(r));
              return 1 - static_cast<double>(r) / static_cast<double>(end);
            };
            // The mean of A over the ranks that i's grade has in the ideal order.
            std::vector<float> sorted = data.labels;
            std::sort(sorted.begin(), sorted.end(), std::greater<>());
            double ideal = 0;
            for (std::size_t i = 0; i < n; ++i) {
              double sum = 0, count = 0;
              for (std::size_t r = 0; r < n; ++r)
                if (sorted[r] == data.labels[i]) {
                  sum += profile(r);
                  ++count;
                }
              ideal += data.scores[i] * sum / count;
            }
            const auto violation = [&](const OracleCase& d, const Order& y) {
              double sum = -ideal;
              for (std::size_t r = 0; r < n; ++r) sum += profile(r) * d.scores[y[r]];
              return sum;
            };
            const auto delta = [&](const OracleCase& d, const Order& y) {
              return ndcg_delta(d, y, k ? k : 1000, letor);
            };
            ASSERT_NEAR(attained(*oracle, data, c),
                        exhaustive(data, delta, violation, Over::permutations), 1e-9)
                << oracle->name();
          }
        }
}

// [Chakrabarti08] Fact 3.4: the best column for row g − 1 alone, then the best one at or after it
// for row g.
double greedy_ndcg(const OracleCase& data, std::size_t k) {
  const auto sorted = [&](std::vector<std::uint32_t> list) {
    std::stable_sort(list.begin(), list.end(),
                     [&](auto a, auto b) { return data.scores[a] > data.scores[b]; });
    return list;
  };
  const auto good = sorted(data.good), bad = sorted(data.bad);
  Order order;
  std::vector<std::size_t> columns;
  double ideal = 0, total = 0;
  for (std::size_t r = 0; r < std::min(k, good.size()); ++r) ideal += discount_at(false, r);
  std::size_t from = 0;
  for (std::size_t g = 0; g < good.size(); ++g) {
    double best = -HUGE_VAL, sum = 0;
    std::size_t at = from;
    for (std::size_t b = 0; b <= bad.size(); ++b) {
      if (b > 0) sum += data.scores[bad[b - 1]];
      if (b < from) continue;
      const double gain = 2 * (sum - static_cast<double>(b) * data.scores[good[g]]) /
                          (static_cast<double>(good.size()) * static_cast<double>(bad.size()));
      const double value = gain - (g + b < k ? discount_at(false, g + b) / ideal : 0.0);
      if (value > best) {
        best = value;
        at = b;
      }
    }
    total += best;
    from = at;
  }
  return 1 + total;
}

TEST(NdcgOracle, IsRightWhereThePapersGreedyIsWrong) {
  Random random(4);
  const auto oracle = make("ndcg@3");
  const auto delta = [](const OracleCase& d, const Order& y) { return ndcg_delta(d, y, 3, false); };
  int wrong = 0;
  double worst = 0;
  std::vector<double> c;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const auto data = random_case(random, 1 + random.below(5), 1 + random.below(6));
    const double best = exhaustive(data, delta, partial_order_violation, Over::interleavings);
    ASSERT_NEAR(attained(*oracle, data, c), best, 1e-9);
    const double greedy = greedy_ndcg(data, 3);
    ASSERT_LE(greedy, best + 1e-9);
    wrong += greedy < best - 1e-9;
    worst = std::max(worst, best - greedy);
  }
  EXPECT_GT(wrong, 10);
  EXPECT_GT(worst, 0.05);
  RecordProperty("greedy_wrong", wrong);
}

}  // namespace
}  // namespace podium::oracles_test
