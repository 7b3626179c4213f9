// Notes before exact line searches through long lists.
#include "learners/direct_search/line_work.h"

#include <gtest/gtest.h>

#include "learners/train_on_toys.h"

namespace podium::line_work_test {
namespace {

struct LineNotes : Observer {
  void note(std::string_view text) override { said.emplace_back(text); }
  std::vector<std::string> said;
};

std::vector<std::string> said_about_lines(const char* measure, std::size_t documents,
                                          std::size_t lines) {
  testing::Bench bench;
  LineNotes notes;
  Context context{1, bench.context.pool, bench.context.comm, notes};
  note_line_work(*parse_measure(measure, testing::podium_convention()),
                 testing::make_dataset({documents}, 0, {}, std::vector<float>(documents)), lines,
                 context);
  return notes.said;
}

TEST(LineWork, OfWholeListsIsAnnounced) {
  EXPECT_EQ(said_about_lines("nDCG", 20000, 160).at(0),
            "exact searches for nDCG on lists of up to 20,000 documents: about 10 s per line, "
            "27 minutes for the 160 lines of a round");
  EXPECT_EQ(said_about_lines("AP", 20000, 160).size(), 1U);
  EXPECT_EQ(said_about_lines("nDCG@1000", 20000, 160).size(), 1U);
  EXPECT_GT(line_seconds(*parse_measure("infAP", testing::podium_convention()), 20000),
            line_seconds(*parse_measure("nDCG", testing::podium_convention()), 20000));
}

TEST(LineWork, OfTheFirstRanksIsNot) {
  EXPECT_TRUE(said_about_lines("nDCG@10", 200000, 160).empty());
  EXPECT_TRUE(said_about_lines("nDCG", 1000, 160).empty());
  EXPECT_TRUE(said_about_lines("AP", 2000, 160).empty());
}

}  // namespace
}  // namespace podium::line_work_test
