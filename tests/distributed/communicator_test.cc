#include "podium/communicator.h"

#include <gtest/gtest.h>

#include "distributed/over_ranks.h"
#include "podium/error.h"

namespace podium::communicator_test {
namespace {

TEST(LocalCommunicator, IsAGroupOfOne) {
  const auto comm = make_local_communicator();
  EXPECT_EQ(comm->rank(), 0);
  EXPECT_EQ(comm->size(), 1);
  std::vector<std::int64_t> values = {15, -2};
  comm->all_reduce_sum(std::span(values));
  EXPECT_EQ(values, (std::vector<std::int64_t>{15, -2}));
}

TEST(ThreadCommunicator, SumsIntegersOnEveryRank) {
  std::vector<std::int64_t> sums(4);
  run_in_threads(4, [&](Communicator& comm) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      std::int64_t value = comm.rank() + 1;
      comm.all_reduce_sum(std::span(&value, 1));
      sums[static_cast<std::size_t>(comm.rank())] = value;
    }
  });
  EXPECT_EQ(sums, std::vector<std::int64_t>(4, 10));
}

// A naive sum of 1e16, 1, −1e16 and 3 depends on the order of addition.
TEST(OverRanks, SumsOfDoublesDoNotDependOnTheirDistribution) {
  const std::vector<double> terms = {1e16, 1, -1e16, 3};
  for (const int ranks : {1, 2, 3, 4})
    run_in_threads(ranks, [&](Communicator& comm) {
      OrderFreeSums sums(1);
      std::vector<double> mine;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        if (static_cast<int>(i) % ranks != comm.rank()) continue;
        sums.add(0, terms[i]);
        mine.push_back(terms[i]);
      }
      EXPECT_EQ(sum_over_ranks(sums, comm), std::vector<double>{4});
      EXPECT_EQ(sum_over_ranks(mine, comm), 4);
      EXPECT_EQ(max_over_ranks(-comm.rank(), comm), 0);
      EXPECT_EQ(on_any_rank(comm.rank() == ranks - 1, comm), true);
      EXPECT_EQ(on_any_rank(false, comm), false);
    });
}

TEST(ThreadCommunicator, GathersDifferentLengths) {
  run_in_threads(3, [](Communicator& comm) {
    const std::vector<std::byte> mine(static_cast<std::size_t>(comm.rank()), std::byte(7));
    const auto all = comm.all_gather(mine);
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_EQ(all[rank].size(), rank);
  });
}

TEST(ThreadCommunicator, SumsOfDifferentLengthsAreAnError) {
  run_in_threads(2, [](Communicator& comm) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(10 - comm.rank()));
    EXPECT_THROW(comm.all_reduce_sum(values), Error);
  });
}

TEST(ThreadCommunicator, OneRanksFailureReachesTheCaller) {
  EXPECT_THROW(run_in_threads(3,
                              [](Communicator& comm) {
                                if (comm.rank() == 1) throw std::domain_error("rank 1 is ill");
                                std::int64_t x = 0;
                                comm.all_reduce_sum(std::span(&x, 1));
                              }),
               std::domain_error);
}

}  // namespace
}  // namespace podium::communicator_test
