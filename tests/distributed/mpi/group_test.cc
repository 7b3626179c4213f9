// Run by mpirun with 1, 3, 4 and 6 ranks: every rank runs every test at the same time.
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "distributed/gathered.h"
#include "distributed/mpi/mpi_group.h"
#include "distributed/mpi/mpi_module.h"
#include "distributed/on_every_rank.h"
#include "distributed/over_ranks.h"

namespace podium::group_test {
namespace {

MpiGroup& group() {
  static MpiGroup joined(load_mpi());
  return joined;
}

std::uint64_t ranks() {
  return static_cast<std::uint64_t>(group().size());
}

TEST(MpiGroup, SumsIntegers) {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{300'000}}) {
    std::vector<std::int64_t> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int64_t>(i) + group().rank();
    group().all_reduce_sum(std::span(values));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(values[i], static_cast<std::int64_t>(ranks() * i + ranks() * (ranks() - 1) / 2));
  }
}

TEST(MpiGroup, ReducesBytesWithAnyAddition) {
  const auto most = [](std::span<std::byte> into, std::span<const std::byte> other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
  };
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{77}, std::size_t{5'000'000}}) {
    std::vector<std::byte> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<std::byte>(
          i % ranks() == static_cast<std::uint64_t>(group().rank()) ? 200 : 3);
    group().all_reduce(values, most);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], std::byte{200});
  }
}

TEST(MpiGroup, SumsOfDoublesAreThoseOfOneProcess) {
  Random random(7);
  std::vector<double> terms(999);
  for (double& term : terms) term = (random.uniform() - 0.5) * std::pow(10, 20 * random.uniform());
  OrderFreeSums all(3), mine(3);
  ExactSum exact_all, exact_mine;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    all.add(i % 3, terms[i]);
    exact_all += terms[i];
    if (i % ranks() != static_cast<std::uint64_t>(group().rank())) continue;
    mine.add(i % 3, terms[i]);
    exact_mine += terms[i];
  }
  EXPECT_EQ(sum_over_ranks(mine, group()), all.values());
  EXPECT_EQ(sum_over_ranks(exact_mine, group()), exact_all.value());
}

TEST(MpiGroup, GathersDifferentLengths) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    const auto size = [&](int rank) {
      return static_cast<std::size_t>(rank * 1000 + repeat * (rank % 2));
    };
    const auto all = group().all_gather(
        std::vector<std::byte>(size(group().rank()), static_cast<std::byte>(group().rank() + 1)));
    ASSERT_EQ(all.size(), ranks());
    for (int r = 0; r < group().size(); ++r)
      ASSERT_EQ(all[static_cast<std::size_t>(r)],
                std::vector<std::byte>(size(r), static_cast<std::byte>(r + 1)));
  }
}

TEST(MpiGroup, CountsSentBytes) {
  const std::uint64_t before = group().bytes_sent();
  std::vector<std::int64_t> values(1000);
  group().all_reduce_sum(std::span(values));
  EXPECT_EQ(group().bytes_sent() - before, 2 * 8000 * (ranks() - 1) / ranks());
}

TEST(MpiGroup, AStepFailsOnAllRanks) {
  const int failing = group().size() - 1;
  try {
    on_every_rank(group(), [&] {
      if (group().rank() == failing) throw Error(ErrorCode::data, "bad", {"f", 7});
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 failing == 0 ? "f:7: bad" : fmt::format("f:7: rank {}: bad", failing).c_str());
  }
}

// A rank that waits for a second leaves its core to others.
TEST(MpiGroup, WaitingCostsLittle) {
  if (group().size() == 1) GTEST_SKIP() << "one rank";
  on_any_rank(false, group());
  const std::clock_t before = std::clock();
  if (group().rank() == 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  on_any_rank(false, group());
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.5);
}

}  // namespace
}  // namespace podium::group_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  podium::MpiGroup& all = podium::group_test::group();
  const bool failed = podium::on_any_rank(RUN_ALL_TESTS() != 0, all);
  all.leave();
  return failed ? 1 : 0;
}
