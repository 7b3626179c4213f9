// Labels as expressions of columns, and weights of queries, in CSV files.
#include "data/formats/label_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "data/preparation_support.h"

namespace podium::label_expression_test {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

double value(std::string_view text, const std::vector<double>& values) {
  return LabelExpression(text).value(values);
}

TEST(LabelExpression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("click*0.2+purchase", {1, 2}), 0.2 + 2);
  EXPECT_EQ(value("a+b*c", {1, 2, 3}), 7);
  EXPECT_EQ(value("(a+b)*c", {1, 2, 3}), 9);
  EXPECT_EQ(value("a-b-c", {1, 2, 3}), -4);
  EXPECT_EQ(value("a/b/c", {12, 2, 3}), 2);
  EXPECT_EQ(value("-a*-2", {3}), 6);
  EXPECT_EQ(value("min(a, 2, b) + max(a,b)", {5, 1}), 6);
  EXPECT_EQ(value("a × 2 − b ÷ 4", {3, 8}), 4);
  EXPECT_EQ(value("`in cart` * 1e1", {2}), 20);
  EXPECT_EQ(value("min*max", {2, 3}), 6);
  EXPECT_EQ(value("a+a*a", {3}), 12);
  EXPECT_THAT(LabelExpression("b+a*b").columns(), ElementsAre("b", "a"));
}

TEST(LabelExpression, SaysWhereItIsWrong) {
  const auto error = [](const std::string& text) {
    return error_of([&] { LabelExpression{text}; });
  };
  EXPECT_THAT(error("a+"), HasSubstr("at the end of 'a+': a number or a column is expected"));
  EXPECT_THAT(error("a b"), HasSubstr("at 'b': an operator is expected"));
  EXPECT_THAT(error("(a"), HasSubstr("')' is expected"));
  EXPECT_THAT(error("max(a"), HasSubstr("')' is expected"));
  EXPECT_THAT(error("`a"), HasSubstr("a backquote is not closed"));
  EXPECT_THAT(error("1+2"), HasSubstr("'1+2' names no column"));
  EXPECT_THAT(error(std::string(1000, '(')), HasSubstr("it nests too deep"));
  EXPECT_THAT(error(std::string(1000, '-')), HasSubstr("it nests too deep"));
}

Dataset read(const std::string& text, const ReadOptions& options) {
  return testing::FromMemory{.options = options}.csv(text);
}

TEST(LabelExpression, ComputesLabelsFromColumnsThatAreNoFeatures) {
  ReadOptions options;
  options.label = "click*0.5+buy";
  const Dataset data = read("qid,click,x,buy,label\n1,1,7,0,9\n1,0,8,2,9\n", options);
  EXPECT_THAT(data.labels(), ElementsAre(0.5F, 2));
  EXPECT_THAT(data.feature_names(), ElementsAre("x"));
  EXPECT_EQ(data.parts().label_expression, "click*0.5+buy");
}

TEST(LabelExpression, RefusesBadColumnsWithTheirPlace) {
  ReadOptions options;
  options.label = "clik";
  EXPECT_THAT(error_of([&] { read("qid,click,x\n1,1,7\n", options); }),
              HasSubstr(":1: ‹label›: there is no column 'clik', did you mean click?"));
  options.label = "click/x";
  EXPECT_THAT(error_of([&] { read("qid,click,x\n1,1,7\n1,2,0\n", options); }),
              HasSubstr(":3: the label click/x is inf, which is not a finite number"));
  EXPECT_THAT(error_of([&] { read("qid,click,x\n1,,7\n", options); }), HasSubstr(":2: "));
  options.label_column = "x";
  EXPECT_THAT(error_of([&] { read("qid,click,x\n1,1,7\n", options); }),
              HasSubstr("‹label› and ‹label-column› cannot both say"));
}

TEST(QueryWeightColumn, HasOneWeightPerQuery) {
  ReadOptions options;
  options.query_weight_column = "w";
  const Dataset data = read("label,qid,w,x\n1,a,2,7\n0,b,0.5,8\n0,a,2,9\n", options);
  EXPECT_EQ(data.query_weight(0), 2);
  EXPECT_EQ(data.query_weight(1), 0.5F);
  EXPECT_THAT(data.feature_names(), ElementsAre("x"));
  EXPECT_THAT(error_of([&] { read("label,qid,w,x\n1,a,2,7\n0,a,3,8\n", options); }),
              HasSubstr("query 'a' has the weights 2 and 3 in 'w'"));
  EXPECT_THAT(error_of([&] { read("label,qid,w,x\n1,a,-2,7\n", options); }),
              HasSubstr(":2: 'w' is '-2': weights must be >= 0"));
}

TEST(MissingWords, AreTheSameInAllReaders) {
  const Dataset csv =
      read("label,qid,x\n1,1,NULL\n1,1,NaN\n1,1,nan\n1,1,null\n1,1,NA\n1,1,?\n1,1,\n1,1,2\n", {});
  const Dataset letor = testing::FromMemory{}.letor(
      "1 qid:1 1:NULL\n1 qid:1 1:NaN\n1 qid:1 1:nan\n1 qid:1 1:null\n1 qid:1 1:NA\n"
      "1 qid:1 1:?\n1 qid:1 1:\n1 qid:1 1:2\n");
  for (const Dataset& data : {csv, letor}) {
    const auto values = testing::all_values(data);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) EXPECT_TRUE(std::isnan(values[i])) << i;
    EXPECT_EQ(values.back(), 2);
  }
}

}  // namespace
}  // namespace podium::label_expression_test
