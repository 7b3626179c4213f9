#include "distributed/on_every_rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium::on_every_rank_test {
namespace {

// The result of the step on each rank, if it throws on the ranks for which `fails` is true.
std::vector<std::string> outcomes(int ranks, const std::function<void(int rank)>& step) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  run_in_threads(ranks, [&](Communicator& comm) {
    try {
      on_every_rank(comm, [&] { step(comm.rank()); });
    } catch (const Error& error) {
      said[static_cast<std::size_t>(comm.rank())] = error.what();
    }
  });
  return said;
}

TEST(OnEveryRank, AllThrowTheLowestRanksError) {
  EXPECT_THAT(outcomes(3, [](int) {}), ::testing::Each(""));
  EXPECT_THAT(outcomes(4,
                       [](int rank) {
                         if (rank >= 2)
                           throw Error(ErrorCode::data, "bad", {"f", std::size_t(rank)});
                       }),
              ::testing::Each("f:2: rank 2: bad"));
}

TEST(OnEveryRank, AnErrorThatAllHaveNamesNoRank) {
  EXPECT_THAT(outcomes(3, [](int) { throw Error(ErrorCode::usage, "alike"); }),
              ::testing::Each("alike"));
}

TEST(OnEveryRank, OnFirstRankRunsOnce) {
  std::atomic<int> runs = 0, failures = 0;
  run_in_threads(3, [&](Communicator& comm) {
    on_first_rank(comm, [&] { ++runs; });
    try {
      on_first_rank(comm, [&] { throw Error(ErrorCode::file, "disk full"); });
    } catch (const Error& error) {
      failures += error.message() == "disk full" && error.code() == ErrorCode::file;
    }
  });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(failures, 3);
}

TEST(Gathered, BringsEveryRanksValueToAll) {
  run_in_threads(3, [](Communicator& comm) {
    const auto all =
        gathered(std::vector<std::string>(static_cast<std::size_t>(comm.rank()), "x"), comm);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all[0].empty());
    EXPECT_THAT(all[2], ::testing::ElementsAre("x", "x"));
  });
}

}  // namespace
}  // namespace podium::on_every_rank_test
