#include "line_search/slab_walk.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "core/random.h"
#include "line_search/kinetic_walk.h"

namespace podium::slab_walk_test {
namespace {

struct Query {
  std::vector<double> slopes, intercepts, gains, rank_weights;
  std::vector<float> labels;
  std::vector<std::uint32_t> tie_order;
  GridRange range{-kNever, kNever};
  Ties ties = Ties::expected;

  LineSpans lines() const { return {slopes, intercepts}; }
  LineQuery view(const Measure& measure) const {
    return {.measure = measure,
            .form = MeasureForm::Kind::additive,
            .ties = ties,
            .labels = labels,
            .ideal = labels,
            .gains = gains,
            .rank_weights = rank_weights,
            .tie_order = tie_order,
            .units = 0x1p40};
  }
};

enum class Numbers { real, few_slopes, whole, twins, outliers };

double draw(Random& random, Numbers numbers, std::uint64_t values) {
  switch (numbers) {
    case Numbers::whole:
    case Numbers::twins:
      return static_cast<double>(random.below(values)) - 2;
    case Numbers::outliers:
      if (random.below(20) == 0) return random.below(2) ? 1e30 : -1e-30;
      break;
    case Numbers::real:
    case Numbers::few_slopes:
      break;
  }
  return random.uniform() - 0.5;
}

Query random_query(Random& random, Numbers numbers, std::size_t documents, std::size_t ranks) {
  Query query;
  constexpr double kGains[] = {0, 0, 0, 0.2, 0.2, 0.5, 1, -0.1};
  for (std::size_t i = 0; i < documents; ++i) {
    const bool repeated = numbers == Numbers::twins && i > 0 && random.below(3) == 0;
    const std::size_t of = repeated ? random.below(i) : 0;
    const Numbers slope = numbers == Numbers::few_slopes ? Numbers::whole : numbers;
    query.slopes.push_back(repeated ? query.slopes[of] : draw(random, slope, 5));
    query.intercepts.push_back(repeated ? query.intercepts[of] : draw(random, numbers, 40));
    query.gains.push_back(kGains[random.below(8)]);
    query.labels.push_back(static_cast<float>(query.gains.back()));
  }
  for (std::size_t r = 0; r < std::min(ranks, documents); ++r)
    query.rank_weights.push_back(1 / std::log2(static_cast<double>(r) + 2));
  if (random.below(3) == 0) {
    query.range.low = to_grid(random.uniform() - 1);
    query.range.high = to_grid(random.uniform() + 0.125);
  }
  if (random.below(3) == 0) {
    query.ties = Ties::docid;
    for (std::size_t i = 0; i < documents; ++i)
      query.tie_order.push_back(static_cast<std::uint32_t>(documents - 1 - i));
  }
  return query;
}

std::map<double, std::int64_t> changes(const std::vector<Jump>& jumps) {
  std::map<double, std::int64_t> sums;
  for (const Jump& jump : jumps) sums[jump.alpha] += jump.change;
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

// How many of the queries were walked in slabs; all must equal the walk swap by swap.
int compare(Numbers numbers, std::size_t most_documents, int queries) {
  Random random(static_cast<std::uint64_t>(numbers) + most_documents);
  SlabWalk slabs;
  KineticWalk kinetic;
  int walked = 0;
  for (int i = 0; i < queries; ++i) {
    const std::size_t ranks = 1 + random.below(kDeepestSlabTop);
    const Query query = random_query(random, numbers, 2 + random.below(most_documents), ranks);
    const MeasurePtr measure = parse_measure("nDCG@" + std::to_string(ranks), {});
    std::vector<Jump> found, wanted;
    const auto start = slabs.walk(query.view(*measure), query.lines(), query.range, found);
    if (!start) continue;
    ++walked;
    EXPECT_EQ(*start, kinetic.walk(query.view(*measure), query.lines(), query.range, wanted));
    EXPECT_EQ(changes(found), changes(wanted)) << "query " << i;
    if (::testing::Test::HasFailure()) break;
  }
  return walked;
}

TEST(SlabWalk, FindsTheJumpsOfTheKineticWalk) {
  std::vector<std::int64_t> targets = {0};
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) targets.push_back(rest & -rest);
  for (const std::int64_t target : targets) {  // 0: the best one
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(target == 0 ? "best target" : hwy::TargetName(target));
    EXPECT_EQ(compare(Numbers::real, 40, 600), 600);
    EXPECT_EQ(compare(Numbers::real, 400, 200), 200);
    EXPECT_GT(compare(Numbers::few_slopes, 200, 300), 200);
    EXPECT_GT(compare(Numbers::whole, 25, 600), 400);
    EXPECT_GT(compare(Numbers::whole, 300, 200), 0);
    EXPECT_GT(compare(Numbers::twins, 60, 400), 200);
    EXPECT_GT(compare(Numbers::outliers, 60, 400), 100);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(SlabWalk, DeclinesBundlesAndDeepCutoffs) {
  Random random(7);
  SlabWalk slabs;
  std::vector<Jump> jumps;
  const MeasurePtr measure = parse_measure("nDCG@10", {});
  Query star = random_query(random, Numbers::real, 200, 10);
  star.range = {-kNever, kNever};
  star.intercepts.assign(200, 0.25);
  EXPECT_FALSE(slabs.walk(star.view(*measure), star.lines(), star.range, jumps));
  const Query deep = random_query(random, Numbers::real, 200, kDeepestSlabTop + 1);
  EXPECT_FALSE(slabs.walk(deep.view(*measure), deep.lines(), deep.range, jumps));
  EXPECT_TRUE(jumps.empty());
}

}  // namespace
}  // namespace podium::slab_walk_test
