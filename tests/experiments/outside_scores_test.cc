#include "experiments/comparison/outside_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "support/temporary_folder.h"

namespace podium::outside_scores_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Dataset two_queries() {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2, 3};
  parts.labels = std::vector<float>{1, 0, 1};
  parts.qids = make_strings(std::vector<std::string>{"a", "b"});
  parts.docids = make_strings(std::vector<std::string>{"x", "y", "z"});
  parts.features = 1;
  parts.dense = std::vector<float>{1, 2, 3};
  return Dataset(std::move(parts));
}

class OutsideScoresTest : public ::testing::Test {
 protected:
  std::vector<double> scores(const std::string& text) {
    return OutsideScores(folder_.write("scores.tsv", text)).of("Fold1", two_queries());
  }
  std::string refusal(const std::string& text) {
    try {
      scores(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  podium::testing::TemporaryFolder folder_;
};

TEST_F(OutsideScoresTest, AreInTheOrderOfTheData) {
  EXPECT_THAT(scores("qid\tscore\nb\t3\na\t1\na\t2\n"), ElementsAre(1, 2, 3));
  EXPECT_THAT(scores("score\tqid\r\n3e0\tb\r\n1\ta\r\n2\ta"), ElementsAre(1, 2, 3));
}

TEST_F(OutsideScoresTest, AreMatchedById) {
  EXPECT_THAT(scores("qid\tdocid\tscore\na\ty\t2\na\tx\t1\nb\tz\t3\n"), ElementsAre(1, 2, 3));
  EXPECT_THAT(refusal("qid\tdocid\tscore\na\ty\t2\na\tq\t1\nb\tz\t3\n"),
              HasSubstr("no score for document x of query a"));
}

TEST_F(OutsideScoresTest, CanDifferByFold) {
  EXPECT_THAT(scores("fold\tqid\tscore\nFold2\ta\t9\nFold1\ta\t1\nFold1\ta\t2\nFold1\tb\t3\n"),
              ElementsAre(1, 2, 3));
}

TEST_F(OutsideScoresTest, ErrorsHaveALocation) {
  EXPECT_THAT(refusal("a\t1\n"), HasSubstr("names its columns"));
  EXPECT_THAT(refusal("qid\tscore\na\t1\na\tnan\n"), HasSubstr("scores.tsv:3"));
  EXPECT_THAT(refusal("qid\tscore\na\t1\t2\n"), HasSubstr("3 columns, but the header has 2"));
  EXPECT_THAT(refusal("qid\tscore\na\t1\na\t2\n"), HasSubstr("no scores for query b"));
  EXPECT_THAT(refusal("qid\tscore\na\t1\nb\t2\n"), HasSubstr("1 score of query a, which has 2"));
}

}  // namespace
}  // namespace podium::outside_scores_test
