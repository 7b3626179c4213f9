#include "podium/interleaving.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "clicks/team_draft-inl.h"
#include "core/random.h"
#include "support/toy_data.h"

namespace podium::interleaving_test {
namespace {

const std::vector<std::string> kA = {"x", "y", "z", "w"}, kB = {"y", "x", "w", "v"};

TEST(Interleaving, EveryDocumentOnceAndReproducible) {
  for (const auto& [name, method] : interleavings()) {
    const auto list = interleave(kA, kB, method, 0, 1, "s", "q");
    ASSERT_EQ(list.size(), 5u);
    std::vector<std::string> documents;
    for (const auto& one : list) documents.push_back(one.document);
    std::sort(documents.begin(), documents.end());
    EXPECT_EQ(documents, (std::vector<std::string>{"v", "w", "x", "y", "z"}));
    const auto again = interleave(kA, kB, method, 0, 1, "s", "q");
    for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i].document, again[i].document);
    EXPECT_EQ(interleave(kA, kB, method, 2, 1, "s", "q").size(), 2u);
  }
  EXPECT_TRUE(interleave({}, {}, Interleaving::team_draft, 0, 1, "s", "q").empty());
  EXPECT_EQ(interleave(kA, {}, Interleaving::team_draft, 0, 1, "s", "q").size(), 4u);
}

// All coin tosses of two rounds: a document is in the list of a fair draft with the frequency of
// the enumeration, and each team owns half of the places.
TEST(Interleaving, TeamDraftIsFair) {
  std::map<std::string, int> seen, expected;
  for (int coins = 0; coins < 4; ++coins) {  // both rounds by hand
    std::vector<std::string> list;
    std::string owners;
    for (int round = 0; round < 2; ++round)
      for (int turn = 0; turn < 2; ++turn) {
        const bool a = ((coins >> round) & 1) == turn;
        for (const std::string& document : a ? kA : kB)
          if (std::find(list.begin(), list.end(), document) == list.end()) {
            list.push_back(document);
            owners += a ? 'a' : 'b';
            break;
          }
      }
    std::string key = owners;
    for (const std::string& document : list) key += document;
    expected[key] += 1;
  }
  constexpr int kSessions = 8000;
  int owned_by_a = 0;
  for (int s = 0; s < kSessions; ++s) {
    std::string owners, key;
    for (const auto& one :
         interleave(kA, kB, Interleaving::team_draft, 4, 3, std::to_string(s), "q")) {
      owners += one.owner == Owner::a ? 'a' : 'b';
      key += one.document;
      owned_by_a += one.owner == Owner::a;
    }
    seen[owners + key] += 1;
  }
  EXPECT_EQ(owned_by_a, 2 * kSessions);
  ASSERT_EQ(seen.size(), expected.size());
  for (const auto& [key, count] : expected)
    EXPECT_NEAR(seen[key], count * kSessions / 4, 200) << key;
}

// Every pair of rankings of three documents, every sequence of coins: whatever is clicked, without
// regard to who owns it, each team expects the same credit, because each owns every place with
// probability 1/2. Shorter lists are beginnings of longer ones.
TEST(Interleaving, TeamDraftIsFairForAllRankings) {
  std::vector<std::string> a = {"x", "y", "z"};
  do {
    std::vector<std::string> b = {"x", "y", "z"};
    do {
      for (std::size_t depth = 1; depth <= 3; ++depth) {
        std::vector<int> credit(depth, 0);  // of a minus b at each place, over all coins
        for (unsigned coins = 0; coins < 8; ++coins) {
          std::vector<std::string> list;
          unsigned tossed = 0;
          draft_by_rounds([&] { return static_cast<std::size_t>(coins >> tossed++ & 1); },
                          [&](std::size_t team) {
                            for (const std::string& document : team == 0 ? a : b)
                              if (std::find(list.begin(), list.end(), document) == list.end()) {
                                credit[list.size()] += team == 0 ? 1 : -1;
                                list.push_back(document);
                                return true;
                              }
                            return false;
                          },
                          [&] { return list.size() >= depth; });
          ASSERT_EQ(list.size(), depth);
        }
        EXPECT_EQ(credit, std::vector<int>(depth, 0));
      }
      for (const auto& [name, method] : interleavings()) {
        const auto all = interleave(a, b, method, 0, 1, "s", "q");
        const auto two = interleave(a, b, method, 2, 1, "s", "q");
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(two[i].document, all[i].document);
      }
    } while (std::next_permutation(b.begin(), b.end()));
  } while (std::next_permutation(a.begin(), a.end()));
}

// Users who click by chance, with ties, and an analyst who looks after each of 400 sessions.
TEST(Interleaving, FalsePositivesWithPeekingAfterEverySession) {
  constexpr int kExperiments = 300, kSessions = 400;
  int wrong = 0;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    SequentialTest test;
    Random clicks(7, static_cast<std::uint64_t>(experiment));
    double p = 1;
    for (int s = 0; s < kSessions; ++s) {
      int credit = 0;
      for (const auto& one :
           interleave(kA, kB, Interleaving::team_draft, 3, static_cast<std::uint64_t>(experiment),
                      std::to_string(s), "q"))
        if (clicks.uniform() < 0.3) credit += one.owner == Owner::a ? 1 : -1;
      p = test.add(credit > 0 ? 1 : credit < 0 ? -1 : 0);
    }
    wrong += p <= 0.05;
  }
  EXPECT_LE(wrong, 0.05 * kExperiments);
}

// The evidence depends only on the numbers of wins and losses, so the probability that it ever
// reaches 1/0.05 if neither ranker is preferred can be computed: at most 5 %, whenever one looks.
TEST(Interleaving, PeekingIsAllowed) {
  constexpr std::size_t kSessions = 120;
  std::vector<double> alive = {1};  // P(n sessions, so many wins, never significant)
  double significant = 0, mean = 0, crossed = 0;
  for (std::size_t n = 1; n <= kSessions; ++n) {
    std::vector<double> next(n + 1, 0.0);
    for (std::size_t wins = 0; wins < n; ++wins) {
      next[wins] += 0.5 * alive[wins];
      next[wins + 1] += 0.5 * alive[wins];
    }
    mean = 0;
    for (std::size_t wins = 0; wins <= n; ++wins) {
      if (next[wins] == 0) continue;
      SequentialTest test;
      for (std::size_t i = 0; i < n; ++i) test.add(i < wins ? 1 : -1);
      if (test.evidence() >= 20) {
        significant += next[wins];
        crossed += next[wins] * test.evidence();
        next[wins] = 0;
      }
      mean += next[wins] * test.evidence();
    }
    alive = next;
  }
  EXPECT_LE(significant, 0.05);
  EXPECT_GT(significant, 0.005);         // the test is not powerless
  EXPECT_NEAR(mean + crossed, 1, 1e-9);  // a martingale
}

TEST(Interleaving, Verdict) {
  testing::Bench bench;
  std::vector<InterleavedOutcome> outcomes;
  for (int s = 0; s < 100; ++s)
    outcomes.push_back({"q" + std::to_string(s % 10), s % 5 == 0 ? -1 : s % 5 == 1 ? 0 : 1});
  const InterleavingVerdict verdict = analyse_interleaving(outcomes, bench.context);
  EXPECT_EQ(verdict.a_wins, 60u);
  EXPECT_EQ(verdict.b_wins, 20u);
  EXPECT_EQ(verdict.ties, 20u);
  EXPECT_DOUBLE_EQ(verdict.preference, 0.4);
  EXPECT_LT(verdict.sign_p, 1e-4);
  EXPECT_LT(verdict.sequential_p, 1e-3);
  ASSERT_TRUE(verdict.decided_after);
  EXPECT_LT(*verdict.decided_after, 50u);
  EXPECT_FALSE(analyse_interleaving(outcomes, bench.context, 1e-9).decided_after);
  EXPECT_LE(verdict.interval.low, 0.4);
  EXPECT_GE(verdict.interval.high, 0.4);
}

}  // namespace
}  // namespace podium::interleaving_test
