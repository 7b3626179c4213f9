// The contract of every row of the catalogue of measures, with several parameter settings.
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/evaluator.h"
#include "support/measure_cases.h"
#include "support/toy_data.h"

namespace podium::measures_test {
namespace {

using testing::Judging;
using testing::RankingCase;

void expect_same(std::optional<double> actual, std::optional<double> wanted, const Measure& measure,
                 const RankingCase& made) {
  ASSERT_EQ(actual.has_value(), wanted.has_value()) << measure.name();
  if (!wanted) return;
  ASSERT_NEAR(*actual, *wanted, 1e-11 * std::max(1.0, std::abs(*wanted)))
      << measure.name() << " on " << ::testing::PrintToString(made.by_rank) << " ends "
      << ::testing::PrintToString(made.ends) << " ideal " << ::testing::PrintToString(made.ideal);
}

std::vector<RankingCase> cases(std::uint64_t seed, int count, std::size_t max_documents,
                               Judging judging) {
  Random random(seed);
  std::vector<RankingCase> made;
  for (int i = 0; i < count; ++i)
    made.push_back(testing::random_ranking(random, max_documents, judging));
  return made;
}

// The mean of value() over all orders, or nullopt if it is undefined for all of them.
std::optional<double> mean_over_orders(const Measure& measure, const RankingCase& made) {
  double sum = 0;
  std::size_t orders = 0, defined = 0;
  testing::for_each_order(made.by_rank, made.ends, [&](const std::vector<float>& order) {
    const auto value = measure.value({order, made.ideal});
    ++orders;
    defined += value.has_value();
    sum += value.value_or(0);
  });
  EXPECT_TRUE(defined == 0 || defined == orders) << measure.name();
  return defined ? std::optional(sum / static_cast<double>(orders)) : std::nullopt;
}

TEST(MeasureContract, ExpectedIsTheMeanOverAllOrdersOfTiedGroups) {
  const auto variants = testing::measure_variants();
  ASSERT_GE(variants.size(), 120U);
  for (const Judging judging : {Judging::complete, Judging::partial})
    for (const RankingCase& made : cases(11, 150, 7, judging))
      for (const MeasurePtr& measure : variants)
        ASSERT_NO_FATAL_FAILURE(expect_same(measure->expected(made.ties()),
                                            mean_over_orders(*measure, made), *measure, made));
}

TEST(MeasureContract, WithoutTiesExpectedAndTiedAreTheValue) {
  for (RankingCase made : cases(12, 60, 9, Judging::partial)) {
    made.ends.resize(made.by_rank.size());
    std::iota(made.ends.begin(), made.ends.end(), 1U);
    for (const MeasurePtr& measure : testing::measure_variants()) {
      const auto value = measure->value(made.ranking());
      ASSERT_NO_FATAL_FAILURE(expect_same(measure->expected(made.ties()), value, *measure, made));
      ASSERT_NO_FATAL_FAILURE(expect_same(measure->tied(made.ties()), value, *measure, made));
    }
  }
}

TEST(MeasureContract, SwapDeltaIsReEvaluation) {
  for (const Judging judging : {Judging::complete, Judging::partial})
    for (const RankingCase& made : cases(13, 80, 8, judging))
      for (const MeasurePtr& measure : testing::measure_variants())
        for (std::size_t i = 0; i < made.by_rank.size(); ++i)
          for (std::size_t j = 0; j < made.by_rank.size(); ++j) {
            std::vector<float> swapped = made.by_rank;
            std::swap(swapped[i], swapped[j]);
            const auto before = measure->value(made.ranking());
            const auto after = measure->value({swapped, made.ideal});
            ASSERT_NEAR(measure->swap_delta(made.ranking(), i, j), before ? *after - *before : 0,
                        1e-12)
                << measure->name() << " " << i << " " << j << " on "
                << ::testing::PrintToString(made.by_rank);
          }
}

TEST(MeasureContract, NoOrderBeatsTheIdealOne) {
  for (RankingCase made : cases(14, 60, 6, Judging::complete)) {
    made.ends = {static_cast<std::uint32_t>(made.by_rank.size())};
    for (const MeasurePtr& measure : testing::measure_variants()) {
      const auto best = measure->value({made.ideal, made.ideal});
      testing::for_each_order(made.by_rank, made.ends, [&](const std::vector<float>& order) {
        const auto value = measure->value({order, made.ideal});
        ASSERT_EQ(value.has_value(), best.has_value()) << measure->name();
        ASSERT_LE(value.value_or(0), best.value_or(0) + 1e-12) << measure->name();
      });
    }
  }
}

TEST(MeasureContract, RanksFromDepthOnDoNotMatter) {
  Random random(15);
  for (const RankingCase& made : cases(15, 60, 9, Judging::partial))
    for (const MeasurePtr& measure : testing::measure_variants()) {
      if (measure->depth() >= made.by_rank.size()) continue;
      std::vector<float> shuffled = made.by_rank;
      random.shuffle(std::span(shuffled).subspan(measure->depth()));
      ASSERT_EQ(measure->value(made.ranking()), measure->value({shuffled, made.ideal}))
          << measure->name();
    }
}

TEST(MeasureContract, NamesParseBackUnderEveryConvention) {
  std::set<std::string> names;
  for (const MeasurePtr& measure : testing::measure_variants()) {
    const std::string name = measure->name();
    names.insert(name);
    ASSERT_EQ(parse_measure(name, Convention{})->name(), name);
    for (const Convention& convention : conventions())
      ASSERT_EQ(parse_measure(measure_label(*measure, convention), convention)->name(), name)
          << convention.name;
  }
  EXPECT_GE(names.size(), 110U);
}

TEST(MeasureContract, EveryRowDescribesItself) {
  std::set<std::string_view> names;
  for (const Entry<Measure>* entry : measures().entries()) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    EXPECT_FALSE(entry->summary.empty()) << entry->name;
    for (const Field& field : entry->options()) EXPECT_FALSE(field.help.empty()) << field.name;
    EXPECT_TRUE(measures().make(entry->name)->name().starts_with(entry->name));
  }
}

// The order of documents in the file does not matter, unless it breaks ties.
TEST(MeasureContract, InputOrderDoesNotMatter) {
  testing::Bench bench(1);
  Random random(16);
  for (const RankingCase& made : cases(17, 30, 9, Judging::partial)) {
    const std::size_t n = made.by_rank.size();
    std::vector<double> scores(n);
    std::vector<std::string> ids(n);
    for (std::size_t i = 0; i < n; ++i) {
      scores[i] = static_cast<double>(random.below(4)) - 2;
      ids[i] = std::to_string(i);
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(std::span(order));
    const auto run = [&](Ties ties, const std::vector<std::size_t>& positions) {
      std::vector<float> labels;
      std::vector<double> moved;
      std::vector<std::string> moved_ids;
      for (const std::size_t i : positions) {
        labels.push_back(made.by_rank[i]);
        moved.push_back(scores[i]);
        moved_ids.push_back(ids[i]);
      }
      const auto docid = [&](std::size_t d) { return std::string_view(moved_ids[d]); };
      const std::vector<std::uint64_t> begin = {0, n};
      const Convention convention{.ties = ties};
      return Evaluator(testing::measure_variants(), convention)
          .evaluate({.query_begin = begin, .labels = labels, .scores = moved, .docid = docid},
                    bench.context)
          .values;
    };
    std::vector<std::size_t> straight(n);
    std::iota(straight.begin(), straight.end(), 0U);
    EXPECT_THAT(run(Ties::expected, order),
                ::testing::Pointwise(::testing::DoubleNear(1e-12), run(Ties::expected, straight)));
    EXPECT_EQ(run(Ties::docid, order), run(Ties::docid, straight));
  }
}

}  // namespace
}  // namespace podium::measures_test
