// Fusion against values computed by hand, and against a plain implementation of the definitions.
#include "podium/rank_fusion.h"

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::rank_fusion_test {
namespace {

using ::testing::HasSubstr;
using Lists =
    std::vector<std::vector<std::pair<double, std::string>>>;  // one topic, one list per run

std::vector<TrecFile> read(const std::vector<std::string>& texts, testing::TemporaryFolder& folder,
                           Context& context) {
  std::vector<TrecFile> runs;
  for (std::size_t r = 0; r < texts.size(); ++r)
    runs.push_back(read_run(folder.write(fmt::format("{}.run", r), texts[r]), context));
  return runs;
}

std::vector<FusedTopic> fused(const std::vector<std::string>& texts, const FusionOptions& options,
                              int threads = 1) {
  testing::TemporaryFolder folder;
  testing::Bench bench(threads);
  return fuse(read(texts, folder, bench.context), options, bench.context);
}

std::string text_of(const std::vector<FusedTopic>& topics) {
  std::string text;
  for (const FusedTopic& topic : topics)
    for (const auto& [id, score] : topic.documents)
      text += fmt::format("{} {} {}\n", topic.topic, id, score);
  return text;
}

// Topic 1 has a, b, c in the first run (ranks in the file are ignored), c and d in the second;
// topic 2 has only one document, in the second.
const std::vector<std::string> kRuns = {
    "1 Q0 a 3 10 A\n1 Q0 b 2 6 A\n1 Q0 c 1 2 A\n",
    "1 Q0 d 1 0.5 B\n1 Q0 c 1 1 B\n2 Q0 z 1 -4 B\n",
};

TEST(RankFusion, ByHand) {
  EXPECT_EQ(text_of(fused(kRuns, {.method = FusionMethod::combsum})),
            "1 c 1\n1 a 1\n1 b 0.5\n1 d 0\n2 z 1\n");
  EXPECT_EQ(text_of(fused(kRuns, {.method = FusionMethod::combmnz})),
            "1 c 2\n1 a 1\n1 b 0.5\n1 d 0\n2 z 1\n");
  EXPECT_EQ(
      text_of(fused(kRuns, {.method = FusionMethod::combsum, .normalize = ScoreScaling::none})),
      "1 a 10\n1 b 6\n1 c 3\n1 d 0.5\n2 z -4\n");
  EXPECT_EQ(text_of(fused(kRuns, {.method = FusionMethod::rrf, .k = 1})),
            "1 c 0.75\n1 a 0.5\n1 d 0.3333333333333333\n1 b 0.3333333333333333\n2 z 0.5\n");
  // Four documents: 4, 3, 2 points and 1 for d; then 4, 3 and (2 + 1) / 2 for a and b.
  EXPECT_EQ(text_of(fused(kRuns, {.method = FusionMethod::borda})),
            "1 c 6\n1 a 5.5\n1 b 4.5\n1 d 4\n2 z 1\n");
}

TEST(RankFusion, UsualConstantOfReciprocalRanks) {
  const auto topics = fused(kRuns, {});
  EXPECT_DOUBLE_EQ(topics[0].documents[0].score, 1.0 / 63 + 1.0 / 61);
}

TEST(RankFusion, ListsAreCutAtTheDepthTiesByDescendingId) {
  const std::vector<std::string> runs = {
      "1 Q0 a 1 1 t\n1 Q0 c 1 1 t\n1 Q0 b 1 1 t\n1 Q0 z 1 0 t\n"};
  EXPECT_EQ(text_of(fused(runs, {.method = FusionMethod::borda, .depth = 2})), "1 c 2\n1 b 1\n");
  EXPECT_EQ(text_of(fused(runs, {.method = FusionMethod::combsum, .depth = 2})), "1 c 1\n1 b 1\n");
}

TEST(RankFusion, HugeScores) {
  const std::vector<std::string> runs = {"1 Q0 a 1 1.5e308 t\n1 Q0 b 1 -1.5e308 t\n1 Q0 c 1 0 t\n",
                                         "1 Q0 a 1 1.5e308 t\n"};
  EXPECT_EQ(text_of(fused(runs, {.method = FusionMethod::combsum})), "1 a 2\n1 c 0.5\n1 b 0\n");
  try {
    fused(runs, {.method = FusionMethod::combsum, .normalize = ScoreScaling::none});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("scores of document 'a' of topic '1' are too large"));
  }
}

// The definitions of rank_fusion.h, one document and one list at a time. Lists are sorted.
double reference(const Lists& lists, const std::string& document, const FusionOptions& options) {
  std::set<std::string> all;
  for (const auto& list : lists)
    for (const auto& [score, id] : list) all.insert(id);
  double total = 0;
  int count = 0;
  for (const auto& list : lists) {
    if (list.empty()) continue;
    std::size_t rank = 0;
    while (rank < list.size() && list[rank].second != document) ++rank;
    const bool there = rank++ < list.size();
    count += there;
    if (options.method == FusionMethod::borda) {
      double left = 0;  // points that no listed document has
      for (std::size_t points = 1; points <= all.size() - list.size(); ++points)
        left += static_cast<double>(points);
      total += there ? static_cast<double>(all.size() - rank + 1)
                     : left / static_cast<double>(all.size() - list.size());
    } else if (there && options.method == FusionMethod::rrf) {
      total += 1 / (options.k + static_cast<double>(rank));
    } else if (there) {
      const double low = list.back().first, high = list.front().first, s = list[rank - 1].first;
      total += options.normalize == ScoreScaling::none ? s
               : high > low                            ? (s - low) / (high - low)
                                                       : 1;
    }
  }
  return options.method == FusionMethod::combmnz ? count * total : total;
}

TEST(RankFusion, AgreesWithTheDefinitionsOnRandomRuns) {
  Random random(11);
  constexpr int kTopics = 12, kDepth = 15;
  std::vector<std::string> texts;
  std::map<std::string, Lists> lists;
  for (std::size_t r = 0; r < 5; ++r) {
    texts.emplace_back("1 Q0 first 1 100 t\n");
    for (int t = 1; t <= kTopics; ++t) {
      auto& of_topic = lists[std::to_string(t)];
      of_topic.resize(5);
      if (t == 1) of_topic[r].emplace_back(100, "first");
      if (random.uniform() < 0.2) continue;  // the run lacks the rest of the topic
      for (int d = 0; d < 30; ++d) {
        if (random.uniform() < 0.4) continue;
        const double score = std::floor(random.uniform() * 20) / 4;
        texts[r] += fmt::format("{} Q0 d{} 1 {} t\n", t, d, score);
        of_topic[r].emplace_back(score, fmt::format("d{}", d));
      }
    }
    for (auto& [topic, of_run] : lists) {
      std::sort(of_run[r].rbegin(), of_run[r].rend());
      of_run[r].resize(std::min<std::size_t>(of_run[r].size(), kDepth));
    }
  }
  const std::vector<std::string> backwards(texts.rbegin(), texts.rend());
  for (const FusionMethod method :
       {FusionMethod::combsum, FusionMethod::combmnz, FusionMethod::rrf, FusionMethod::borda})
    for (const ScoreScaling normalize : {ScoreScaling::minmax, ScoreScaling::none}) {
      const FusionOptions options{
          .method = method, .normalize = normalize, .k = 7, .depth = kDepth};
      const auto topics = fused(texts, options);
      ASSERT_EQ(topics.size(), static_cast<std::size_t>(kTopics));
      for (const FusedTopic& topic : topics) {
        for (std::size_t i = 0; i < topic.documents.size(); ++i) {
          const auto& [id, score] = topic.documents[i];
          EXPECT_NEAR(score, reference(lists.at(topic.topic), id, options), 1e-12)
              << static_cast<int>(method);
          if (i == 0) continue;
          const auto& before = topic.documents[i - 1];
          EXPECT_TRUE(before.score > score || (before.score == score && before.id > id));
        }
      }
      // Neither threads nor the order of the runs changes a bit.
      EXPECT_EQ(text_of(fused(texts, options, 4)), text_of(topics));
      EXPECT_EQ(text_of(fused(backwards, options)), text_of(topics));
    }
}

TEST(RankFusion, WritesARunThatReadsBack) {
  testing::TemporaryFolder folder;
  testing::Bench bench;
  write_run(fused(kRuns, {}), "podium-rrf", folder.file("out.run"));
  const TrecFile run = read_run(folder.file("out.run"), bench.context);
  EXPECT_EQ(run.run_id(), "podium-rrf");
  ASSERT_EQ(run.topics(), 2U);
  EXPECT_EQ(run.lines(0)[0].document, "c");
  EXPECT_EQ(run.lines(0)[0].value, fused(kRuns, {})[0].documents[0].score);
}

}  // namespace
}  // namespace podium::rank_fusion_test
