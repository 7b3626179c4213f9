#include "experiments/comparison/systems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/comparison/training_run.h"
#include "podium/error.h"

namespace podium::systems_test {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& list) {
  try {
    parse_systems(list);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(Systems, AreReadFromAList) {
  const auto systems = parse_systems("lambdamart(leaves=10, l2=1),svm-map,feature#2,feature:25");
  ASSERT_EQ(systems.size(), 4U);
  EXPECT_EQ(systems[0].name, "lambdamart(leaves=10, l2=1)");
  EXPECT_EQ(systems[0].learner, "lambdamart");
  EXPECT_EQ(systems[0].given, (Assignments{{"leaves", "10"}, {"l2", "1"}}));
  EXPECT_EQ(systems[1].learner, "svm-map");
  EXPECT_EQ(systems[2].given, (Assignments{{"place", "2"}}));
  EXPECT_EQ(systems[3].learner, "feature");
  EXPECT_EQ(systems[3].feature, "25");
}

TEST(Systems, CanHaveBeenTrainedElsewhere) {
  const auto systems = parse_systems("theirs=scores:runs (old)/x.tsv,feature");
  EXPECT_EQ(systems[0].name, "theirs");
  EXPECT_EQ(systems[0].learner, kOutside);
  EXPECT_EQ(systems[0].scores, "runs (old)/x.tsv");
  EXPECT_EQ(systems[1].scores, "");
  EXPECT_THAT(refusal("scores:"), HasSubstr("which scores?"));
}

TEST(Systems, ListsInsideAnOptionStayTogether) {
  const auto systems =
      parse_systems("svm-map(C=0.1,1,10,epsilon=1e-2),linear(loss=listmle(ties=permute))");
  EXPECT_EQ(systems[0].given, (Assignments{{"C", "0.1,1,10"}, {"epsilon", "1e-2"}}));
  EXPECT_EQ(systems[1].loss, "listmle(ties=permute)");
  EXPECT_TRUE(systems[1].given.empty());
}

TEST(Systems, CanHaveCustomNames) {
  const auto systems = parse_systems("small=lambdamart(leaves=4),big=lambdamart(leaves=64)");
  EXPECT_EQ(systems[0].name, "small");
  EXPECT_EQ(systems[1].name, "big");
  EXPECT_EQ(systems[1].given, (Assignments{{"leaves", "64"}}));
}

TEST(Systems, CanBeSearchesAndBlends) {
  const auto systems = parse_systems(
      "best=auto(trials=8,learners=linear,mart),blend(lambdamart(leaves=4),linear(loss=listmle),"
      "folds=3)");
  ASSERT_EQ(systems.size(), 2U);
  EXPECT_EQ(systems[0].name, "best");
  EXPECT_EQ(systems[0].learner, "auto");
  EXPECT_EQ(systems[0].given, (Assignments{{"trials", "8"}, {"learners", "linear,mart"}}));
  EXPECT_FALSE(systems[0].is_one_learner());
  ASSERT_EQ(systems[1].members.size(), 2U);
  EXPECT_EQ(systems[1].members[0].given, (Assignments{{"leaves", "4"}}));
  EXPECT_EQ(systems[1].members[1].loss, "listmle");
  EXPECT_EQ(systems[1].given, (Assignments{{"folds", "3"}}));
  EXPECT_THAT(refusal("auto"), HasSubstr("auto(trials=N)"));
  EXPECT_THAT(refusal("auto(trials=3,seconds=5)"), HasSubstr("seconds"));
  EXPECT_THAT(refusal("auto(trials=3,measure=AP)"), HasSubstr("measure"));
  EXPECT_THAT(refusal("blend"), HasSubstr("which models?"));
  EXPECT_THAT(refusal("blend(lambdamrat)"), HasSubstr("did you mean lambdamart?"));
  EXPECT_THAT(refusal("blend(linear,auto(trials=2))"), HasSubstr("cannot be a member"));
  EXPECT_THAT(refusal("blend(linear,mart,folds=1)"), HasSubstr("folds"));
}

TEST(Systems, FileNamesArePlainAndDistinct) {
  const auto systems = parse_systems("lambdamart(leaves=10),a/b=feature,a:b=linear");
  EXPECT_EQ(systems[0].file_name, "lambdamart-leaves=10");
  EXPECT_EQ(systems[1].file_name, "a-b");
  EXPECT_EQ(systems[2].file_name, "a-b-2");
}

TEST(Systems, ErrorsNameTheProblem) {
  EXPECT_THAT(refusal("lambdamrat"), HasSubstr("did you mean lambdamart?"));
  EXPECT_THAT(refusal("lambdamart(leafs=3)"), HasSubstr("did you mean leaves?"));
  EXPECT_THAT(refusal("lambdamart(leaves=3"), HasSubstr("not closed"));
  EXPECT_THAT(refusal("lambdamart(3)"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(refusal("mart,mart"), HasSubstr("twice"));
  EXPECT_THAT(refusal("mart#2"), HasSubstr("can only follow feature"));
  EXPECT_THAT(refusal("feature:"), HasSubstr("which feature"));
  EXPECT_THAT(refusal("lambdamart(loss=squared)"), HasSubstr("takes no ‹loss›"));
  EXPECT_THAT(refusal("linear(loss=nonsense)"), HasSubstr("nonsense"));
  EXPECT_THAT(refusal("adarank(pointwise=0.1)"), HasSubstr("no loss"));
  EXPECT_THAT(refusal("linear(bins=0)"), HasSubstr("1 to 65536"));
  EXPECT_THAT(refusal("linear(normalize=nonsense)"), HasSubstr("nonsense"));
  EXPECT_THAT(refusal("linear(bin-rule=evn)"), HasSubstr("did you mean even?"));
  EXPECT_THAT(refusal(""), HasSubstr("name"));
}

TEST(Systems, CanHaveTheirOwnPreparation) {
  const auto systems = parse_systems(
      "a=svm-map(bins=50,features=1-3,5),b=svm-map(normalize=query-zscore),c=svm-map");
  TrainingTerms terms;
  terms.preparation.normalize = Normalization::query_minmax;
  terms.preparation.bins = 10;
  EXPECT_EQ(preparation_of(systems[0], terms).features, "1-3,5");
  EXPECT_EQ(preparation_of(systems[0], terms).bins, 50);
  EXPECT_EQ(preparation_of(systems[0], terms).normalize, Normalization::query_minmax);
  EXPECT_EQ(preparation_of(systems[1], terms).normalize, Normalization::query_zscore);
  EXPECT_EQ(preparation_of(systems[2], terms).bins, 10);
  EXPECT_TRUE(preparation_of(systems[2], terms).features.empty());
  EXPECT_EQ(preparation_of(systems[2], terms).bin_rule, BinRule::quantile);
}

TEST(Systems, TheThresholdRuleIsTheSystemsOrTheLearners) {
  const auto systems = parse_systems(
      "a=svm-map(bin-rule=even),b=svm-acc(variant=acc3,bins=20),c=svm-acc(variant=acc4,bin-rule="
      "quantile)");
  TrainingTerms terms;
  EXPECT_EQ(preparation_of(systems[0], terms).bin_rule, BinRule::even);
  EXPECT_EQ(preparation_of(systems[0], terms).bins, 0);
  EXPECT_EQ(preparation_of(systems[1], terms).bin_rule, BinRule::even);
  EXPECT_EQ(preparation_of(systems[1], terms).bins, 20);
  EXPECT_EQ(preparation_of(systems[2], terms).bin_rule, BinRule::quantile);
  EXPECT_EQ(preparation_of(systems[2], terms).bins, 50);
  terms.preparation.bin_rule = BinRule::quantile;
  EXPECT_EQ(preparation_of(systems[0], terms).bin_rule, BinRule::even);
  EXPECT_EQ(preparation_of(systems[1], terms).bin_rule, BinRule::quantile);
}

TEST(Systems, TheCommandTrainsThemAgain) {
  const auto systems = parse_systems("linear(loss=listmle,epochs=50),feature:25,mlp(hidden=)");
  EXPECT_EQ(training_words(systems[0], {{"learning-rate", "0.1"}}),
            (std::vector<std::string>{"podium", "train", "linear", "--loss", "listmle", "--epochs",
                                      "50", "--learning-rate", "0.1"}));
  EXPECT_EQ(training_words(systems[1], {}),
            (std::vector<std::string>{"podium", "train", "feature", "--features", "25"}));
  EXPECT_EQ(training_words(systems[2], {}),
            (std::vector<std::string>{"podium", "train", "mlp", "--hidden", ""}));
}

TEST(Systems, WordsAreQuotedForAShell) {
  EXPECT_EQ(shell_quoted("nDCG@10"), "nDCG@10");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("listmle(ties=permute)"), "'listmle(ties=permute)'");
}

}  // namespace
}  // namespace podium::systems_test
