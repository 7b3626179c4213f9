#include "podium/communicator.h"

#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium {
namespace {

TEST(LocalCommunicator, IsAGroupOfOne) {
  const auto comm = make_local_communicator();
  EXPECT_EQ(comm->rank(), 0);
  EXPECT_EQ(comm->size(), 1);
  std::vector<double> values = {1.5, -2};
  comm->all_reduce_sum(std::span(values));
  EXPECT_EQ(values, (std::vector<double>{1.5, -2}));
}

TEST(ThreadCommunicator, SumsInRankOrderOnEveryRank) {
  // 1e16 + 1 − 1e16 depends on the order of addition, so equal bits mean one order.
  const std::vector<double> terms = {1e16, 1, -1e16, 3};
  std::vector<double> sums(4);
  std::vector<std::int64_t> counts(4);
  run_in_threads(4, [&](Communicator& comm) {
    const auto me = static_cast<std::size_t>(comm.rank());
    for (int repeat = 0; repeat < 100; ++repeat) {
      double value = terms[me];
      comm.all_reduce_sum(std::span(&value, 1));
      sums[me] = value;
    }
    std::int64_t one = comm.rank() + 1;
    comm.all_reduce_sum(std::span(&one, 1));
    counts[me] = one;
  });
  const double in_order = ((1e16 + 1) + -1e16) + 3;
  EXPECT_EQ(sums, std::vector<double>(4, in_order));
  EXPECT_EQ(counts, std::vector<std::int64_t>(4, 10));
}

TEST(ThreadCommunicator, GathersDifferentLengths) {
  run_in_threads(3, [](Communicator& comm) {
    const std::vector<std::byte> mine(static_cast<std::size_t>(comm.rank()), std::byte(7));
    const auto all = comm.all_gather(mine);
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_EQ(all[rank].size(), rank);
  });
}

TEST(ThreadCommunicator, OneRanksFailureReachesTheCaller) {
  EXPECT_THROW(run_in_threads(3,
                              [](Communicator& comm) {
                                if (comm.rank() == 1) throw std::domain_error("rank 1 is ill");
                                double x = 0;
                                comm.all_reduce_sum(std::span(&x, 1));
                              }),
               std::domain_error);
}

}  // namespace
}  // namespace podium
