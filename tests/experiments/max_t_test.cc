#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "statistics_support.h"

namespace podium::max_t_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Step-down max-T by its definition, over all sign patterns.
std::vector<double> brute_force(const std::vector<std::vector<double>>& differences) {
  const std::size_t m = differences.size(), n = differences[0].size();
  const auto statistics = [&](std::size_t signs) {
    std::vector<double> t;
    for (const auto& d : differences) {
      double sum = 0, squares = 0;
      for (std::size_t q = 0; q < n; ++q) {
        sum += signs >> q & 1 ? -d[q] : d[q];
        squares += d[q] * d[q];
      }
      const double mean = sum / static_cast<double>(n);
      const double variance =
          (squares - sum * mean) / static_cast<double>(n - 1) / static_cast<double>(n);
      t.push_back(std::abs(mean) / std::sqrt(variance));
    }
    return t;
  };
  const auto observed = statistics(0);
  std::vector<double> adjusted(m);
  for (std::size_t i = 0; i < m; ++i) {
    // Every hypothesis at least as extreme as i is a lower bound for it.
    for (std::size_t bound = 0; bound < m; ++bound) {
      if (observed[bound] < observed[i]) continue;
      std::size_t count = 0;
      for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
        const auto t = statistics(signs);
        double largest = 0;
        for (std::size_t k = 0; k < m; ++k)
          if (observed[k] <= observed[bound]) largest = std::max(largest, t[k]);
        count += largest >= observed[bound] - 1e-9;
      }
      adjusted[i] =
          std::max(adjusted[i], static_cast<double>(count) / std::exp2(static_cast<double>(n)));
    }
  }
  return adjusted;
}

std::vector<double> subtract(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d(a.size());
  for (std::size_t q = 0; q < a.size(); ++q) d[q] = a[q] - b[q];
  return d;
}

TEST(MaxT, IsExactForFewQueries) {
  TestContext test;
  Random random(4);
  auto values = correlated_systems(4, 8, random);
  for (double& v : values[2]) v += 1.5;
  std::vector<std::vector<double>> pairs, against;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i != 1) against.push_back(subtract(values[i], values[1]));
    for (std::size_t j = i + 1; j < 4; ++j) pairs.push_back(subtract(values[i], values[j]));
  }
  const Family all = max_t_all_pairs(values, 256, test.context);
  const Family one = max_t_against(values, 1, 256, test.context);
  EXPECT_EQ(all.computation, Computation::exact);
  const auto expected_all = brute_force(pairs), expected_one = brute_force(against);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(*all.members[i].adjusted, expected_all[i]);
  for (std::size_t i = 0; i < against.size(); ++i) {
    EXPECT_EQ(*one.members[i].adjusted, expected_one[i]);
    EXPECT_EQ(*one.members[i].p, *randomisation(differences_of(against[i]), 256, test.context).p);
    EXPECT_EQ(one.members[i].second, 1U);
  }
}

TEST(MaxT, OnePairIsThePlainTest) {
  TestContext test;
  Random random(5);
  const auto values = correlated_systems(2, 100, random);
  const auto d = paired_differences(values[0], values[1]);
  const Family family = max_t_all_pairs(values, 999, test.context);
  EXPECT_EQ(family.computation, Computation::sampled);
  EXPECT_EQ(family.members[0].p, family.members[0].adjusted);
  EXPECT_EQ(*family.members[0].p, *randomisation(d, 999, test.context).p);
}

struct Errors {
  double adjusted = 0, unadjusted = 0;
};

// Six systems, of which the last `different` are truly better; the fraction of simulations with a
// false positive among the others.
Errors family_wise_errors(std::size_t different, std::size_t simulations) {
  Random random(6);
  Errors errors;
  for (std::size_t i = 0; i < simulations; ++i) {
    TestContext test(i);
    auto values = correlated_systems(6, 40, random);
    for (std::size_t s = 6 - different; s < 6; ++s)
      for (double& v : values[s]) v += static_cast<double>(s);
    bool adjusted = false, unadjusted = false;
    for (const FamilyMember& pair : max_t_all_pairs(values, 499, test.context).members) {
      if (pair.second >= 6 - different) continue;
      adjusted |= *pair.adjusted <= 0.05;
      unadjusted |= *pair.p <= 0.05;
    }
    errors.adjusted += adjusted;
    errors.unadjusted += unadjusted;
  }
  errors.adjusted /= static_cast<double>(simulations);
  errors.unadjusted /= static_cast<double>(simulations);
  return errors;
}

TEST(MaxT, ControlsTheFamilyWiseError) {
  // 1,000 simulations: 0.05 and three standard errors.
  const double bound = 0.05 + 3 * std::sqrt(0.05 * 0.95 / 1000);
  const Errors none = family_wise_errors(0, 1000);
  EXPECT_LT(none.adjusted, bound);
  EXPECT_GT(none.adjusted, 0.03);  // without losing power
  EXPECT_GT(none.unadjusted, 3 * bound);
  // With true differences the step-down procedure must still control errors, without being too
  // cautious.
  const Errors some = family_wise_errors(3, 1000);
  EXPECT_LT(some.adjusted, bound);
  EXPECT_GT(some.adjusted, 0.03);
}

TEST(MaxT, SkippedQueriesOfSomeSystemsOnly) {
  TestContext test;
  Random random(7);
  auto values = correlated_systems(4, 60, random);
  for (auto& system : values) system[5] = kNan;
  const Family shared = max_t_all_pairs(values, 999, test.context);
  EXPECT_EQ(shared.members[0].dropped, 1U);
  EXPECT_EQ(shared.members[0].queries, 59U);
  // The same, but a fifth system that skips more queries forces one column per pair.
  values.push_back(values[0]);
  values[4][7] = kNan;
  const Family mixed = max_t_all_pairs(values, 999, test.context);
  for (const FamilyMember& pair : mixed.members) {
    const auto d = paired_differences(values[pair.first], values[pair.second]);
    EXPECT_EQ(pair.queries, d.values.size());
    EXPECT_EQ(pair.dropped, pair.second == 4 ? 2U : 1U);
    for (const FamilyMember& same : shared.members)
      if (same.first == pair.first && same.second == pair.second) {
        EXPECT_EQ(*same.p, *pair.p);
      }
  }
}

TEST(MaxT, DegenerateSystems) {
  TestContext test;
  EXPECT_TRUE(max_t_all_pairs({}, 100, test.context).members.empty());
  const std::vector<std::vector<double>> one = {{1, 2, 3}};
  EXPECT_TRUE(max_t_all_pairs(one, 100, test.context).members.empty());
  EXPECT_THROW(max_t_against(one, 1, 100, test.context), Error);
  EXPECT_THROW(max_t_against(one, 0, 0, test.context), Error);
  const std::vector<std::vector<double>> ragged = {{1, 2}, {1}};
  EXPECT_THROW(max_t_all_pairs(ragged, 100, test.context), Error);
  const std::vector<std::vector<double>> same = {{1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(*max_t_all_pairs(same, 100, test.context).members[0].adjusted, 1);
  const std::vector<std::vector<double>> few = {{1}, {2}};
  const Family none = max_t_all_pairs(few, 100, test.context);
  EXPECT_FALSE(none.members[0].p || none.members[0].adjusted);
  EXPECT_EQ(none.members[0].reason, "too few queries: 1, and at least 2 are needed");
}

TEST(MaxT, AnInfiniteSystemAffectsOnlyItsOwnPairs) {
  TestContext test;
  std::vector<std::vector<double>> values = {{1, 2, 3, 4}, {2, 4, 4, 6}, {0, 1, 1, 2}};
  const Family sound = max_t_all_pairs({values.data() + 1, 2}, 100, test.context);
  values[0][2] = std::numeric_limits<double>::infinity();
  const Family family = max_t_all_pairs(values, 100, test.context);
  EXPECT_FALSE(family.members[0].p);
  EXPECT_EQ(family.members[1].reason, "1 of the differences are infinite or beyond 1e100");
  EXPECT_EQ(family.members[2].adjusted, sound.members[0].adjusted);
}

TEST(Standings, MarkWhatIsNotWorseThanTheBest) {
  TestContext test;
  Random random(9);
  auto values = correlated_systems(4, 200, random);
  for (double& v : values[1]) v += 1;
  for (std::size_t q = 0; q < 200; ++q) values[2][q] = values[1][q] + (q % 2 ? 0.3 : -0.301);
  std::fill(values[3].begin(), values[3].end(), kNan);
  const Family pairs = max_t_all_pairs(values, 999, test.context);
  EXPECT_EQ(standings(values, pairs),
            (std::vector<Standing>{Standing::worse, Standing::best, Standing::not_worse,
                                   Standing::unknown}));
  values[2] = values[1];
  EXPECT_EQ(standings(values, max_t_all_pairs(values, 999, test.context))[2], Standing::best);
  EXPECT_TRUE(standings({}, {}).empty());
  values[0][0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(standings(values, max_t_all_pairs(values, 999, test.context))[0], Standing::unknown);
}

}  // namespace
}  // namespace podium::max_t_test
