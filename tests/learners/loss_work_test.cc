// Notes before long work: one if long lists take minutes or gigabytes, otherwise none.
#include "learners/loss_work.h"

#include <gtest/gtest.h>

#include "losses/loss_cost.h"
#include "support/toy_data.h"

namespace podium::loss_work_test {
namespace {

struct Notes : Observer {
  void note(std::string_view text) override { said.emplace_back(text); }
  std::vector<std::string> said;
};

std::vector<std::string> said_about(const char* loss, const std::vector<std::size_t>& lengths,
                                    std::int64_t rounds) {
  testing::Bench bench;
  Notes notes;
  Context context{1, bench.context.pool, bench.context.comm, notes};
  std::size_t documents = 0;
  for (const std::size_t length : lengths) documents += length;
  note_work(*parse_loss(loss), testing::make_dataset(lengths, 0, {}, std::vector<float>(documents)),
            rounds, context);
  return notes.said;
}

TEST(LossWork, LongListsOfQuadraticLossesAreAnnounced) {
  const auto said = said_about("softrank@100", {50, 100000}, 15);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0],
            "softrank@100 on lists of up to 100,000 documents: about 7 s per round, 105 s for 15 "
            "rounds");
  EXPECT_EQ(said_about("lambda-ndcg(truncation=0)", {400000}, 1).size(), 1U);
  EXPECT_EQ(said_about("softrank@1000", {200000}, 1).at(0),
            "softrank@1000 on lists of up to 200,000 documents: about 11 minutes per round, about "
            "1.6 GB");
}

TEST(LossWork, OfCuttingPlanesIsAnnouncedByEvaluations) {
  testing::Bench bench;
  Notes notes;
  Context context{1, bench.context.pool, bench.context.comm, notes};
  const auto list_of = [](std::size_t documents, int grades) {
    std::vector<float> labels;
    for (std::size_t i = 0; i < documents; ++i)
      labels.push_back(static_cast<float>(i % static_cast<std::size_t>(grades)));
    return testing::make_dataset({documents}, 0, {}, labels);
  };
  note_cutting_planes(*parse_loss("dorm"), list_of(100000, 2), context);
  note_cutting_planes(*parse_loss("dorm(labels=binary)"), list_of(100000, 5), context);
  note_cutting_planes(*parse_loss("structured-map"), list_of(100000, 5), context);
  EXPECT_TRUE(notes.said.empty());
  note_cutting_planes(*parse_loss("dorm"), list_of(100000, 5), context);
  ASSERT_EQ(notes.said.size(), 1U);
  EXPECT_EQ(notes.said[0],
            "dorm@10 on lists of up to 100,000 documents: about 0.5 s each time it is evaluated, "
            "which each pass of the training does several times");
}

TEST(LossWork, OthersAreNot) {
  EXPECT_TRUE(said_about("smooth@10", {100000}, 100).empty());
  EXPECT_TRUE(said_about("lambda-ndcg", {400000}, 500).empty());
  EXPECT_TRUE(said_about("gbrank", {100000}, 500).empty());
  EXPECT_TRUE(said_about("squared", {400000}, 500).empty());
  EXPECT_TRUE(said_about("softrank@100", std::vector<std::size_t>(500, 1500), 500).empty());
  EXPECT_TRUE(said_about("smooth", {}, 500).empty());
}

TEST(LossCost, OfSumsAndMaximaIsThatOfTheirParts) {
  const auto cost = [](const char* loss) { return list_cost(*parse_loss(loss), 10000).seconds; };
  EXPECT_NEAR(cost("smooth+0.5*softrank"), cost("smooth") + cost("softrank"), 1e-12);
  EXPECT_NEAR(cost("max(structured-map,structured-auc)"), 2 * cost("structured-map"), 1e-12);
  EXPECT_GT(cost("lambda-tau(truncation=0)"), cost("lambda-ndcg(truncation=0)"));
  EXPECT_GT(cost("lambda-infap"), cost("lambda-tau"));
  for (const auto* entry : losses().entries()) EXPECT_GT(cost(std::string(entry->name).c_str()), 0);
}

}  // namespace
}  // namespace podium::loss_work_test
