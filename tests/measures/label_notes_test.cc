// Which labels do not fit which measures and losses.
#include "measures/label_notes.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/evaluator.h"

namespace podium::label_notes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> notes_of(const std::vector<float>& labels, std::string_view measures) {
  const auto comm = make_local_communicator();
  return label_notes(label_range(labels, *comm),
                     label_users(parse_measures(measures, Convention{})));
}

TEST(LabelRange, LeavesOutWhatIsNotJudged) {
  const auto comm = make_local_communicator();
  const float unjudged = std::numeric_limits<float>::quiet_NaN();
  const LabelRange range = label_range(std::vector<float>{unjudged, -2, 0.5F, 3}, *comm);
  EXPECT_EQ(range.min, -2);
  EXPECT_EQ(range.max, 3);
  EXPECT_TRUE(range.fractions);
  EXPECT_FALSE(label_range(std::vector<float>{unjudged}, *comm).fractions);
  EXPECT_EQ(label_range({}, *comm).max, 0);
}

TEST(LabelNotes, GradesFitEverything) {
  EXPECT_THAT(notes_of({0, 1, 2, 3, 4}, "nDCG@10,DCG,MeanNDCG,ERR@10,AP,RR,P@5,AUC,tau"),
              IsEmpty());
  EXPECT_THAT(notes_of({0, 31}, "nDCG"), IsEmpty());
}

TEST(LabelNotes, CountsAreNoExponents) {
  EXPECT_THAT(notes_of({0, 32}, "nDCG@10,AP,DCG"),
              ElementsAre(AllOf(HasSubstr("labels above 31 are not grades"),
                                HasSubstr("in nDCG@10 and DCG; use gain=linear"))));
  EXPECT_THAT(notes_of({0, 2392}, "nDCG(gain=linear)@10,AP,tau"), IsEmpty());
}

TEST(LabelNotes, ManyMeasuresAreCounted) {
  EXPECT_THAT(notes_of({0, 99}, "nDCG@1,nDCG@2,nDCG@3,nDCG@4,nDCG@5"),
              ElementsAre(HasSubstr("nDCG@1, nDCG@2, nDCG@3 and 2 more")));
}

TEST(LabelNotes, LabelsBeyondAScale) {
  EXPECT_THAT(notes_of({0, 7}, "ERR@10"), ElementsAre("labels above 4 count as 4 in ERR@10"));
  EXPECT_THAT(notes_of({0, 7}, "nDCG(gain=0;1;3)"), ElementsAre(HasSubstr("above 2 count as 2")));
}

TEST(LabelNotes, FractionsAndShares) {
  EXPECT_THAT(notes_of({0, 0.5F}, "nDCG,AP(rel=0.3)"), IsEmpty());
  EXPECT_THAT(notes_of({0, 0.5F}, "nDCG(gain=0;1)"), ElementsAre(HasSubstr("whole number below")));
  EXPECT_THAT(notes_of({0, 0.5F}, "AP,RR"), ElementsAre(HasSubstr("no label reaches 1")));
  EXPECT_THAT(notes_of({0, 0}, "AP,RR"), IsEmpty());  // nothing is relevant, as it says
}

TEST(LabelNotes, LabelsBelowZero) {
  EXPECT_THAT(notes_of({-1, 0, 1}, "nDCG,AP,tau"),
              ElementsAre("labels below 0 gain as little as 0 in nDCG"));
}

}  // namespace
}  // namespace podium::label_notes_test
