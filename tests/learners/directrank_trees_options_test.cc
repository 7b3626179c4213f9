// How the options of DirectRank with trees resolve for few and for many queries.
#include "learners/direct_search/directrank_trees_options.h"

#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::directrank_trees_options_test {
namespace {

using WeighOn = TreePlan::WeighOn;

const std::size_t kMany = kQueriesPerLeaf * static_cast<std::size_t>(DirectTreesOptions{}.leaves);

TreePlan plan(std::size_t queries, const Assignments& given = {}) {
  const auto& table = directrank_trees_table();
  return plan_trees(table.read(Settings(table.fields(), given)), queries);
}

void expect(const TreePlan& plan, double rate, double fraction, WeighOn weigh_on) {
  EXPECT_EQ(plan.boosting.learning_rate, rate);
  EXPECT_EQ(plan.boosting.query_fraction, fraction);
  EXPECT_EQ(plan.weigh_on, weigh_on);
}

TEST(DirectRankTreesOptions, FewQueriesAreHalvedAndManyAreNot) {
  for (const std::size_t few : {std::size_t{0}, std::size_t{1}, kMany - 1})
    expect(plan(few), 0.3, 0.5, WeighOn::held_out);
  for (const std::size_t many : {kMany, 10 * kMany}) expect(plan(many), 1, 1, WeighOn::all);
}

TEST(DirectRankTreesOptions, MoreLeavesNeedMoreQueries) {
  for (const std::size_t leaves : {2, 10, 50}) {
    const Assignments given = {{"leaves", std::to_string(leaves)}};
    expect(plan(kQueriesPerLeaf * leaves - 1, given), 0.3, 0.5, WeighOn::held_out);
    expect(plan(kQueriesPerLeaf * leaves, given), 1, 1, WeighOn::all);
  }
}

TEST(DirectRankTreesOptions, NotesWhatAutoResolvedTo) {
  EXPECT_EQ(plan(1).settled, " ‹learning-rate 0.3› ‹query-fraction 0.5› ‹weigh-on held-out›");
  EXPECT_EQ(plan(kMany).settled, " ‹learning-rate 1› ‹query-fraction 1› ‹weigh-on all›");
  EXPECT_EQ(plan(1, {{"learning-rate", "0.2"}, {"weigh-on", "all"}}).settled,
            " ‹query-fraction 0.5›");
}

TEST(DirectRankTreesOptions, GivenOptionsAreKept) {
  const Assignments given = {
      {"learning-rate", "0.7"}, {"query-fraction", "0.25"}, {"weigh-on", "all"}};
  for (const std::size_t queries : {std::size_t{10}, kMany}) {
    expect(plan(queries, given), 0.7, 0.25, WeighOn::all);
    EXPECT_EQ(plan(queries, given).settled, "");
    // A fraction of the queries leaves others for weighting.
    expect(plan(queries, {{"learning-rate", "1"}, {"query-fraction", "0.8"}}), 1, 0.8,
           WeighOn::held_out);
    EXPECT_EQ(plan(queries, {{"query-fraction", "1"}}).weigh_on, WeighOn::all);
    EXPECT_EQ(plan(queries, {{"query-fraction", "1"}, {"weigh-on", "held-out"}}).weigh_on,
              WeighOn::all);
  }
  expect(plan(kMany, {{"weigh-on", "held-out"}}), 1, 0.5, WeighOn::held_out);
}

TEST(DirectRankTreesOptions, LeverageAloneGrowsTreesAsMartDoes) {
  for (const std::size_t queries : {std::size_t{10}, kMany}) {
    const TreePlan levered = plan(queries, {{"strategy", "leverage"}});
    EXPECT_EQ(levered.boosting.learning_rate, BoostingOptions{}.learning_rate);
    EXPECT_EQ(levered.boosting.query_fraction, BoostingOptions{}.query_fraction);
  }
}

TEST(DirectRankTreesOptions, RefusesInvalidOptions) {
  for (const Assignments& given :
       {Assignments{{"learning-rate", "0"}}, Assignments{{"learning-rate", "-1"}},
        Assignments{{"learning-rate", "fast"}}, Assignments{{"learning-rate", ""}},
        Assignments{{"learning-rate", "nan"}}, Assignments{{"query-fraction", "0"}},
        Assignments{{"query-fraction", "1.5"}}, Assignments{{"min-weight", "0.5"}},
        Assignments{{"weigh", "leaves"}, {"monotone", "1:+1"}}})
    EXPECT_THROW(plan(10, given), Error) << given[0].first << ' ' << given[0].second;
}

}  // namespace
}  // namespace podium::directrank_trees_options_test
