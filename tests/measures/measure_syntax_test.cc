#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/evaluator.h"

namespace podium::measure_syntax_test {
namespace {

using ::testing::HasSubstr;

std::string parsed(std::string_view text, const Convention& convention = {}) {
  return parse_measure(text, convention)->name();
}

std::string complaint(std::string_view text) {
  try {
    parse_measure(text, Convention{});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << text;
    return error.what();
  }
  ADD_FAILURE() << "'" << text << "' was accepted";
  return {};
}

TEST(MeasureSyntax, CanonicalNames) {
  EXPECT_EQ(parsed("nDCG@10"), "nDCG@10");
  EXPECT_EQ(parsed("nDCG(discount=letor,gain=linear)@10"), "nDCG(gain=linear,discount=letor)@10");
  EXPECT_EQ(parsed("nDCG(gain=exp2)"), "nDCG");
  EXPECT_EQ(parsed("nDCG(gain=0;1;3;7;15)@5"), "nDCG(gain=0;1;3;7;15)@5");
  EXPECT_EQ(parsed("RBP(p=0.8)"), "RBP");
  EXPECT_EQ(parsed("RBP(p=0.95)"), "RBP(p=0.95)");
  EXPECT_EQ(parsed("IPrec@0.1"), "IPrec@0.1");
  EXPECT_EQ(parsed("IPrec"), "IPrec@0");
}

TEST(MeasureSyntax, AliasesCaseAndBlanks) {
  EXPECT_EQ(parsed("MAP"), "AP");
  EXPECT_EQ(parsed("mrr@10"), "RR@10");
  EXPECT_EQ(parsed("NDCG@5"), "nDCG@5");
  EXPECT_EQ(parsed("ndcg@5"), "nDCG@5");
  EXPECT_EQ(parsed("Precision@3"), "P@3");
  EXPECT_EQ(parsed("Recall@3"), "R@3");
  EXPECT_EQ(parsed(" AP ( rel = 2 ) @ 100 "), "AP(rel=2)@100");
  EXPECT_EQ(parsed("P@5(rel=2)"), "P(rel=2)@5");
}

TEST(MeasureSyntax, IrMeasuresForms) {
  EXPECT_EQ(parsed("nDCG(dcg='exp-log2')@10"), "nDCG@10");
  EXPECT_EQ(parsed("nDCG(dcg=\"log2\", cutoff=10)"), "nDCG(gain=linear)@10");
  EXPECT_EQ(parsed("SetF(rel=1, beta=0.5)"), "SetF(beta=0.5)");
  EXPECT_EQ(parsed("IPrec(recall=0.2)"), "IPrec@0.2");
}

TEST(MeasureSyntax, TrecNames) {
  EXPECT_EQ(parsed("map"), "AP");
  EXPECT_EQ(parsed("ndcg_cut_10"), "nDCG(gain=linear)@10");
  EXPECT_EQ(parsed("ndcg_cut.10"), "nDCG(gain=linear)@10");
  EXPECT_EQ(parsed("recip_rank"), "RR");
  EXPECT_EQ(parsed("iprec_at_recall_0.10"), "IPrec@0.1");
  EXPECT_EQ(parsed("Rprec_mult_0.20"), "Rprec(mult=0.2)");
  EXPECT_EQ(parsed("P_5"), "P@5");
}

TEST(MeasureSyntax, ConventionFillsInUnspecifiedChoices) {
  EXPECT_EQ(parsed("nDCG@10", find_convention("letor")), "nDCG(discount=letor,short=zero)@10");
  EXPECT_EQ(parsed("nDCG(discount=log2)@10", find_convention("letor")), "nDCG(short=zero)@10");
  EXPECT_EQ(parsed("AP", find_convention("mslr")), "AP(rel=2)");
  EXPECT_EQ(parsed("NumRet", find_convention("mslr")), "NumRet");
  const MeasurePtr letor = parse_measure("nDCG@10", find_convention("letor"));
  EXPECT_EQ(measure_label(*letor, find_convention("letor")), "nDCG@10");
  EXPECT_EQ(measure_label(*letor, Convention{}), letor->name());
  EXPECT_EQ(measure_label(*parse_measure("nDCG@10", Convention{}), find_convention("letor")),
            "nDCG(discount=log2,short=whole)@10");
}

TEST(MeasureSyntax, ListsSplitAtCommasOutsideParentheses) {
  const auto list = parse_measures("nDCG(gain=linear,discount=letor)@10, AP,RR@3", Convention{});
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]->name(), "nDCG(gain=linear,discount=letor)@10");
  EXPECT_EQ(list[2]->name(), "RR@3");
  for (const char* empty : {"", " ", " , ", "AP,", ",AP", "AP,,RR"})
    EXPECT_THROW(parse_measures(empty, Convention{}), Error) << empty;
}

TEST(MeasureSyntax, ErrorsHaveAdvice) {
  EXPECT_THAT(complaint("nDGC@10"), HasSubstr("unknown measure 'nDGC', did you mean nDCG?"));
  EXPECT_THAT(complaint("nDCG(gian=linear)"), HasSubstr("no parameter 'gian', did you mean gain?"));
  EXPECT_THAT(complaint("nDCG@ten"), HasSubstr("k: 'ten' is not a whole number"));
  EXPECT_THAT(complaint("nDCG@0"), HasSubstr("k: '0'"));
  EXPECT_THAT(complaint("nDCG@-3"), HasSubstr("k: '-3'"));
  EXPECT_THAT(complaint("tau@3"), HasSubstr("tau has no cut-off"));
  EXPECT_THAT(complaint("nDCG(discount=log)"), HasSubstr("one of log2, letor"));
  EXPECT_THAT(complaint("nDCG(gain=linear"), HasSubstr("not closed"));
  EXPECT_THAT(complaint("nDCG(linear)"), HasSubstr("write name=value"));
  EXPECT_THAT(complaint("nDCG(dcg=exp)"), HasSubstr("exp-log2"));
  EXPECT_THAT(complaint("nDCG()x"), HasSubstr("'x'"));
  EXPECT_THAT(complaint("@10"), HasSubstr("name is missing"));
  EXPECT_THAT(complaint("RBP(p=1.5)"), HasSubstr("p: '1.5'"));
  EXPECT_THAT(complaint("IPrec@2"), HasSubstr("k: '2'"));
  EXPECT_THAT(complaint("ndcg_cut_x"), HasSubstr("unknown measure"));
}

}  // namespace
}  // namespace podium::measure_syntax_test
