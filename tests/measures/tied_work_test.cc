// Notes before measures with many equal scores.
#include "measures/tied_work.h"

#include <gtest/gtest.h>

#include "support/toy_data.h"

namespace podium::tied_work_test {
namespace {

struct TiedNotes : Observer {
  void note(std::string_view text) override { said.emplace_back(text); }
  std::vector<std::string> said;
};

// The notes about one list in which every fourth document is relevant; `different`: the number of
// distinct scores.
std::vector<std::string> said_about_ties(const std::string& measures, std::size_t documents,
                                         std::size_t different, Ties ties = Ties::expected) {
  std::vector<float> labels;
  std::vector<double> scores;
  for (std::size_t i = 0; i < documents; ++i) {
    labels.push_back(i % 4 == 0 ? 1.0F : 0.0F);
    scores.push_back(static_cast<double>(i % different));
  }
  testing::Bench bench;
  TiedNotes notes;
  Context context{1, bench.context.pool, bench.context.comm, notes};
  Convention convention = find_convention("podium");
  convention.ties = ties;
  note_tied_work(Evaluator(parse_measures(measures, convention), convention),
                 testing::make_dataset({documents}, 0, {}, labels), scores, context);
  return notes.said;
}

TEST(TiedWork, OfManyEqualScoresIsAnnounced) {
  EXPECT_EQ(said_about_ties("nDCG@10,IPrec11", 20000, 1).at(0),
            "IPrec11 of up to 20,000 documents with equal scores: about 195 days; ‹ties stable› "
            "keeps the order of the data instead");
  EXPECT_EQ(said_about_ties("IPrec@0.5", 2000, 1).size(), 1U);
  EXPECT_EQ(said_about_ties("IPrec@0.5,IPrec11", 4000, 1).size(), 2U);
}

TEST(TiedWork, OthersAreNot) {
  EXPECT_TRUE(said_about_ties("IPrec11", 20000, 20000).empty());
  EXPECT_TRUE(said_about_ties("IPrec11", 20000, 1000).empty());
  EXPECT_TRUE(said_about_ties("IPrec11", 20000, 1, Ties::stable).empty());
  EXPECT_TRUE(said_about_ties("nDCG@10,AP,ERR,infAP,tau", 20000, 1).empty());
  EXPECT_TRUE(said_about_ties("IPrec(rel=2)@0.5", 20000, 1).empty());
}

}  // namespace
}  // namespace podium::tied_work_test
