#include "podium/split.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::split_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One document per query; best[q] is its label.
Dataset with_best(const std::vector<float>& best) {
  return testing::make_dataset(std::vector<std::size_t>(best.size(), 1), 1,
                               std::vector<float>(best.size(), 1), best);
}

Dataset graded(std::size_t queries, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> best;
  for (std::size_t q = 0; q < queries; ++q) best.push_back(static_cast<float>(random.below(4)));
  return with_best(best);
}

TEST(Shares, Parse) {
  EXPECT_THAT(parse_shares("60,20,20"), ElementsAre(60, 20, 20));
  EXPECT_THAT(parse_shares("0.5,0.5"), ElementsAre(0.5, 0.5));
  for (const char* bad : {"", "60,", "60,,20", "a", "60,-1", "60,0", "60;20", "nan,1", "1e400"})
    EXPECT_THROW(parse_shares(bad), Error) << bad;
}

RC_GTEST_PROP(SplitProperty, PartitionsInProportionWithinEveryGrade, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(20, 400);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Dataset data = graded(n, seed);
  const std::vector<double> shares = {60, 20, 20};
  const auto parts = split_queries(data, shares, seed);
  std::set<std::size_t> seen;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double share = shares[p] / 100;
    RC_ASSERT(std::is_sorted(parts[p].begin(), parts[p].end()));
    RC_ASSERT(std::abs(static_cast<double>(parts[p].size()) - share * static_cast<double>(n)) <= 2);
    for (float grade = 0; grade < 4; ++grade) {
      double all = 0, here = 0;
      for (const float label : data.labels()) all += label == grade;
      for (const std::size_t q : parts[p]) here += data.labels(q)[0] == grade;
      RC_ASSERT(std::abs(here - share * all) <= 3);
    }
    seen.insert(parts[p].begin(), parts[p].end());
  }
  RC_ASSERT(seen.size() == n);
  RC_ASSERT(parts[0].size() + parts[1].size() + parts[2].size() == n);
  RC_ASSERT(split_queries(data, shares, seed) == parts);
}

TEST(Split, IsTheSameEverywhere) {
  EXPECT_THAT(split_queries(graded(12, 7), {1, 1}, 3),
              ElementsAre(ElementsAre(4, 5, 7, 8, 10, 11), ElementsAre(0, 1, 2, 3, 6, 9)));
}

TEST(Split, DependsOnTheSeedEvenWithRealLabels) {
  std::vector<float> best;
  for (int q = 0; q < 200; ++q) best.push_back(static_cast<float>(q) * 0.37F);
  const Dataset data = with_best(best);
  EXPECT_NE(split_queries(data, {1, 1}, 1), split_queries(data, {1, 1}, 2));
}

TEST(Split, RejectsEmptyParts) {
  try {
    split_queries(graded(3, 1), {98, 1, 1}, 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("would be empty"));
  }
  EXPECT_THROW(split_queries(graded(3, 1), {1, 0}, 1), Error);
}

TEST(Folds, EveryPartIsTestAndValidOnceAsInLetor) {
  const Dataset data = graded(53, 5);
  const auto folds = make_folds(data, 5, 1);
  ASSERT_EQ(folds.size(), 5U);
  std::multiset<std::size_t> tested, validated;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const Fold& fold = folds[f];
    std::set<std::size_t> all(fold.train.begin(), fold.train.end());
    all.insert(fold.valid.begin(), fold.valid.end());
    all.insert(fold.test.begin(), fold.test.end());
    EXPECT_EQ(all.size(), 53U);
    EXPECT_EQ(fold.train.size() + fold.valid.size() + fold.test.size(), 53U);
    EXPECT_EQ(folds[(f + 1) % 5].valid, fold.test);
    tested.insert(fold.test.begin(), fold.test.end());
    validated.insert(fold.valid.begin(), fold.valid.end());
  }
  EXPECT_EQ(tested.size(), 53U);
  EXPECT_EQ(std::set<std::size_t>(tested.begin(), tested.end()).size(), 53U);
  EXPECT_EQ(validated, tested);
  EXPECT_THROW(make_folds(data, 2, 1), Error);
  EXPECT_THROW(make_folds(graded(4, 1), 5, 1), Error);
}

}  // namespace
}  // namespace podium::split_test
